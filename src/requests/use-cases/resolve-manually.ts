/**
 * Use case: a person acts on a request other than by voting: withdraws it, retries a refused one or, by "Record the outcome",
 * records or corrects its outcome, sends it again or closes it.
 */
import type { Condition, RecordRef } from '../../outbox/record-store.ts';
import { withLateAction } from '../model/acts.ts';
import { TERMINAL } from '../model/audit-entry.ts';
import { limitOf } from '../model/recent.ts';
import { currentStep, type LateAction, type RequestRecord, type Seen } from '../model/record.ts';
import { requestId } from '../model/request-id.ts';
import type { InForce, Pause, Settings } from '../model/settings.ts';
import type { ManualAction } from '../model/states.ts';
import { transition } from '../model/transition.ts';
import type { Directory, Workspaces } from '../ports/ports.ts';
import { type ChangeDeps, replaceRequest, underSettings, whileInForce } from '../store/writes.ts';
import { resent } from './approvals/approval-needed.ts';
import { isAboutOutcome, isResending, possibleActions, type ResendingAction } from './possible-actions.ts';
import { type OverLimit, uncount, type WithinLimitDeps, withinLimit } from './requester.ts';
import { type Acknowledged, holderOf, newerCalled, type Warning, warningBefore } from './same-target.ts';
import {
  type Actor,
  type FoundWithRoles,
  findWithRoles,
  mayDo,
  outsideOfGroup,
  type Role,
  type RoleAction,
  rolesFor,
} from './who-may.ts';

type ResolveManuallyDeps = ChangeDeps & WithinLimitDeps & { directory: Directory; workspaces: Workspaces };

/**
 * `by`: a person, or `TERMINAL`. `seen`: what they saw when they chose. `click`: identifies the click or the form, which
 * acts once. `moment`: of the click, microseconds by Slack's clock; undefined: not known.
 */
type ManualResolution = RecordRef &
  Acknowledged & {
    by: string;
    seen: Seen;
    click: string;
    moment?: number | undefined;
  };

/** `record`: the request, for people who may learn which one it is. */
export type ManualResult = Outcome & { record?: RequestRecord };

type Outcome =
  | { type: 'done'; record: RequestRecord }
  | Exclude<FoundWithRoles, { type: 'found' }>
  /** `may`: the roles that may do this with the request. */
  | { type: 'not_theirs'; record: RequestRecord; action: RoleAction; may: readonly Role[] }
  /** The request has moved on, so the action is no longer possible. `late`: the entry in its history. */
  | { type: 'too_late'; record: RequestRecord; late: LateAction }
  | { type: 'slot_taken'; by: RequestRecord; action: ManualAction }
  /** A newer request for the same target was sent, so this one must not be. */
  | { type: 'newer_request'; by: RequestRecord }
  /** Another request has done what would be sent again, or may have done it, and the person may not know (`Retry`). */
  | { type: Warning['type']; by: RequestRecord }
  /** Too few approvers besides the requester and this person. */
  | { type: 'too_few_approvers' }
  /** An admin has paused sending, so nothing is sent again. */
  | { type: 'paused'; pause: Pause; action: ManualAction }
  /** This person has sent as many requests within an hour as they may. */
  | OverLimit
  /** Admins saved settings again and again while it was decided under which policy the request is sent again. */
  | { type: 'settings_changed' };

export type Warned = Extract<ManualResult, { type: Warning['type'] }>;

/** Whether nothing was sent because another request has done it, or may have done it, and the person may not know. */
export const isWarning = (result: ManualResult): result is Warned =>
  result.type === 'done_before' || result.type === 'maybe_done_before';

/**
 * Applies an action of a person to a request.
 *
 * @returns once everything that the answer relies on is replicated, also what another click has written
 * @throws if the storage or Slack is unavailable: a repeated click acts once
 */
export const resolveManually = (
  deps: ResolveManuallyDeps,
  who: ManualResolution,
  action: ManualAction,
): Promise<ManualResult> => deps.replicated(() => resolveInForce(deps, who, action));

async function resolveInForce(
  deps: ResolveManuallyDeps,
  who: ManualResolution,
  action: ManualAction,
): Promise<ManualResult> {
  const resolved = isResending(action)
    ? await underSettings(deps.workspaces, who.workspace, (inForce) =>
        resolve(deps, { ...who, action, inForce }),
      )
    : await resolve(deps, { ...who, action });
  if (resolved) return resolved;
  const found = await deps.store.get(who);
  return { type: 'settings_changed', ...(found && { record: found.record }) };
}

/** `inForce`: the settings under which the request is sent again. `repeats`: what the person knows of another request. */
type Act = ManualResolution &
  Pick<RequestRecord, 'repeats'> &
  (
    | { action: ResendingAction; inForce: InForce }
    | { action: Exclude<ManualAction, ResendingAction>; inForce?: undefined }
  );

/** @returns undefined if the settings have changed meanwhile */
async function resolve(deps: ResolveManuallyDeps, act: Act): Promise<ManualResult | undefined> {
  const { action, inForce } = act;
  for (;;) {
    const found = await findWithRoles(deps, act);
    if (found.type !== 'found') return found;
    const { record } = found;
    // An earlier try may be counted still: that could not be taken back while the record was being changed.
    if (inForce && !record.clicks.includes(act.click)) await uncount(deps, makingOf(record, act));
    if (isDone(record, act)) return { type: 'done', record };
    const refusal =
      action === 'retry'
        ? await refusalToRetry(deps, act, inForce.settings)
        : refusalToAct(found, act, action);
    const result = refusal ?? (await objection(deps, record, act)) ?? (await warnOrAct(deps, record, act));
    if (result !== 'conflict') return result && { record, ...result };
  }
}

/** Whether this click has acted already, or another click of the same person has done the same: nothing is left to do. */
const isDone = (record: RequestRecord, act: Act): boolean =>
  isLastAct(record, act) || record.clicks.includes(act.click);

/** Whether the last step of a request is this act of this person. */
export function isLastAct(
  record: RequestRecord,
  { by, action }: { by: string; action: ManualAction },
): boolean {
  const { cause } = currentStep(record);
  return (
    (cause.type === 'person' && cause.by === by && cause.action === action) ||
    (cause.type === 'approval_requested_again' && cause.by === by && isResending(action))
  );
}

type Refusal = Extract<ManualResult, { type: 'not_allowed' | 'not_theirs' }>;

/**
 * Checks whether a full member may retry a request: that needs the same right as making one, and no other. The operator is
 * in no user group, but stands for the admins, who choose the group.
 */
async function refusalToRetry(
  { directory }: ResolveManuallyDeps,
  { workspace, by }: Act,
  settings: Settings,
): Promise<Refusal | undefined> {
  if (by === TERMINAL) return undefined;
  return outsideOfGroup(directory, { workspace, requester: by, settings });
}

/**
 * Checks whether a person may do this with the request. A person who could have done it in the state that they saw is told
 * that they came too late, and not that they may not.
 */
function refusalToAct(actor: Actor, { seen }: Act, action: RoleAction): Refusal | undefined {
  const { record } = actor;
  const might = isLate(record, seen, action) && mayDo(actor, action, seen.state);
  if (might || mayDo(actor, action)) return undefined;
  return { type: 'not_theirs', record, action, may: rolesFor(record, action) };
}

/** Finds what prevents the action, as the request is now; undefined: nothing does. */
async function objection(
  deps: ResolveManuallyDeps,
  record: RequestRecord,
  act: Act,
): Promise<ManualResult | 'conflict' | undefined> {
  const { seen, action, inForce } = act;
  if (isLate(record, seen, action)) return tooLate(deps, record, act);
  const pause = inForce?.settings.paused;
  if (pause) return { type: 'paused', pause, action };
  const newer = action === 'never_received' ? await newerCalled(deps, record) : undefined;
  return newer && { type: 'newer_request', by: newer };
}

const isLate = (record: RequestRecord, seen: Seen, action: ManualAction): boolean =>
  !possibleActions(record).includes(action) || isSuperseded(record, seen, action);

/**
 * Whether a newer call, or a newer outcome, has made a choice too late. A choice that is about neither applies in any step
 * of the request.
 */
function isSuperseded({ call, state }: RequestRecord, seen: Seen, action: ManualAction): boolean {
  if (action === 'retry') return seen.call !== call.attempts;
  return isAboutOutcome(action) && (seen.call !== call.attempts || seen.state !== state);
}

/** Notes in the history of the request that the action came too late. */
async function tooLate(
  deps: ResolveManuallyDeps,
  record: RequestRecord,
  { by, action }: Act,
): Promise<ManualResult | 'conflict'> {
  const late: LateAction = { at: await deps.store.now(), by, action, state: record.state };
  const noted = withLateAction(record, late);
  if (noted === record) return { type: 'too_late', record, late };
  const written = await replaceRequest(deps, record, noted);
  return written.type === 'updated' ? { type: 'too_late', record: noted, late } : 'conflict';
}

/** Acts, but warns a person who retries what another request has done or may have done, as the form of a new request does. */
async function warnOrAct(
  deps: ResolveManuallyDeps,
  record: RequestRecord,
  act: Act,
): Promise<ManualResult | 'conflict' | undefined> {
  if (act.action !== 'retry') return actWithinLimit(deps, record, act);
  const { warning, repeats } = await warningBefore(deps, record, act);
  if (warning) return { type: warning.type, by: warning.earlier };
  return actWithinLimit(deps, record, { ...act, ...(repeats && { repeats: { ...repeats, again: true } }) });
}

/** Acts, if the person's limit allows it: sending a request again counts like making one. */
function actWithinLimit(
  deps: ResolveManuallyDeps,
  record: RequestRecord,
  act: Act,
): Promise<ManualResult | 'conflict' | undefined> {
  const limit = act.inForce && limitOf(act.inForce.settings);
  const making = { ...makingOf(record, act), limit };
  return withinLimit<ManualResult | 'conflict'>(deps, making, async (conditions) => {
    const tried = await tryToAct(deps, record, act, conditions);
    if (tried === 'unmet') return { type: tried };
    const isActed = tried !== 'conflict' && tried.type === 'done';
    return { type: isActed ? 'written' : 'refused', result: tried };
  });
}

/** How a click is counted, as long as the request is as it was read. */
function makingOf({ version }: RequestRecord, { workspace, id, by, click }: Act) {
  const provided: Condition = { type: 'requests', id, version };
  return { workspace, person: by, key: requestId(workspace, `${id} ${click}`), provided };
}

/** The number of clicks that are remembered: more than people make while Slack redelivers one. */
const CLICKS_KEPT = 20;

/**
 * Tries the action once, and wakes the outbox. After a conflict it is to be tried again with the newer record.
 *
 * @param conditions of the write, beside the one on the settings
 */
async function tryToAct(
  deps: ResolveManuallyDeps,
  record: RequestRecord,
  act: Act,
  conditions: readonly Condition[],
): Promise<ManualResult | 'conflict' | 'unmet'> {
  const { by, action, moment, click, inForce, repeats } = act;
  const now = await deps.store.now();
  const moved = inForce
    ? await resent(deps, record, { by, action, now, moment, settings: inForce.settings })
    : transition(record, { type: 'person', by, action }, now);
  if (moved === 'too_few_approvers') return { type: 'too_few_approvers' };
  if (!moved) return tooLate(deps, record, act);
  const clicks = [...record.clicks, click].slice(-CLICKS_KEPT);
  // Another request that was known at an earlier Retry may have been corrected since. A resend after "not received" belongs to
  // that Retry.
  const former = action === 'retry' && record.repeats?.again ? undefined : record.repeats;
  const next = { ...moved, clicks, repeats: repeats ?? former };
  const all = inForce ? [whileInForce(inForce), ...conditions] : conditions;
  const written = await replaceRequest(deps, record, next, all);
  if (written.type === 'updated') {
    deps.wake(next);
    return { type: 'done', record: next };
  }
  if (written.type !== 'slot_taken') return written.type;
  const holder = await holderOf(deps.store, next);
  return holder ? { type: 'slot_taken', by: holder, action } : 'conflict';
}
