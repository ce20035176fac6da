/**
 * Draws requests for what is done already, by an earlier request or in the service itself, which refuses them, and calls for what
 * is under review already.
 */
import type { Random } from '../../chaos/random.ts';
import { isReviewed, KINDS } from '../../support/seen-requests.ts';
import { MINUTE_MS, soon } from './draw-acts.ts';
import type { Act, Plan, Request } from './plan.ts';

/** In some plays the last request repeats the first one. Most people who read that it is done already insist on theirs. */
export function withRepetition(random: Random, requests: readonly Request[]): Request[] {
  const insisting = requests.map((request) =>
    random.chance(0.7) ? { ...request, insistsAfter: random.between(500, 30_000) } : request,
  );
  const [first, last] = [insisting.at(0), insisting.at(-1)];
  if (!first || !last || !random.chance(0.2)) return insisting;
  const { team, item } = first;
  const kind = isOfOffer(first) ? random.pick(['send_offer', 'cancel_offer'] as const) : first.kind;
  const repeated = { ...last, team, item, kind, at: soon(random, first.at + 5_000) };
  return [...insisting.slice(0, -1), repeated];
}

const isOfOffer = ({ kind }: Request): boolean => KINDS[kind].about === 'offer';

/**
 * Somebody cancels the offer in the service itself, before the request or while it waits. The requester retries after a
 * refusal.
 */
export function drawDoneBefore(random: Random, request: Request): Act[] {
  const { n, at, by, team, item } = request;
  if (random.chance(0.75)) return [];
  const cancelled = Math.max(0, at + random.between(-2_000, 10_000));
  const retry = { type: 'decide', n, by, act: 'retry' } as const;
  return [
    ...(isOfOffer(request) ? [{ type: 'cancel_offer_elsewhere', at: cancelled, team, item } as const] : []),
    { ...retry, at: soon(random, at + 5_000), after: random.between(100, 5_000) },
  ];
}

/**
 * In some plays the service answers a call like the one before it, whose request is under review. An admin records by mistake that
 * it was denied, and then that it was not received; the requester retries.
 */
export function drawAnswersAgain(
  random: Random,
  requests: readonly Request[],
): Pick<Plan, 'answersAgain'> & { acts: Act[] } {
  if (random.chance(0.7)) return { acts: [] };
  const acts = requests.flatMap(({ n, at, by, kind, item, team }): Act[] => {
    // Orders with an odd number are cancelled at once (world/service-side.ts).
    if (!isReviewed(kind) || item % 2 === 1) return [];
    const recorded = soon(random, at + 3_000);
    const corrected = recorded + random.between(100, 20_000);
    const retried = corrected + random.between(100, 20_000);
    const decided = retried + random.between(10, MINUTE_MS);
    const decision = random.pick(['approved', 'denied', 'pending'] as const);
    return [
      { type: 'decide', at: recorded, n, by: 'olga', act: 'denied' },
      { type: 'decide', at: corrected, n, by: 'olga', act: 'never_received' },
      { type: 'decide', at: retried, n, by, act: 'retry' },
      { type: 'review', at: decided, team, item, decision },
    ];
  });
  return { answersAgain: true, acts };
}
