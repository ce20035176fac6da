/**
 * Models what the admins of a workspace set, including the pause of sending: during a pause, no request of the workspace is sent
 * to the order service.
 */
import { z } from 'zod';
import type { RecordRef } from '../../outbox/record-store.ts';
import { CUSTOMER_REPLIES, type CustomerReply, KIND_NAMES } from './kinds.ts';
import { Policy } from './policy.ts';
import { HIGHEST_LIMIT } from './recent.ts';

/** `by`: the admin who paused sending. `at`: since when. `moment`: of the click, if Slack told. */
export const Pause = z.object({ by: z.string(), at: z.number(), moment: z.number().optional() });
export type Pause = z.infer<typeof Pause>;

/** The end of a pause. `by`, `at`, `moment`: who resumed sending, and when. `pause`: the one that ended. */
const Resumption = Pause.extend({ pause: Pause });

/** The click that pauses or resumes sending. */
export type PauseClick = Omit<Pause, 'at'>;

/** Whether a click is outdated: it was made before the one that is in force, and arrives late. */
export const isOutdatedBy = (click: PauseClick, inForce: PauseClick | undefined): boolean =>
  click.moment !== undefined && inForce?.moment !== undefined && click.moment <= inForce.moment;

export const isSamePause = (one: Pause | undefined, other: Pause | undefined): boolean =>
  one?.by === other?.by && one?.at === other?.at;

const text = z.string().optional();
const texts = z.array(z.string()).readonly().optional();

/** The texts for customers; undefined: the usual one (`USUAL_TEXTS` in slack/features/customer-reply). */
const CustomerTexts = Object.fromEntries(CUSTOMER_REPLIES.map((name) => [name, text])) as Record<
  CustomerReply,
  typeof text
>;

const General = z.object({
  /** The user group that may create requests; undefined: all full members. */
  requesters: text,
  /**
   * The user group that administers the workspace beside the admins and owners of the organization. It counts only while
   * the bot is installed in the organization.
   */
  admins: text,
  notificationsChannel: text,
  /** Reasons offered as options; undefined: the default ones. */
  reasons: texts,
  /** The pattern of order ids (use-cases/input.ts). */
  orderIdPattern: text,
  /** Whether requests may be posted in channels shared with another company; undefined: no. */
  sharedChannels: z.boolean().optional(),
  /** Templates of the addresses of an order and of an offer, and the hosts of ticket links (use-cases/addresses.ts). */
  orderAddress: text,
  offerAddress: text,
  ticketHosts: texts,
  ...CustomerTexts,
  /** Reasons in the words that a customer reads, as lines "Reason = words". */
  reasonsForCustomers: texts,
  /** The number of requests that one person may make within an hour; undefined: the usual number (recent.ts). */
  requestsPerHour: z.union([z.number().int().min(1).max(HIGHEST_LIMIT), z.literal('unlimited')]).optional(),
});
/** The settings in the form of settings; each policy has a form of its own. */
export type GeneralSettings = z.infer<typeof General>;
export type SettingName = keyof GeneralSettings;
export const GENERAL_SETTINGS: readonly SettingName[] = General.keyof().options;

/** Reads the value of a setting out of a notice; undefined: it is not set, or is no such value. */
export const readSetting = <Name extends SettingName>(name: Name, value: unknown): GeneralSettings[Name] =>
  General.shape[name].safeParse(value ?? undefined).data as GeneralSettings[Name];

export const Settings = General.extend({
  /** The approval policy of each kind of request; an absent kind needs no approval. */
  policies: z.partialRecord(z.enum(KIND_NAMES), Policy.optional()).optional(),
  paused: Pause.optional(),
  /** The end of the last pause. */
  resumed: Resumption.optional(),
});
export type Settings = z.infer<typeof Settings>;

/** The settings of admins. `version`: of the record that holds them; undefined: nothing was ever set. */
export type InForce = { settings: Settings; version: number | undefined };

/**
 * The settings after a click. `isNew`: whether the click has changed anything. `former`: their version before it. `at`: the time of
 * the click, by the store's clock. `notices`: the notices that were written with it, to be woken.
 */
export type PauseChanged = {
  isNew: boolean;
  former: InForce['version'];
  at: number;
  notices: readonly RecordRef[];
} & InForce;
