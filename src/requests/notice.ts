/**
 * An event that belongs to no request: kept for a while, so that nobody can say it was lost, and told in the
 * workspace's notifications channel where one is set.
 */
import { z } from 'zod';
import type { Timings } from './agenda.ts';
import { ServiceEvent } from './cause.ts';
import { afterTry, Delivery, type Found, isPending, owed, type Posting } from './delivery.ts';
import { KIND_NAMES, type Kind } from './kinds.ts';
import type { Entry } from './record-store.ts';
import { requestId } from './request-id.ts';

const KEPT_MS = 30 * 24 * 60 * 60_000;

const Shape = z.object({
  id: z.string(),
  workspace: z.string(),
  version: z.number(),
  kind: z.enum(KIND_NAMES),
  event: ServiceEvent,
  at: z.number(),
  /** Where it is told; undefined where no channel was set when it came. */
  channel: z.string().optional(),
  delivery: Delivery,
  claim: z.object({ owner: z.string(), startedAt: z.number(), expiresAt: z.number() }).optional(),
});
export type Notice = z.infer<typeof Shape>;

/** Fields that a newer version has written are kept when an older one writes the record back. */
export const Notice: z.ZodType<Notice> = Shape.loose();

export type NewNotice = { workspace: string; kind: Kind; event: ServiceEvent; channel: string | undefined };

/** The same delivery twice is the same notice. @param now epoch milliseconds by the store's clock */
export function newNotice({ workspace, kind, event, channel }: NewNotice, now: number): Notice {
  const id = requestId(workspace, `notice ${event.digest}`);
  const base = { id, workspace, version: 1, kind, event, at: now };
  return channel === undefined
    ? { ...base, delivery: { status: 'given_up', code: 'no_channel' } }
    : { ...base, channel, delivery: owed(now) };
}

export type NoticeAct = 'expire_claim' | 'post' | 'find' | 'remove';

/**
 * What is owed next, and from when on, epoch milliseconds. There is always something: in the end it is removed, even
 * where it could not be told in all that time.
 */
export function nextNoticeAct({ claim, delivery, at }: Notice, now: number): { act: NoticeAct; at: number } {
  if (claim) return { act: 'expire_claim', at: claim.expiresAt };
  const removeAt = at + KEPT_MS;
  if (!isPending(delivery) || Math.max(now, delivery.notBefore) >= removeAt)
    return { act: 'remove', at: removeAt };
  return { act: delivery.status === 'owed' ? 'post' : 'find', at: delivery.notBefore };
}

export function noticeEntry(notice: Notice): Entry<Notice> {
  const { at } = notice;
  return {
    record: notice,
    subjects: [notice.event.target],
    at,
    slot: undefined,
    dueAt: nextNoticeAct(notice, at).at,
  };
}

/** The notice after it was tried to be posted, or looked for. */
export function settleNotice(
  { claim, ...notice }: Notice,
  result: Posting | Found,
  { now, doubtMs }: { now: number } & Pick<Timings, 'doubtMs'>,
): Notice {
  if (!isPending(notice.delivery)) return notice;
  const startedAt = claim?.startedAt ?? now;
  return { ...notice, delivery: afterTry(notice.delivery, result, { startedAt, now, doubtMs }) };
}
