/** How one message of ours stands in Slack: the card, or the reply of a step. */
import { z } from 'zod';

const Times = { tries: z.number(), notBefore: z.number() };

export const Delivery = z.discriminatedUnion('status', [
  z.object({ status: z.literal('owed'), ...Times }),
  /** It may stand in Slack already: it is looked for before anything is posted again (invariant 3). */
  z.object({ status: z.literal('doubtful'), ...Times, since: z.number() }),
  z.object({ status: z.literal('posted'), channel: z.string(), ts: z.string() }),
  /** It can't be delivered, and that is settled. */
  z.object({ status: z.literal('given_up'), code: z.string() }),
]);
export type Delivery = z.infer<typeof Delivery>;
export type Pending = Extract<Delivery, { status: 'owed' | 'doubtful' }>;

/**
 * What came of trying to post. `later`: certainly not posted. `doubtful`: perhaps posted. `refused`: will not work.
 * `inSharedChannel`: the channel of the card was found to be shared, and nothing was shown there that must not be.
 */
export type Posting =
  | { type: 'posted'; channel: string; ts: string; inSharedChannel?: true }
  | { type: 'refused'; code: string }
  | { type: 'later'; code: string; retryAfterMs?: number }
  | { type: 'doubtful'; code: string };

/** What came of updating the card. `gone`: nobody can see it any more. `kept`: it stands, and stays as it was. */
export type Updating =
  | { type: 'posted'; inSharedChannel?: true }
  | { type: 'gone'; code: string }
  | { type: 'kept'; code: string }
  | { type: 'later'; code: string; retryAfterMs?: number };

/** What came of looking for a message that may have been posted. */
export type Found =
  | { type: 'posted'; channel: string; ts: string }
  | { type: 'absent' }
  | { type: 'refused'; code: string }
  | { type: 'later'; code: string; retryAfterMs?: number };

export const owed = (now: number): Pending => ({ status: 'owed', tries: 0, notBefore: now });

export function isPending(delivery: Delivery): delivery is Pending {
  return delivery.status === 'owed' || delivery.status === 'doubtful';
}

/** Milliseconds to wait before try number `tries` + 1: 1 s, doubling, at most a minute. */
export function backoffMs(tries: number): number {
  return Math.min(60_000, 1_000 * 2 ** Math.min(10, Math.max(0, tries - 1)));
}

/**
 * The delivery after a try.
 *
 * @param before how it stood when the try was claimed
 * @param startedAt when the try was claimed, `now` when it ended, epoch milliseconds
 * @param doubtMs how long Slack is given to show a doubtful post before it is looked for
 */
export function afterTry(
  before: Pending,
  result: Posting | Found,
  times: { startedAt: number; now: number; doubtMs: number },
): Delivery {
  const tries = before.tries + 1;
  switch (result.type) {
    case 'posted':
      return { status: 'posted', channel: result.channel, ts: result.ts };
    case 'refused':
      return { status: 'given_up', code: result.code };
    case 'absent':
      return { status: 'owed', tries, notBefore: times.now };
    case 'doubtful':
      return { status: 'doubtful', tries, since: times.startedAt, notBefore: times.now + times.doubtMs };
    case 'later':
      return {
        ...before,
        tries,
        notBefore: times.now + Math.max(result.retryAfterMs ?? 0, backoffMs(tries)),
      };
  }
}
