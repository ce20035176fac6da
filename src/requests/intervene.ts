/** Use case: a person decides where the service has not told, or has refused: Retry, and "Record the outcome". */
import type { Timings } from './agenda.ts';
import type { PersonAct } from './cause.ts';
import { entryOf } from './entry.ts';
import { KINDS } from './kinds.ts';
import type { Directory, Person, RequestStore, Trigger } from './ports.ts';
import { type RequestRecord, slotOf } from './record.ts';
import type { RecordRef } from './record-store.ts';
import { type PersonProblem, personProblem } from './rules.ts';
import { transition } from './transition.ts';

export type InterveneDeps = { store: RequestStore; directory: Directory; trigger: Trigger; timings: Timings };

export type Intervening = RecordRef & { by: string };

export type Intervened =
  | { type: 'done'; record: RequestRecord }
  | { type: 'not_found' }
  | { type: 'not_allowed'; problem: PersonProblem | 'not_theirs' }
  /** It has moved on: what was asked for is not possible any more. */
  | { type: 'too_late'; record: RequestRecord }
  | { type: 'slot_taken'; by: RequestRecord };

/** What a person may do with a request as it stands (design, the table of states). */
export function possibleActs({ kind, state }: RequestRecord): readonly PersonAct[] {
  const { outcomes } = KINDS[kind];
  switch (state) {
    case 'failed':
      return ['retry'];
    case 'under_review':
      return [...outcomes, 'release'];
    case 'unknown':
      return [...outcomes, 'not_received', 'release'];
    default:
      return [];
  }
}

/** The request, if this person may decide about it: the one who asked, and admins. */
export async function findForIntervention(
  { store, directory }: Pick<InterveneDeps, 'store' | 'directory'>,
  { workspace, id, by }: Intervening,
): Promise<
  { type: 'found'; record: RequestRecord } | Extract<Intervened, { type: 'not_found' | 'not_allowed' }>
> {
  const [found, person] = await Promise.all([store.get({ workspace, id }), directory.person(workspace, by)]);
  if (!found) return { type: 'not_found' };
  const problem = personProblem(person) ?? notTheirs(found.record, person);
  return problem ? { type: 'not_allowed', problem } : { type: 'found', record: found.record };
}

function notTheirs({ asker }: RequestRecord, person: Person | undefined): 'not_theirs' | undefined {
  return person?.id === asker || person?.isAdmin ? undefined : 'not_theirs';
}

export async function intervene(deps: InterveneDeps, who: Intervening, act: PersonAct): Promise<Intervened> {
  for (;;) {
    const found = await findForIntervention(deps, who);
    if (found.type !== 'found') return found;
    const { record } = found;
    const now = await deps.store.now();
    const moved = possibleActs(record).includes(act)
      ? transition(record, { type: 'person', by: who.by, act }, now)
      : undefined;
    if (!moved) return { type: 'too_late', record };
    const written = await deps.store.update(entryOf(moved, deps.timings), record.version);
    if (written === 'slot_taken') return slotTaken(deps, moved);
    if (written === 'conflict') continue;
    deps.trigger(moved);
    return { type: 'done', record: moved };
  }
}

/** Sending again must take the slot again: there is one open request for a target, and this is not it. */
async function slotTaken({ store }: InterveneDeps, record: RequestRecord): Promise<Intervened> {
  const slot = slotOf(record) ?? '';
  const others = await store.listBySubject(record.workspace, slot, 20);
  const holder = others.find((other) => other.id !== record.id && slotOf(other) === slot);
  return holder ? { type: 'slot_taken', by: holder } : { type: 'too_late', record };
}
