/**
 * What has to be told and belongs to no request: an event of the service, kept for a while so that nobody can say it
 * was lost, and told in the workspace's notifications channel where one is set; and a token that the service does not
 * accept any more, told to admins; and a policy that its approvers can't meet any more, told to the admin who set it.
 */
import { z } from 'zod';
import { ServiceEvent } from './cause.ts';
import {
  afterTidy,
  afterTry,
  Delivery,
  type Found,
  isPending,
  owed,
  type Posting,
  type Tidied,
  type Try,
  withTidy,
} from './delivery.ts';
import { requestId } from './facts/request-id.ts';
import { KIND_NAMES, type Kind } from './kinds.ts';

const KEPT_MS = 30 * 24 * 60 * 60_000;

const Common = {
  id: z.string(),
  workspace: z.string(),
  version: z.number(),
  at: z.number(),
  delivery: Delivery,
  claim: z.object({ owner: z.string(), startedAt: z.number(), expiresAt: z.number() }).optional(),
};

const EventShape = z.object({
  ...Common,
  /** Not there in what versions wrote that knew of nothing else. */
  type: z.literal('event').default('event'),
  kind: z.enum(KIND_NAMES),
  event: ServiceEvent,
  /** Where it is told; undefined where it is only kept. */
  channel: z.string().optional(),
});
export type EventNotice = z.infer<typeof EventShape>;

const TokenShape = z.object({
  ...Common,
  type: z.literal('token_refused'),
  /** Of the connection whose token it is. */
  generation: z.string(),
  connectedBy: z.string(),
  /** Who is told; undefined: it is still to be found out who are, and then each of them gets a notice of their own. */
  to: z.string().optional(),
});
export type TokenNotice = z.infer<typeof TokenShape>;

const PolicyShape = z.object({
  ...Common,
  type: z.literal('policy_unmet'),
  kind: z.enum(KIND_NAMES),
  quorum: z.number(),
  /** The admin who has set it. */
  to: z.string(),
});
export type PolicyNotice = z.infer<typeof PolicyShape>;

export type Notice = EventNotice | TokenNotice | PolicyNotice;

/** Fields that a newer version has written are kept when an older one writes the record back. */
export const Notice: z.ZodType<Notice> = z.union([
  TokenShape.loose(),
  PolicyShape.loose(),
  EventShape.loose(),
]);

/** `keptBecause`: why it is told nowhere, as a word, where that is not for want of a channel. */
export type NewNotice = {
  workspace: string;
  kind: Kind;
  event: ServiceEvent;
  channel: string | undefined;
  keptBecause?: string | undefined;
};

/** The same delivery twice is the same notice. @param now epoch milliseconds by the store's clock */
export function newNotice(
  { workspace, kind, event, channel, keptBecause }: NewNotice,
  now: number,
): EventNotice {
  const id = requestId(workspace, `notice ${event.digest}`);
  const base = { type: 'event' as const, id, workspace, version: 1, kind, event, at: now };
  if (channel !== undefined && keptBecause === undefined) return { ...base, channel, delivery: owed(now) };
  return { ...base, delivery: { status: 'given_up', code: keptBecause ?? 'no_channel' } };
}

export type RefusedToken = Pick<TokenNotice, 'workspace' | 'generation' | 'connectedBy'>;

/**
 * One for each connection and, once it is known who is told, one for each of them, however often it is made.
 *
 * @param now epoch milliseconds by the store's clock
 */
export function newTokenNotice(
  { workspace, generation, connectedBy }: RefusedToken,
  now: number,
  to?: string,
): TokenNotice {
  const id = requestId(workspace, `token refused ${generation} ${to ?? ''}`);
  const base = { type: 'token_refused' as const, id, workspace, version: 1, at: now, delivery: owed(now) };
  return { ...base, generation, connectedBy, ...(to === undefined ? {} : { to }) };
}

const DAY_MS = 24 * 60 * 60_000;

/** At most one a day for each kind of request. @param now epoch milliseconds by the store's clock */
export function newPolicyNotice(
  { workspace, kind, quorum, to }: Pick<PolicyNotice, 'workspace' | 'kind' | 'quorum' | 'to'>,
  now: number,
): PolicyNotice {
  const id = requestId(workspace, `policy unmet ${kind} ${to} ${Math.floor(now / DAY_MS)}`);
  const base = { type: 'policy_unmet' as const, id, workspace, version: 1, at: now, delivery: owed(now) };
  return { ...base, kind, quorum, to };
}

/** Where it is not known yet who is told, `post` and `find` are to find that out. */
export type NoticeAct = 'expire_claim' | 'post' | 'find' | 'tidy' | 'remove';

/** Those for which Slack is asked something that it limits. */
export type LimitedNoticeAct = Extract<NoticeAct, 'post' | 'find' | 'tidy'>;

/** Whether it is still to be found out who is told. */
export const isUnaddressed = (notice: Notice): notice is TokenNotice =>
  notice.type === 'token_refused' && notice.to === undefined;

/**
 * What is owed next, and from when on, epoch milliseconds. There is always something: in the end it is removed, even
 * where it could not be told in all that time.
 */
export function nextNoticeAct(notice: Notice, now: number): { act: NoticeAct; at: number } {
  const { claim, delivery, at } = notice;
  if (claim) return { act: 'expire_claim', at: claim.expiresAt };
  const removeAt = at + KEPT_MS;
  const next = nextOf(delivery);
  return next && Math.max(now, next.at) < removeAt ? next : { act: 'remove', at: removeAt };
}

function nextOf(delivery: Delivery): { act: NoticeAct; at: number } | undefined {
  if (isPending(delivery))
    return { act: delivery.status === 'owed' ? 'post' : 'find', at: delivery.notBefore };
  const [tidy] = delivery.tidies ?? [];
  return tidy && { act: 'tidy', at: tidy.notBefore };
}

/** The notice after a try to post it, or to find it. */
export function settleNotice(
  { claim: _released, ...notice }: Notice,
  result: Posting | Found,
  given: Try,
): Notice {
  const { delivery } = notice;
  return isPending(delivery) ? { ...notice, delivery: afterTry(delivery, result, given) } : notice;
}

/** The notice after all copies of its message but one were removed. */
export function settleNoticeTidy(
  { claim: _released, ...notice }: Notice,
  result: Tidied,
  now: number,
): Notice {
  return { ...notice, delivery: afterTidy(notice.delivery, { to: undefined, result, now }) };
}

/**
 * The notice after a try under a claim that has expired since: its message is the recorded one where none is known yet,
 * else another copy that is to be tidied.
 */
export function settleLateNotice(notice: Notice, result: Posting | Found, given: Try): Notice {
  const { delivery } = notice;
  if (result.type === 'posted' && isPending(delivery)) {
    return { ...notice, delivery: afterTry(delivery, result, given) };
  }
  const isRecorded = result.type === 'posted' && delivery.status === 'posted' && delivery.ts === result.ts;
  if ((result.type !== 'posted' && result.type !== 'doubtful') || isRecorded) return notice;
  return { ...notice, delivery: withTidy(delivery, { ...given, since: given.startedAt }) };
}
