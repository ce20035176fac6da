/** Decides what can be done with a request in its state. Who may do it: who-may.ts. */
import { isPending } from '../../outbox/delivery.ts';
import { isOfForgotten } from '../model/audit-entry.ts';
import { isAccepted } from '../model/cause.ts';
import { type CustomerReply, KINDS } from '../model/kinds.ts';
import { currentStep, type LateAction, type RequestRecord } from '../model/record.ts';
import { cardOf } from '../model/record-messages.ts';
import { canSucceedAgain, refusalAt } from '../model/refusal.ts';
import { isRecording, type ManualAction, STATES } from '../model/states.ts';
import { isRecorded, isReopened, mayHaveReceived } from '../model/summary.ts';
import { transition } from '../model/transition.ts';

export function possibleActions(record: RequestRecord): readonly ManualAction[] {
  const actions: (typeof STATES)[keyof typeof STATES]['actions'] = STATES[record.state].actions;
  const all = actions.flatMap((action): readonly ManualAction[] => {
    if (action === 'record') return KINDS[record.kind].recordable;
    if (action !== 'correct') return [action];
    return isRecorded(currentStep(record)) ? [...KINDS[record.kind].recordable, 'never_received'] : [];
  });
  return [...new Set(all)].filter((action) => changes(record, action));
}

function changes(record: RequestRecord, action: ManualAction): boolean {
  const { state } = record;
  if (isResending(action) && isOfForgotten(record)) return false;
  if (action === 'retry') return canBeRetried(record);
  // A review that the service has confirmed needs no record.
  if (action === 'in_review' && state === 'under_review') return isAccepted(currentStep(record).cause);
  return isResending(action) || transition(record, { type: 'person', by: '', action }, 0) !== undefined;
}

/** Whether a retry can succeed: always after a call that was not received; after a refusal only if the same call can. */
function canBeRetried(record: RequestRecord): boolean {
  const refusal = refusalAt(record, currentStep(record).n);
  return refusal === undefined || canSucceedAgain(refusal);
}

export type ResendingAction = 'retry' | 'not_received';

/** Whether an action sends the request again. */
export const isResending = (action: LateAction['action']): action is ResendingAction =>
  action === 'retry' || action === 'not_received';

/** Whether a queued call is about to begin: it does not wait, no pause holds it back, and Slack has taken its card. */
export const isOnItsWay = (record: RequestRecord): boolean =>
  record.state === 'queued' &&
  record.call.waiting === undefined &&
  record.paused === undefined &&
  !isPending(cardOf(record).delivery);

/**
 * The actions that a card or a list offers. Withdrawing is left out if the call is on its way, because it begins before anybody
 * can press a button.
 */
export const offeredActions = (record: RequestRecord): readonly ManualAction[] =>
  possibleActions(record).filter((action) => action !== 'withdraw' || !isOnItsWay(record));

/** Whether a card offers to request the same again: a new request, for which nothing of this one counts. */
export const offersAgain = ({ state }: RequestRecord): boolean => STATES[state].again;

/**
 * Decides which text a customer can be told about a request, as if there were no other one. Admins can change the texts.
 *
 * @returns undefined if nothing is known that concerns the customer. A refusal by the order service is about the call: the
 *   token, the id, or an order that is cancelled already
 */
export function customerReplyTo(record: RequestRecord): CustomerReply | undefined {
  const { kind, state, repeats } = record;
  // An earlier request, or an earlier call of this one, may have cancelled the order.
  const isInDoubt = state === 'declined' && (repeats !== undefined || mayHaveReceived(record));
  return isInDoubt || isReopened(record) ? undefined : KINDS[kind].customerReplies[state];
}

/** The actions of the form "Record the outcome"; the others have buttons of their own. */
export type RecordableAction = Exclude<ManualAction, 'retry' | 'withdraw'>;

export function recordableActions(record: RequestRecord): RecordableAction[] {
  return possibleActions(record).filter((action) => action !== 'retry' && action !== 'withdraw');
}

/** Whether an action depends on the call, and on the outcome, that the person saw. */
export const isAboutOutcome = (action: ManualAction): boolean =>
  action === 'not_received' || action === 'never_received' || isRecording(action);
