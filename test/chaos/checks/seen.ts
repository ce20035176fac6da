/** Everything that was seen in a run, for the checks. */
import {
  type CallSeen,
  callsSeen,
  type Names,
  type RequestSeen,
  requestsSeen,
} from '../observed/requests.ts';
import type { Witness } from '../observed/witness.ts';
import type { UnansweredCommand } from '../people/submit-request.ts';
import type { Played } from '../play.ts';
import type { ChaosHarness } from '../processes/harness.ts';

/** `promise`: its number in docs/reliability.md. */
export type Violation = { type: 'lost' | 'doubled' | 'wrong'; promise: number; what: string };

export type Seen = {
  harness: ChaosHarness;
  played: readonly Played[];
  names: Names;
  requests: readonly RequestSeen[];
  /** By target. */
  requestsOf: ReadonlyMap<string, RequestSeen[]>;
  calls: ReadonlyMap<string, CallSeen[]>;
  witness: Witness;
  unanswered: readonly UnansweredCommand[];
};

export function see(
  harness: ChaosHarness,
  more: { played: readonly Played[]; witness: Witness; unanswered: readonly UnansweredCommand[] },
): Seen {
  const names = new Map([...harness.slack.world.users.values()].map(({ real_name, id }) => [real_name, id]));
  const requests = requestsSeen(more.witness, names);
  const requestsOf = Map.groupBy(requests, ({ target }) => target);
  return { harness, ...more, names, requests, requestsOf, calls: callsSeen(harness) };
}
