/**
 * Derives from the steps of a request whether the order service may have received it, its status, and whose recorded outcome was
 * corrected later, by the service or by a person.
 */
import { isAccepted, isAnnounced } from './cause.ts';
import { currentStep, type RequestRecord, type Step } from './record.ts';
import { refusalAt, wasNotAsked } from './refusal.ts';
import { isRecording, type RequestStatus, STATES } from './states.ts';

/**
 * Finds what is known of the receipt of a request.
 *
 * @param before the number of a step: only what was before it counts, for a sentence about that step
 * @returns `none`: no call has reached the service. `refused`: the service read and refused each call that reached it.
 *   `possible`: a call may have been received, and its result is unknown. `certain`: the service has confirmed the request
 */
export function receiptOf({ steps }: RequestRecord, before: number = Number.POSITIVE_INFINITY) {
  const earlier = steps.filter(({ n }) => n < before);
  const isConfirmed = ({ callResult }: Step) => callResult === 'answered' || callResult === 'accepted';
  if (earlier.some((step) => isWordOfService(step) || isConfirmed(step))) return 'certain';
  if (earlier.some(isPossiblyReceivedCall)) return 'possible';
  return earlier.some(({ callResult }) => callResult === 'refused') ? 'refused' : 'none';
}

/** Whether a call may have been received. @param before the number of a step: only calls begun before it count */
export function mayHaveReceived(record: RequestRecord, before?: number): boolean {
  const receipt = receiptOf(record, before);
  return receipt === 'possible' || receipt === 'certain';
}

export const isCall = ({ state }: Step): boolean => state === 'calling';

/** Whether a step is a call that may have been received: also one whose result is not certain. */
export const isPossiblyReceivedCall = (step: Step): boolean =>
  isCall(step) && step.callResult !== 'not_received' && step.callResult !== 'refused';

/**
 * Whether a step comes from the service's word. An event is given to a request only if it is about one of its calls
 * (events-and-calls.ts), and a cancellation by another one (`canceled_elsewhere`) does not count.
 */
export const isWordOfService = ({ cause }: Step): boolean =>
  isAnnounced(cause) || (cause.type === 'answer' && cause.answer.type === 'said');

/** Whether the service's decision is uncertain again: its newest event has a status that the interface does not list. */
export function isReopened(record: RequestRecord): boolean {
  const isDecided = STATES[record.state].outcome !== undefined;
  return isDecided && record.word !== undefined && isWordOfService(currentStep(record));
}

export function summarize(record: RequestRecord): RequestStatus {
  const { state, word } = record;
  // In both cases, the newest word of the service is one that the interface does not list.
  if (isReopened(record) || (state === 'under_review' && word !== undefined))
    return { state, how: 'accepted' };
  return summarizeAt(record, currentStep(record));
}

/** The status of a request at the start of a step. */
export function summarizeAt(record: RequestRecord, step: Step): RequestStatus {
  const { state, cause } = step;
  if (isRecorded(step) && cause.type === 'person') return { state, recordedBy: cause.by };
  if (state === 'under_review' && isAccepted(cause)) return { state, how: 'accepted' };
  if (state !== 'failed') return { state };
  if (cause.type === 'person') return { state, how: 'not_received', recordedBy: cause.by };
  const refusal = refusalAt(record, step.n);
  if (!refusal) return { state, how: 'not_received' };
  return wasNotAsked(refusal) ? { state, how: 'not_asked' } : { state };
}

/** Finds the person whose recorded outcome is corrected by a step; undefined if there is none. */
export function personCorrectedBy({ steps }: RequestRecord, step: Step): string | undefined {
  const earlier = steps.filter(({ n }) => n < step.n);
  const corrected =
    step.cause.type === 'person' ? correctedByPerson(step, earlier) : correctedByService(step, earlier);
  return corrected && personOf(corrected);
}

/** Finds what a person corrects: the step right before theirs. An outcome does not contradict that it was under review before. */
function correctedByPerson({ cause }: Step, earlier: readonly Step[]): Step | undefined {
  const last = earlier.at(-1);
  if (!last || !isRecorded(last) || cause.type !== 'person') return undefined;
  return cause.action === 'never_received' || isRecordedOutcome(last) ? last : undefined;
}

/** Finds the last thing that a person recorded, if the service has said nothing since and a step now contradicts it. */
function correctedByService(step: Step, earlier: readonly Step[]): Step | undefined {
  if (!isWordOfService(step)) return undefined;
  // A word that is taken back says nothing about the outcome, unless the service reviews a later call.
  if (step.cause.type === 'reconsidered' && !step.cause.isReviewed) return undefined;
  const at = earlier.findLastIndex((each, i) => isRecorded(each) || saysNotReceived(each, earlier[i - 1]));
  const recorded = earlier[at];
  const since = earlier.slice(at + 1);
  if (!recorded || since.some(isWordOfService)) return undefined;
  const isContradicted = isRecorded(recorded)
    ? contradicts(recorded, step)
    : isOfEarlierCall(step, earlier, since);
  return isContradicted ? recorded : undefined;
}

const personOf = ({ cause }: Step): string | undefined =>
  cause.type === 'person' || cause.type === 'approval_requested_again' ? cause.by : undefined;

/** Whether the service's word contradicts the outcome that a person recorded. Nothing contradicts a recorded review. */
function contradicts(recorded: Step, said: Step): boolean {
  const { outcome } = STATES[recorded.state];
  return outcome !== undefined && outcome !== STATES[said.state].outcome;
}

/** Whether a person recorded what became of the request: its outcome, or that it is under review. */
export const isRecorded = ({ cause }: Step): boolean => cause.type === 'person' && isRecording(cause.action);

/** Whether a person recorded the outcome of the request. */
export const isRecordedOutcome = (step: Step): boolean =>
  isRecorded(step) && STATES[step.state].outcome !== undefined;

/**
 * Whether a person said that the service received nothing. If a resend needs approval again, only the state before it
 * tells.
 */
function saysNotReceived({ cause }: Step, before: Step | undefined): boolean {
  if (cause.type === 'person') return cause.action === 'not_received';
  return cause.type === 'approval_requested_again' && before?.state === 'unknown';
}

/** Whether the service's word is about a call from before a person said that none was received. */
function isOfEarlierCall({ cause }: Step, earlier: readonly Step[], since: readonly Step[]): boolean {
  if (cause.type !== 'answer') return !since.some(isPossiblyReceivedCall);
  const answered = earlier.filter(isCall)[cause.attempt - 1];
  return answered !== undefined && !since.includes(answered);
}
