/**
 * Models notices that belong to no request. An event is kept for a while, so that it is never lost, and posted to the
 * workspace's notifications channel if one is set; so are a pause and a change of settings. A refused token, events without a
 * valid signature, a Slack token that is not renewed, and a person who has met their limit are reported to admins. A policy
 * that its approvers can no longer meet is reported to the admin who set it.
 */
import { z } from 'zod';
import { Delivery, owed } from '../../../outbox/delivery.ts';
import { MESSAGE_EFFECTS, UpkeepFields } from '../../../outbox/message.ts';
import { NOT_STORED } from '../../../outbox/record-store.ts';
import { HolderFields } from '../../../outbox/record-type.ts';
import { ServiceEvent } from '../cause.ts';
import { KIND_NAMES } from '../kinds.ts';
import { requestId } from '../request-id.ts';
import { Pause } from '../settings.ts';

const NoticeFields = {
  id: z.string(),
  workspace: z.string(),
  version: z.number(),
  at: z.number(),
  delivery: Delivery,
  /** The time at which Slack first refused to post it. */
  refusedAt: z.number().optional(),
  claim: z.object({ effect: z.enum([...MESSAGE_EFFECTS, 'address']), ...HolderFields }).optional(),
};

/** The fields of notices for the admins of a workspace: there is first one for all of them, then one for each. */
const AdminsFields = {
  ...NoticeFields,
  /** The person who connected the workspace or installed Countermand, and is told even where admins can't be found. */
  connectedBy: z.string(),
  /** The recipient. Undefined: the recipients are still to be found, and then each gets a notice of their own. */
  to: z.string().optional(),
};

/** An older version can't read a new type (storage/storage-version.ts). */
export const Notice = z.discriminatedUnion('type', [
  z.object({
    ...AdminsFields,
    /** `events_refused`: events had no valid signature. */
    type: z.enum(['token_refused', 'events_refused']),
    /** The generation of the connection that the notice is about. */
    generation: z.string(),
    /** The time at which calls were paused, or the first of the refused events came. */
    since: z.number(),
  }),
  z.object({
    ...AdminsFields,
    type: z.literal('limit_met'),
    /** The person who made the requests (`made`) within the hour that ends at `since`. */
    person: z.string(),
    made: z.number(),
    limit: z.number(),
    since: z.number(),
  }),
  z.object({
    ...AdminsFields,
    /** Slack has refused the refresh token. */
    type: z.literal('renewal_refused'),
    /** The generation of the installation: of the workspace or, if `orgWide`, of its organization. */
    generation: z.string(),
    orgWide: z.boolean(),
    /** The end of the last token. */
    expiresAt: z.number(),
    /** The page that installs Countermand. */
    page: z.string(),
  }),
  z.object({
    ...NoticeFields,
    type: z.enum(['sending_paused', 'sending_resumed']),
    channel: z.string(),
    by: z.string(),
    /** The pause that began, or ended. */
    pause: Pause,
  }),
  z.object({
    ...NoticeFields,
    type: z.literal('settings_changed'),
    channel: z.string(),
    by: z.string(),
    /** The settings that were changed, by name; null: not set. */
    changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })),
  }),
  z.object({
    ...NoticeFields,
    type: z.literal('policy_unmet'),
    kind: z.enum(KIND_NAMES),
    quorum: z.number(),
    /** The user group of the approvers, if it is gone or unreadable. */
    goneGroup: z.string().optional(),
    /** The admin who set the policy. */
    to: z.string(),
  }),
  z.object({
    ...NoticeFields,
    type: z.literal('event'),
    kind: z.enum(KIND_NAMES),
    event: ServiceEvent,
    /** The channel to post to; undefined if the event is only kept. */
    channel: z.string().optional(),
  }),
  /** The unmatched events of an hour in a channel: one message, which is kept up to date. */
  z.object({
    ...NoticeFields,
    ...UpkeepFields,
    type: z.literal('unmatched_events'),
    channel: z.string(),
    /** The beginning of the hour, if `at` only orders it, because the clock was set back since the former hour. */
    begunAt: z.number().optional(),
    /** The events that are posted one by one, of this hour and of the end of the one before. */
    posted: z.array(z.object({ at: z.number() })),
    /** The number of further events, which the message shows. */
    summed: z.number(),
  }),
]);
export type Notice = z.infer<typeof Notice>;

type Of<T extends Notice['type']> = Extract<Notice, { type: T }>;
export type EventNotice = Of<'event'>;
export type UnmatchedEvents = Of<'unmatched_events'>;
export type TokenNotice = Of<'token_refused' | 'events_refused'>;
type LimitNotice = Of<'limit_met'>;
export type RenewalNotice = Of<'renewal_refused'>;
export type SendingNotice = Of<'sending_paused' | 'sending_resumed'>;
export type SettingsNotice = Of<'settings_changed'>;
type PolicyNotice = Of<'policy_unmet'>;
export type AdminsNotice = TokenNotice | LimitNotice | RenewalNotice;

/**
 * Adds the fields that every new notice has. Its id follows from what it is about, so that the same notice is created once.
 *
 * @param name tells it from all other notices of the workspace
 */
export const newNotice = <About extends { workspace: string }>(about: About, name: string, at: number) => ({
  ...about,
  id: requestId(about.workspace, name),
  version: NOT_STORED,
  at,
  delivery: owed(at),
});

type Given = 'id' | 'version' | 'at' | 'delivery' | 'claim' | 'to';
export type RefusedToken = Omit<TokenNotice, Given>;
export type NewAdminsNotice = RefusedToken | Omit<LimitNotice, Given> | Omit<RenewalNotice, Given>;

/**
 * Creates a notice for all admins or, once the recipients are known, for one of them (`to`). There is one about each pause
 * of calls, each first event that is refused, each hour in which a person has met their limit, and the last token of an
 * installation.
 */
export const newAdminsNotice = <A extends NewAdminsNotice>(about: A, now: number, to?: string) =>
  newNotice({ ...about, to }, `${nameOf(about)} ${to ?? ''}`, now);

function nameOf(about: NewAdminsNotice): string {
  switch (about.type) {
    case 'limit_met':
      return `limit met ${about.person} ${about.since}`;
    case 'renewal_refused':
      return `renewal refused ${about.generation} ${about.expiresAt}`;
    default:
      return `${about.type} ${about.generation} ${about.since}`;
  }
}

/** Creates the notice for one recipient from the one for all admins. */
export function addressedTo(notice: AdminsNotice, now: number, to: string): AdminsNotice {
  const { claim: _ofAll, refusedAt: _, ...about } = notice;
  return newAdminsNotice(about, now, to);
}

/** Creates one notice for the beginning of a pause, and one for its end. `by`, `at`: who did that, and when. */
export const newSendingNotice = (
  about: Pick<SendingNotice, 'type' | 'workspace' | 'channel' | 'by' | 'at' | 'pause'>,
): SendingNotice => newNotice(about, `${about.type} ${about.pause.by} ${about.pause.at}`, about.at);

/** Creates one notice in a channel for each save. `former`: the version of the settings until then. */
export const newSettingsNotice = ({
  former,
  ...about
}: Pick<SettingsNotice, 'workspace' | 'channel' | 'by' | 'at' | 'changes'> & {
  former: number | undefined;
}): SettingsNotice => ({
  ...newNotice(about, `settings changed ${former ?? 'none'} ${about.channel}`, about.at),
  type: 'settings_changed',
});

const DAY_MS = 24 * 60 * 60_000;

/** Creates at most one notice a day for each kind of request, and one that says that its user group is gone. */
export function newPolicyNotice(
  about: Pick<PolicyNotice, 'workspace' | 'kind' | 'quorum' | 'goneGroup' | 'to'>,
  now: number,
): PolicyNotice {
  const { kind, goneGroup, to } = about;
  const name = `policy unmet ${kind} ${to} ${Math.floor(now / DAY_MS)}${goneGroup ? ` ${goneGroup}` : ''}`;
  return { ...newNotice(about, name, now), type: 'policy_unmet' };
}

/** Whether the recipients are still unknown. */
export const isUnaddressed = (notice: Notice): notice is AdminsNotice =>
  'connectedBy' in notice && notice.to === undefined;

/** The channel that a notice is posted to; undefined: it is for a person, or is only kept. */
export const channelOf = (notice: Notice): string | undefined =>
  'channel' in notice ? notice.channel : undefined;

/** The person who is notified; undefined: nobody yet, or a channel is. */
export const recipientOf = (notice: Notice): string | undefined => ('to' in notice ? notice.to : undefined);
