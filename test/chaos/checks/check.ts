/** Holds what was seen against the promises of docs/reliability.md. */

import type { Silence } from '../people/ask.ts';
import type { Played } from '../play.ts';
import type { ChaosHarness } from '../processes/harness.ts';
import { checkAnswers } from './answers.ts';
import { checkApprovals } from './approvals.ts';
import { checkCalls } from './calls.ts';
import { checkOutcomes } from './outcomes.ts';
import { checkPlaces } from './places.ts';
import { checkPosts } from './posts.ts';
import { type CallSeen, callsSeen, type Names, type RequestSeen, requestsSeen } from './requests-seen.ts';
import type { Witness } from './witness.ts';

export type Violation = { type: 'lost' | 'doubled' | 'wrong'; promise: number; what: string };

/** All that a check needs. */
export type Seen = {
  harness: ChaosHarness;
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
  harness: ChaosHarness,
  more: { played: readonly Played[]; witness: Witness; silences: readonly Silence[] },
): Seen {
  const names = new Map([...harness.slack.world.users.values()].map(({ real_name, id }) => [real_name, id]));
  const requests = requestsSeen(more.witness, names);
  const requestsOf = Map.groupBy(requests, ({ target }) => target);
  return { harness, ...more, names, requests, requestsOf, calls: callsSeen(harness) };
}

const CHECKS = [checkCalls, checkApprovals, checkPosts, checkOutcomes, checkPlaces, checkAnswers];

export const check = (seen: Seen): Violation[] => CHECKS.flatMap((each) => each(seen));
