/** Promises 1, 5 and 8: one call for one decision, one open request for one target, the card before the call. */
import type { CallSeen, RequestSeen } from '../observed/requests.ts';
import type { Seen, Violation } from './seen.ts';

export function checkCalls({ calls, requestsOf, played }: Seen): Violation[] {
  const resent = new Map(played.map((each) => [each.story.target, each.resent.length]));
  return [...calls].flatMap(([target, all]) => {
    const requests = requestsOf.get(target) ?? [];
    const counted = all.filter(({ mayBeReceived }) => mayBeReceived);
    const decisions = Math.max(1, requests.length) + (resent.get(target) ?? 0);
    return [
      ...doubledCalls(target, counted, { requests, decisions }),
      ...cardAfterCall(target, all, requests),
    ];
  });
}

/** Each request, and each time it is sent again, is a decision: there may be one call for each. */
function doubledCalls(
  target: string,
  counted: CallSeen[],
  { requests, decisions }: { requests: RequestSeen[]; decisions: number },
): Violation[] {
  if (counted.length > decisions) {
    const what = `${counted.length} calls at the service for ${target}, and ${decisions} decisions`;
    return [{ type: 'doubled', promise: 1, what }];
  }
  return overlapping(target, counted, requests);
}

/** The slot: a second request for a target is created only after the call of the first. */
function overlapping(target: string, counted: CallSeen[], requests: RequestSeen[]): Violation[] {
  const cards = requests.flatMap(({ posts }) => posts.filter(({ step }) => step === 'card').slice(0, 1));
  const [, second] = cards.map(({ at }) => at).sort((a, b) => a - b);
  const first = counted[0]?.at;
  if (second === undefined || first === undefined || first < second) return [];
  return [{ type: 'wrong', promise: 5, what: `two open requests for ${target} at a time` }];
}

/** Both times are of one clock, the sandbox's: of a call in milliseconds, of a post in microseconds. */
function cardAfterCall(target: string, all: CallSeen[], requests: RequestSeen[]): Violation[] {
  const cards = requests.flatMap(({ posts }) => posts.filter(({ step }) => step === 'card'));
  const first = Math.min(...cards.map(({ at }) => at));
  const tooEarly = all.filter(({ at }) => at + 1 < first);
  if (tooEarly.length === 0) return [];
  return [{ type: 'wrong', promise: 8, what: `called for ${target} before its card was posted` }];
}
