/** Reads facts from the fields of a stored request, without any rule of src. */
import type { Delivery } from '../../../src/outbox/delivery.ts';
import type { RequestRecord, Step } from '../../../src/requests/model/record.ts';
import { MISTAKES } from './requests.ts';

export type Message = RequestRecord['messages'][number];

export const cardIn = ({ messages }: RequestRecord): Message | undefined =>
  messages.find(({ type }) => type === 'card');

/** The message that approvers react to. */
export const votedOnIn = (record: RequestRecord): Message | undefined =>
  record.messages.find(({ type }) => type === 'approval') ?? cardIn(record);

export const replyIn = ({ messages }: RequestRecord, n: number): Message | undefined =>
  messages.find((message) => message.type === 'reply' && message.step === n);

/** Whether a message still has to be posted, searched for, or tidied. */
export const isOwing = ({ status, tidies = [] }: Delivery): boolean =>
  status === 'owed' || status === 'doubtful' || tidies.length > 0;

export const lastStep = ({ steps }: RequestRecord): Step => steps.at(-1) as Step;

/** The part of a request that a click names as seen: its last call, its round of approval, its state. */
export const seenIn = ({ call, approval, state }: RequestRecord) => ({
  call: call.attempts,
  round: approval?.round ?? 0,
  state,
});

/** The calls of a request, of which the service may have received some. */
const callsOf = ({ steps }: RequestRecord): Step[] => steps.filter(({ state }) => state === 'calling');

/** Whether nobody knows for certain that the service did not accept this call. */
const mayBeAccepted = ({ callResult }: Step): boolean =>
  callResult !== 'refused' && callResult !== 'not_received';

/** Whether the outcome is open because the interface does not list the service's newest status. */
export const saysUnlisted = (record: RequestRecord): boolean =>
  record.word !== undefined && isWordOfService(lastStep(record));

export const isWordOfService = ({ cause }: Step): boolean =>
  cause.type === 'event' || (cause.type === 'answer' && cause.answer.type === 'said');

const isAnnounced = ({ cause }: Step): boolean => cause.type === 'event' || cause.type === 'reconsidered';

/**
 * Whether an event that waited for the answer of a step overtook it in the same write: then only the event is told, unless the
 * answer tells of a review. undefined: nobody can tell, because the event's step absorbed a later one, and has its time.
 */
export function isOvertaken({ steps }: RequestRecord, { n, at, state, cause }: Step): boolean | undefined {
  const next = steps[n];
  if (!next || cause.type !== 'answer' || state === 'under_review' || !isAnnounced(next)) return false;
  return next.at === at || (next.flips === undefined ? false : undefined);
}

/** Whether a step is a refusal for a mistake of the requester alone: nobody approved the request, and it is no repetition. */
export function isOwnMistake({ steps, repeats }: RequestRecord, { n, state, cause }: Step): boolean {
  if (repeats || state !== 'failed' || cause.type !== 'answer' || cause.answer.type !== 'refused')
    return false;
  const isApproved = steps.some(
    (step) => step.n < n && step.cause.type === 'decision' && step.cause.choice === 'yes',
  );
  return MISTAKES.has(cause.answer.code ?? '') && !isApproved;
}

/** Whether a request says of itself that the service has accepted none of its calls. */
export const saysUnsent = (record: RequestRecord): boolean =>
  !record.steps.some(isWordOfService) && !callsOf(record).some(mayBeAccepted);

/**
 * The last call that may have been received, if nobody knows whether it was. What happened before it says nothing about it,
 * unless the order is cancelled.
 */
export function callInDoubt(record: RequestRecord): Step | undefined {
  // If a failover undid the claim of a call, its step is added when the answer comes, perhaps behind that of a later call.
  const [last] = callsOf(record)
    .filter(mayBeAccepted)
    .toSorted((a, b) => b.at - a.at || b.n - a.n);
  return last && last.callResult !== 'answered' ? last : undefined;
}
