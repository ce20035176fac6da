/** Sentences about calls to the order service: why one waits, what may have been received. */
import type { WaitingReason } from '../../../requests/model/cause.ts';
import type { RequestRecord } from '../../../requests/model/record.ts';
import { cardOf } from '../../../requests/model/record-messages.ts';
import { mayHaveReceived, receiptOf } from '../../../requests/model/summary.ts';
import { capital, KIND_COPY, targetOf } from './request-words.ts';

/** The reasons why a call waits: the beginning of a sentence or its end, without a full stop. */
const WAITING: Record<WaitingReason, string> = {
  unreachable: 'the order service could not be reached',
  disconnected: 'the connection to the order service was lost',
  rate_limited: 'the order service asked Countermand to slow down',
  failing: 'calls to the order service before this one have failed',
  not_connected: 'this workspace is not connected to the order service',
  token_refused: "the order service no longer accepts this workspace's token",
  connection_unreadable: 'Countermand could not read the connection of this workspace',
  interrupted: 'Countermand was interrupted before it could send the request',
};

/** Help with reasons that do not pass by themselves. */
const HELP: Partial<Record<WaitingReason, string>> = {
  not_connected: 'an admin can connect this workspace with /countermand connect',
  token_refused: 'an admin can connect this workspace again with /countermand connect',
  connection_unreadable: 'whoever runs Countermand finds the reason in its log',
};

export const whyWaiting = (why: WaitingReason): string => WAITING[why];

/** Appended to a sentence, before its full stop. */
export const helpWhileWaiting = (why: WaitingReason): string => (HELP[why] ? `: ${HELP[why]}` : '');

/** The reason why a request was not sent in time: the end of a sentence. */
export function whyUnsent(record: RequestRecord): string {
  const { waiting } = record.call;
  if (waiting) return whyWaiting(waiting);
  return cardOf(record).delivery.status === 'posted'
    ? 'Countermand was not running, or was delayed'
    : 'its card could not be posted';
}

/** Says what is known of the calls beside an outcome that a person recorded, which it may contradict. */
export function unconfirmed(record: RequestRecord): string {
  switch (receiptOf(record)) {
    case 'none':
      return 'It is now certain that the order service did not receive the request.';
    case 'refused':
      return 'It is now certain that the order service refused the request.';
    default:
      return 'The order service has not confirmed this.';
  }
}

/** Says whether anything was sent before a step that ends a request or holds it back. */
export function unsent(record: RequestRecord, step: { n: number }): string {
  return receiptOf(record, step.n) === 'none' ? 'nothing was sent' : 'it was not sent again';
}

/** Says what ending a request means for the order service. */
export function notToBeSent(record: RequestRecord): string {
  return receiptOf(record) === 'none' ? 'nothing is sent to the order service' : 'it is not sent again';
}

/** Says that a request is held back: the beginning of a sentence that says until when. */
export function notSentMeanwhile(record: RequestRecord): string {
  return receiptOf(record) === 'none' ? 'nothing is sent' : 'the request is not sent again';
}

/**
 * " again", if a call may have reached the order service: the end of what is said about sending.
 *
 * @param before the number of a step, before which the call began; left out: any call
 */
export const orAgain = (record: RequestRecord, before?: number): string =>
  receiptOf(record, before) === 'none' ? '' : ' again';

/** Says what withdrawing a request means, in plain text. */
export function withdrawalText(record: RequestRecord): string {
  const { noun, willNotBe } = KIND_COPY[record.kind];
  const thing = `${noun} ${record.target}`;
  return mayHaveReceived(record)
    ? `It is not sent again, but an earlier call may have been received: look ${thing} up in the order service.`
    : `${capital(thing)} ${willNotBe} by it.`;
}

/**
 * Says that a call before a step may have been received.
 *
 * @returns undefined if no call may have been received
 */
export function doubt(record: RequestRecord, step: { n: number }): string | undefined {
  if (!mayHaveReceived(record, step.n)) return undefined;
  return `An earlier call may have been received, so ${targetOf(record)} ${KIND_COPY[record.kind].mayBe}: look it up in the order service.`;
}
