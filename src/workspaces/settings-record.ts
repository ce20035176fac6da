/** Models the settings that the admins of a workspace have made: one record, which holds nothing else. */
import { z } from 'zod';
import { SETTINGS_ID } from '../outbox/record-store.ts';
import { Policy } from '../requests/model/approvals/policy.ts';
import { KIND_NAMES } from '../requests/model/kinds.ts';
import { Pause, Resumption } from '../requests/model/pause.ts';
import { HIGHEST_LIMIT } from '../requests/model/recent-requests.ts';
import type { Settings } from '../requests/ports/ports.ts';

const General = z.object({
  requesters: z.string().optional(),
  admins: z.string().optional(),
  notificationsChannel: z.string().optional(),
  reasons: z.array(z.string()).optional(),
  orderIdPattern: z.string().optional(),
  sharedChannels: z.boolean().optional(),
  orderAddress: z.string().optional(),
  offerAddress: z.string().optional(),
  ticketHosts: z.array(z.string()).optional(),
  replyOrderCanceled: z.string().optional(),
  replyOrderInReview: z.string().optional(),
  replyOrderNotCanceled: z.string().optional(),
  replyOfferSent: z.string().optional(),
  replyOfferCanceled: z.string().optional(),
  reasonsForCustomers: z.array(z.string()).optional(),
  requestsPerHour: z.union([z.number().int().min(1).max(HIGHEST_LIMIT), z.literal('unlimited')]).optional(),
});
/** The settings of a form, those that it shows; each policy has a form of its own. */
export type GeneralSettings = z.infer<typeof General>;
export type SettingName = keyof GeneralSettings;
export const GENERAL_SETTINGS: readonly SettingName[] = General.keyof().options;

/** Reads the value of a setting as it is stored elsewhere; undefined: it is not set, or is no such value. */
export const readSetting = <Name extends SettingName>(name: Name, value: unknown): GeneralSettings[Name] =>
  General.shape[name].safeParse(value ?? undefined).data as GeneralSettings[Name];

const Stored: z.ZodType<Settings> = General.extend({
  policies: z.partialRecord(z.enum(KIND_NAMES), Policy).optional(),
  paused: Pause.optional(),
  resumed: Resumption.optional(),
});

const Shape = z.object({
  workspace: z.string(),
  id: z.literal(SETTINGS_ID),
  version: z.number(),
  settings: Stored,
});
export type SettingsRecord = z.infer<typeof Shape>;
export const SettingsRecord: z.ZodType<SettingsRecord> = Shape;
