/**
 * Use case: a person resolves a request whose outcome the service has not told, or which it refused: Retry, Withdraw,
 * "Record the outcome".
 */

import { canSucceedAgain, refusalAt } from '../model/facts/refusal.ts';
import { KINDS } from '../model/kinds.ts';
import { currentStep, type RequestRecord, slotOf } from '../model/record.ts';
import { type ManualAction, STATES } from '../model/states.ts';
import { transition } from '../model/transition.ts';
import type { Directory, Person, Workspaces } from '../ports/ports.ts';
import type { RecordRef } from '../ports/record-store.ts';
import type { ChangeDeps } from '../store/change-record.ts';
import { entryOf } from '../store/entry.ts';
import { isApprover } from './approvals/approvers.ts';
import { isResending, resent } from './approvals/resend.ts';
import { mayAdminister, type PersonProblem, personProblem } from './rules.ts';

export type ResolveManuallyDeps = ChangeDeps & { directory: Directory; workspaces: Workspaces };

/** `step`: the number of the step that the person saw. The decision applies to that step and to no later one. */
export type ManualResolution = RecordRef & { by: string; step: number };

export type ManualResult =
  | { type: 'done'; record: RequestRecord }
  | { type: 'not_found' }
  | {
      type: 'not_allowed';
      problem: PersonProblem | 'not_theirs' | 'not_the_requester' | 'not_by_policy' | 'not_while_reviewed';
    }
  /** The request has moved on, so the action is no longer possible. */
  | { type: 'too_late'; record: RequestRecord }
  | { type: 'slot_taken'; by: RequestRecord };

/** The actions that a request allows in its state. */
export function possibleActions(record: RequestRecord): readonly ManualAction[] {
  const actions: readonly (ManualAction | 'record')[] = STATES[record.state].actions;
  return actions
    .flatMap((action) => (action === 'record' ? KINDS[record.kind].outcomes : [action]))
    .filter((action) => makesSense(record, action));
}

function makesSense(record: RequestRecord, action: ManualAction): boolean {
  // A queued call that does not wait begins before anybody can press a button.
  if (action === 'withdraw') return STATES[record.state].votes || record.call.waiting !== undefined;
  return action !== 'retry' || canBeRetried(record);
}

/**
 * Whether a retry can succeed: after a refusal only if the same call can, after a call that was not received always.
 */
function canBeRetried(record: RequestRecord): boolean {
  const refusal = refusalAt(record, currentStep(record).n);
  return refusal === undefined || canSucceedAgain(refusal);
}

type NotFound = Extract<ManualResult, { type: 'not_found' | 'not_allowed' }>;

/**
 * Returns the request if this person may resolve it: approvers, admins and, unless it is under review, the requester.
 */
export async function findForResolution(
  { store, directory }: Pick<ResolveManuallyDeps, 'store' | 'directory'>,
  { workspace, id, by }: Omit<ManualResolution, 'step'>,
): Promise<{ type: 'found'; record: RequestRecord; isAdmin: boolean } | NotFound> {
  const [found, person] = await Promise.all([store.get({ workspace, id }), directory.person(workspace, by)]);
  if (!found) return { type: 'not_found' };
  const problem = personProblem(person) ?? (await notTheirs(directory, found.record, person));
  if (problem) return { type: 'not_allowed', problem };
  return { type: 'found', record: found.record, isAdmin: mayAdminister(person) };
}

async function notTheirs(
  directory: Directory,
  { workspace, requester, approval, state }: RequestRecord,
  person: Person | undefined,
): Promise<'not_theirs' | 'not_while_reviewed' | undefined> {
  if (!person || person.isAdmin) return undefined;
  const isOne = approval && (await isApprover(directory, workspace, approval.policy, person.id));
  if (isOne) return undefined;
  if (person.id !== requester) return 'not_theirs';
  return state === 'under_review' ? 'not_while_reviewed' : undefined;
}

export async function resolveManually(
  deps: ResolveManuallyDeps,
  who: ManualResolution,
  action: ManualAction,
): Promise<ManualResult> {
  for (;;) {
    const found = await findForResolution(deps, who);
    if (found.type !== 'found') return found;
    const barred = action === 'withdraw' ? mayNotWithdraw(found.record, who.by, found.isAdmin) : undefined;
    if (barred) return { type: 'not_allowed', problem: barred };
    const result = await tryToMove(deps, found.record, who, action);
    if (result) return result;
  }
}

/**
 * Why a person may not withdraw a request. Admins may withdraw any open one; the requester may, unless the policy
 * forbids it.
 */
function mayNotWithdraw(
  { requester, approval }: RequestRecord,
  by: string,
  isAdmin: boolean,
): 'not_the_requester' | 'not_by_policy' | undefined {
  if (isAdmin) return undefined;
  if (requester !== by) return 'not_the_requester';
  return approval?.policy.mayWithdraw === false ? 'not_by_policy' : undefined;
}

/** Tries the action once; undefined after a conflict, so that it is tried again with the newer record. */
async function tryToMove(
  deps: ResolveManuallyDeps,
  record: RequestRecord,
  { by, step }: ManualResolution,
  action: ManualAction,
): Promise<ManualResult | undefined> {
  const isOpen = possibleActions(record).includes(action) && currentStep(record).n === step;
  const moved = isOpen ? await movedBy(deps, record, by, action) : undefined;
  if (!moved) return { type: 'too_late', record };
  const entry = entryOf(moved, deps.timings);
  const written = await deps.replicated(() => deps.store.update(entry, record.version));
  if (written === 'updated') {
    deps.wake(moved);
    return { type: 'done', record: moved };
  }
  const holder = written === 'slot_taken' ? await holderOf(deps, moved) : undefined;
  return holder && { type: 'slot_taken', by: holder };
}

async function movedBy(
  deps: ResolveManuallyDeps,
  record: RequestRecord,
  by: string,
  action: ManualAction,
): Promise<RequestRecord | undefined> {
  const now = await deps.store.now();
  if (isResending(action)) return resent(deps, record, { by, action, now });
  return transition(record, { type: 'person', by, action }, now);
}

/**
 * Finds the request that holds the slot, which a resend must take again; undefined if it has released the slot
 * meanwhile.
 */
async function holderOf(
  { store }: ResolveManuallyDeps,
  record: RequestRecord,
): Promise<RequestRecord | undefined> {
  const slot = slotOf(record) ?? '';
  const { records: others } = await store.listBySubject(record.workspace, slot, 20);
  return others.find((other) => other.id !== record.id && slotOf(other) === slot);
}
