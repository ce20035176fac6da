/** Use case: a person wants to request again what was not done. Their request is a new one, for which nothing of the old one counts. */

import type { RecordRef } from '../../outbox/record-store.ts';
import { withoutReasons } from '../model/facts/reasons.ts';
import type { RequestRecord } from '../model/record.ts';
import { type LookUpDeps, mayReadReason } from './look-up.ts';
import { offersAgain } from './possible-actions.ts';
import { type PersonProblem, personProblem } from './rules.ts';

export type ToRequestAgain =
  | { type: 'not_found' }
  | { type: 'not_allowed'; problem: PersonProblem }
  /** The request has moved on since the person saw it. */
  | { type: 'not_offered'; record: RequestRecord }
  /** Without its reason where the person may not read that. */
  | { type: 'offered'; record: RequestRecord };

/** Reads what the form of the new request is filled in with. @throws if the storage or Slack can't be read */
export async function toRequestAgain(
  deps: LookUpDeps,
  { workspace, id, by }: RecordRef & { by: string },
): Promise<ToRequestAgain> {
  const [found, person] = await Promise.all([
    deps.store.get({ workspace, id }),
    deps.directory.person(workspace, by),
  ]);
  if (!found) return { type: 'not_found' };
  const problem = personProblem(person);
  if (problem) return { type: 'not_allowed', problem };
  const { record } = found;
  if (!offersAgain(record)) return { type: 'not_offered', record };
  const mayRead = await mayReadReason(deps, record, person);
  return { type: 'offered', record: mayRead ? record : withoutReasons(record) };
}
