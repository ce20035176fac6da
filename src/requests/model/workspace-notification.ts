/**
 * Models notifications that belong to no request. An event is kept for a while, so that it is never lost, and posted to
 * the workspace's notifications channel if one is set. A refused token, and events without a valid signature, are reported to
 * admins. A policy that its
 * approvers can no longer meet is reported to the admin who set it.
 */
import { z } from 'zod';
import { ServiceEvent } from './cause.ts';
import { requestId } from './facts/request-id.ts';
import { KIND_NAMES, type Kind } from './kinds.ts';
import { isPending, owed } from './messages/delivery.ts';
import { updateAtOf } from './messages/upkeep.ts';
import { NoticeFields } from './notices/fields.ts';
import { type UnmatchedEvents, UnmatchedShape } from './notices/unmatched-events.ts';
import { Pause } from './pause.ts';
import { NOT_STORED } from './stored.ts';

const KEPT_MS = 30 * 24 * 60 * 60_000;

const EventShape = z.object({
  ...NoticeFields,
  /** Absent in records of versions that knew only events. */
  type: z.literal('event').default('event'),
  kind: z.enum(KIND_NAMES),
  event: ServiceEvent,
  /** The channel to post to; undefined if the event is only kept. */
  channel: z.string().optional(),
});
export type EventNotification = z.infer<typeof EventShape>;

const TokenShape = z.object({
  ...NoticeFields,
  /** `events_refused`: events had no valid signature. */
  type: z.enum(['token_refused', 'events_refused']),
  /** The generation of the connection that it is about. */
  generation: z.string(),
  /** When calls were paused, or the first of the refused events came. */
  since: z.number(),
  connectedBy: z.string(),
  /** The recipient. Undefined: the recipients are still to be found, and then each gets a notification of their own. */
  to: z.string().optional(),
});
export type TokenNotification = z.infer<typeof TokenShape>;

const LimitShape = z.object({
  ...NoticeFields,
  type: z.literal('limit_met'),
  /** Who has made so many requests within the hour that ends at `since`. */
  person: z.string(),
  made: z.number(),
  limit: z.number(),
  since: z.number(),
  /** Who connected the workspace, and is told even where it has too many members to find its admins. */
  connectedBy: z.string(),
  /** The recipient, as for a refused token. */
  to: z.string().optional(),
});
export type LimitNotification = z.infer<typeof LimitShape>;

/** Notifications for the admins of a workspace: first one for all of them, then one for each. */
export type AdminsNotification = TokenNotification | LimitNotification;

const SendingShape = z.object({
  ...NoticeFields,
  type: z.enum(['sending_paused', 'sending_resumed']),
  channel: z.string(),
  by: z.string(),
  /** The pause that began, or ended. */
  pause: Pause,
});
export type SendingNotification = z.infer<typeof SendingShape>;

const PolicyShape = z.object({
  ...NoticeFields,
  type: z.literal('policy_unmet'),
  kind: z.enum(KIND_NAMES),
  quorum: z.number(),
  /** The admin who set the policy. */
  to: z.string(),
});
export type PolicyNotification = z.infer<typeof PolicyShape>;

export type WorkspaceNotification =
  | EventNotification
  | UnmatchedEvents
  | AdminsNotification
  | SendingNotification
  | PolicyNotification;

/** Keeps fields that a newer version wrote, so an older version can write the record back. */
export const WorkspaceNotification: z.ZodType<WorkspaceNotification> = z.union([
  UnmatchedShape.loose(),
  TokenShape.loose(),
  LimitShape.loose(),
  SendingShape.loose(),
  PolicyShape.loose(),
  EventShape.loose(),
]);

/**
 * `keptBecause`: the reason, as one word, for keeping the event without posting it; unset if merely no channel is set.
 */
export type NewEventNotification = {
  workspace: string;
  kind: Kind;
  event: ServiceEvent;
  channel: string | undefined;
  keptBecause?: string | undefined;
};

/**
 * Creates the notification of an event. The same delivery always yields the same notification. @param now epoch
 * milliseconds by the store's clock
 */
export function newEventNotification(
  { workspace, kind, event, channel, keptBecause }: NewEventNotification,
  now: number,
): EventNotification {
  const id = requestId(workspace, `notification ${event.digest}`);
  const base = { type: 'event' as const, id, workspace, version: NOT_STORED, kind, event, at: now };
  if (channel !== undefined && keptBecause === undefined) return { ...base, channel, delivery: owed(now) };
  return { ...base, delivery: { status: 'given_up', code: keptBecause ?? 'no_channel' } };
}

export type RefusedToken = Pick<TokenNotification, 'workspace' | 'generation' | 'since' | 'connectedBy'> &
  Partial<Pick<TokenNotification, 'type'>>;

/**
 * Creates one notification for each pause of calls, or first of the refused events, and, once the recipients are known, one for each of them. Repeated calls
 * yield the same ids.
 *
 * @param now epoch milliseconds by the store's clock
 */
export function newTokenNotification(
  { type = 'token_refused', workspace, generation, since, connectedBy }: RefusedToken,
  now: number,
  to?: string,
): TokenNotification {
  const id = requestId(workspace, `${type} ${generation} ${since} ${to ?? ''}`);
  const base = { type, id, workspace, version: NOT_STORED, at: now, delivery: owed(now) };
  return { ...base, generation, since, connectedBy, ...(to === undefined ? {} : { to }) };
}

/**
 * Creates one notification for each hour in which a person has met their limit and, once the recipients are known, one
 * for each of them. Repeated calls yield the same ids.
 *
 * @param now epoch milliseconds by the store's clock
 */
export function newLimitNotification(
  about: Pick<LimitNotification, 'workspace' | 'person' | 'made' | 'limit' | 'since' | 'connectedBy'>,
  now: number,
  to?: string,
): LimitNotification {
  const { workspace, person, made, limit, since, connectedBy } = about;
  const id = requestId(workspace, `limit met ${person} ${since} ${to ?? ''}`);
  const base = {
    type: 'limit_met' as const,
    id,
    workspace,
    version: NOT_STORED,
    at: now,
    delivery: owed(now),
  };
  return { ...base, person, made, limit, since, connectedBy, ...(to === undefined ? {} : { to }) };
}

/** Creates the notification for one of the recipients. */
export const addressedTo = (notification: AdminsNotification, now: number, to: string): AdminsNotification =>
  notification.type === 'limit_met'
    ? newLimitNotification(notification, now, to)
    : newTokenNotification(notification, now, to);

/** Creates one notification for the beginning of a pause, and one for its end. `by`, `at`: who did that, and when. */
export function newSendingNotification(
  about: Pick<SendingNotification, 'type' | 'workspace' | 'channel' | 'by' | 'at' | 'pause'>,
): SendingNotification {
  const { type, workspace, pause, at } = about;
  const id = requestId(workspace, `${type} ${pause.by} ${pause.at}`);
  return { ...about, id, version: NOT_STORED, delivery: owed(at) };
}

const DAY_MS = 24 * 60 * 60_000;

/**
 * Creates at most one notification a day for each kind of request. @param now epoch milliseconds by the store's clock
 */
export function newPolicyNotification(
  { workspace, kind, quorum, to }: Pick<PolicyNotification, 'workspace' | 'kind' | 'quorum' | 'to'>,
  now: number,
): PolicyNotification {
  const id = requestId(workspace, `policy unmet ${kind} ${to} ${Math.floor(now / DAY_MS)}`);
  const base = {
    type: 'policy_unmet' as const,
    id,
    workspace,
    version: NOT_STORED,
    at: now,
    delivery: owed(now),
  };
  return { ...base, kind, quorum, to };
}

/** Effects of a notification. While the recipients are unknown, `post` and `find` find them. */
export type NotificationEffect = 'expire_claim' | 'post' | 'find' | 'update' | 'tidy' | 'remove';

/** Effects that use a rate-limited Slack method. */
export type LimitedNotificationEffect = Exclude<NotificationEffect, 'expire_claim' | 'remove'>;

/** Whether the recipients are still unknown. */
export const isUnaddressed = (notification: WorkspaceNotification): notification is AdminsNotification =>
  'connectedBy' in notification && notification.to === undefined;

/** The channel that a notification is posted to; undefined: it is for a person, or is only kept. */
export const channelOf = (notification: WorkspaceNotification): string | undefined =>
  'channel' in notification ? notification.channel : undefined;

/** The person who is notified; undefined: nobody yet, or a channel is. */
export const recipientOf = (notification: WorkspaceNotification): string | undefined =>
  'to' in notification ? notification.to : undefined;

/**
 * Returns the next effect and when it is due, epoch milliseconds. There always is one: in the end the notification is
 * removed, even if it was never posted.
 */
export function nextNotificationEffect(
  notification: WorkspaceNotification,
  now: number,
): { effect: NotificationEffect; at: number } {
  const { claim, at } = notification;
  if (claim) return { effect: 'expire_claim', at: claim.expiresAt };
  const removeAt = at + KEPT_MS;
  const next = nextOf(notification);
  return next && Math.max(now, next.at) < removeAt ? next : { effect: 'remove', at: removeAt };
}

function nextOf(notification: WorkspaceNotification): { effect: NotificationEffect; at: number } | undefined {
  const { delivery } = notification;
  if (isPending(delivery))
    return { effect: delivery.status === 'owed' ? 'post' : 'find', at: delivery.notBefore };
  const isShown = notification.type === 'unmatched_events' && delivery.status === 'posted';
  const updateAt = isShown ? updateAtOf(notification, notification.summed) : undefined;
  if (updateAt !== undefined) return { effect: 'update', at: updateAt };
  const [tidy] = delivery.tidies ?? [];
  return tidy && { effect: 'tidy', at: tidy.notBefore };
}
