/** Holds what was seen against the invariants of the design. */

import type { Silence } from './ask.ts';
import { checkAnswers } from './check-answers.ts';
import { checkApprovals } from './check-approvals.ts';
import { checkCalls } from './check-calls.ts';
import { checkOutcomes } from './check-outcomes.ts';
import { checkPlaces } from './check-places.ts';
import { checkPosts } from './check-posts.ts';
import type { ChaosDesk } from './desk.ts';
import type { Played } from './play.ts';
import { type CallSeen, callsSeen, type Names, type RequestSeen, requestsSeen } from './requests-seen.ts';
import type { Witness } from './witness.ts';

export type Violation = { type: 'lost' | 'doubled' | 'wrong'; invariant: number; what: string };

/** All that a check needs. */
export type Seen = {
  desk: ChaosDesk;
  played: readonly Played[];
  names: Names;
  requests: readonly RequestSeen[];
  /** By target. */
  requestsOf: ReadonlyMap<string, RequestSeen[]>;
  calls: ReadonlyMap<string, CallSeen[]>;
  witness: Witness;
  silences: readonly Silence[];
};

export function see(
  desk: ChaosDesk,
  more: { played: readonly Played[]; witness: Witness; silences: readonly Silence[] },
): Seen {
  const names = new Map([...desk.slack.world.users.values()].map(({ real_name, id }) => [real_name, id]));
  const requests = requestsSeen(more.witness, names);
  const requestsOf = Map.groupBy(requests, ({ target }) => target);
  return { desk, ...more, names, requests, requestsOf, calls: callsSeen(desk) };
}

const CHECKS = [checkCalls, checkApprovals, checkPosts, checkOutcomes, checkPlaces, checkAnswers];

export const check = (seen: Seen): Violation[] => CHECKS.flatMap((each) => each(seen));
