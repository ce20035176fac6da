/** Use case: a person decides where the service has not told, or has refused: Retry, Withdraw, "Record the outcome". */

import type { PersonAct } from '../model/cause.ts';
import { canSucceedAgain, refusalAt } from '../model/facts/refusal.ts';
import { KINDS } from '../model/kinds.ts';
import type { Timings } from '../model/pending-effects.ts';
import { currentStep, type RequestRecord, slotOf } from '../model/record.ts';
import { transition } from '../model/transition.ts';
import type { Directory, Person, RequestStore, Trigger, Workspaces } from '../ports/ports.ts';
import type { RecordRef } from '../ports/record-store.ts';
import { entryOf } from '../store/entry.ts';
import { isApprover } from './approvals/approvers.ts';
import { isResending, resent } from './approvals/resend.ts';
import { mayAdminister, type PersonProblem, personProblem } from './rules.ts';

export type InterveneDeps = {
  store: RequestStore;
  directory: Directory;
  workspaces: Workspaces;
  trigger: Trigger;
  timings: Timings;
};

/** `step`: the number of the step that the person saw: what they decide is about that one, and no later one. */
export type Intervening = RecordRef & { by: string; step: number };

export type Intervened =
  | { type: 'done'; record: RequestRecord }
  | { type: 'not_found' }
  | {
      type: 'not_allowed';
      problem: PersonProblem | 'not_theirs' | 'not_the_asker' | 'not_by_policy' | 'not_while_reviewed';
    }
  /** It has moved on: what was asked for is not possible any more. */
  | { type: 'too_late'; record: RequestRecord }
  | { type: 'slot_taken'; by: RequestRecord };

/** What a person may do with a request as it stands (design, the table of states). */
export function possibleActs(record: RequestRecord): readonly PersonAct[] {
  const { kind, state, call } = record;
  const { outcomes } = KINDS[kind];
  switch (state) {
    case 'awaiting_approval':
      return ['withdraw'];
    case 'queued':
      // Else it is called before anybody can press a button.
      return call.waiting ? ['withdraw'] : [];
    case 'failed':
      return canBeRetried(record) ? ['retry'] : [];
    case 'under_review':
      return [...outcomes, 'release'];
    case 'unknown':
      return [...outcomes, 'not_received', 'release'];
    default:
      return [];
  }
}

/** A refused request can be sent again only if the same call can succeed; one that was not received always can. */
function canBeRetried(record: RequestRecord): boolean {
  const refusal = refusalAt(record, currentStep(record).n);
  return refusal === undefined || canSucceedAgain(refusal);
}

type NotFound = Extract<Intervened, { type: 'not_found' | 'not_allowed' }>;

/**
 * The request, if this person may decide about it: its approvers, admins and, unless the service reviews it, the one who
 * asked.
 */
export async function findForIntervention(
  { store, directory }: Pick<InterveneDeps, 'store' | 'directory'>,
  { workspace, id, by }: Omit<Intervening, 'step'>,
): Promise<{ type: 'found'; record: RequestRecord; isAdmin: boolean } | NotFound> {
  const [found, person] = await Promise.all([store.get({ workspace, id }), directory.person(workspace, by)]);
  if (!found) return { type: 'not_found' };
  const problem = personProblem(person) ?? (await notTheirs(directory, found.record, person));
  if (problem) return { type: 'not_allowed', problem };
  return { type: 'found', record: found.record, isAdmin: mayAdminister(person) };
}

async function notTheirs(
  directory: Directory,
  { workspace, asker, approval, state }: RequestRecord,
  person: Person | undefined,
): Promise<'not_theirs' | 'not_while_reviewed' | undefined> {
  if (!person || person.isAdmin) return undefined;
  const isOne = approval && (await isApprover(directory, workspace, approval.policy, person.id));
  if (isOne) return undefined;
  if (person.id !== asker) return 'not_theirs';
  return state === 'under_review' ? 'not_while_reviewed' : undefined;
}

export async function intervene(deps: InterveneDeps, who: Intervening, act: PersonAct): Promise<Intervened> {
  for (;;) {
    const found = await findForIntervention(deps, who);
    if (found.type !== 'found') return found;
    const barred = act === 'withdraw' ? mayNotWithdraw(found.record, who.by, found.isAdmin) : undefined;
    if (barred) return { type: 'not_allowed', problem: barred };
    const intervened = await tryToMove(deps, found.record, who, act);
    if (intervened) return intervened;
  }
}

/** Admins may withdraw any open request; whoever made it may, unless the policy says otherwise. */
function mayNotWithdraw(
  { asker, approval }: RequestRecord,
  by: string,
  isAdmin: boolean,
): 'not_the_asker' | 'not_by_policy' | undefined {
  if (isAdmin) return undefined;
  if (asker !== by) return 'not_the_asker';
  return approval?.policy.mayWithdraw === false ? 'not_by_policy' : undefined;
}

/** Undefined: somebody else was faster, and it must be tried with the newer record. */
async function tryToMove(
  deps: InterveneDeps,
  record: RequestRecord,
  { by, step }: Intervening,
  act: PersonAct,
): Promise<Intervened | undefined> {
  const isOpen = possibleActs(record).includes(act) && currentStep(record).n === step;
  const moved = isOpen ? await movedBy(deps, record, by, act) : undefined;
  if (!moved) return { type: 'too_late', record };
  const written = await deps.store.update(entryOf(moved, deps.timings), record.version);
  if (written === 'updated') {
    deps.trigger(moved);
    return { type: 'done', record: moved };
  }
  const holder = written === 'slot_taken' ? await holderOf(deps, moved) : undefined;
  return holder && { type: 'slot_taken', by: holder };
}

async function movedBy(
  deps: InterveneDeps,
  record: RequestRecord,
  by: string,
  act: PersonAct,
): Promise<RequestRecord | undefined> {
  const now = await deps.store.now();
  if (isResending(act)) return resent(deps, record, { by, act, now });
  return transition(record, { type: 'person', by, act }, now);
}

/** Sending again must take the slot again. Undefined: who held it has let go of it meanwhile. */
async function holderOf({ store }: InterveneDeps, record: RequestRecord): Promise<RequestRecord | undefined> {
  const slot = slotOf(record) ?? '';
  const others = await store.listBySubject(record.workspace, slot, 20);
  return others.find((other) => other.id !== record.id && slotOf(other) === slot);
}
