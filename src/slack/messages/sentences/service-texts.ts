/** Sentences about what the order service has said, or has left open. */

import { type Answer, type Cause, isAccepted } from '../../../requests/model/cause.ts';
import { isWordOfService, mayHaveReceived } from '../../../requests/model/receipt.ts';
import { currentStep, type RequestRecord, type Step } from '../../../requests/model/record.ts';
import { refusalAt } from '../../../requests/model/refusal.ts';
import { STATES } from '../../../requests/model/states.ts';
import { capital, KIND_COPY, sentenceSubject, targetOf } from '../../blocks/kind-copy.ts';
import { mention, mentions } from '../../blocks/text.ts';
import { unconfirmed, whyNoAnswer } from './call-texts.ts';
import { noAnswerWords, refusalHelp, refusalReason, refusalWords } from './refusals.ts';

/**
 * `happened`: what happened in a step; it stays true. `now`: what to do, shown only while the request is in that step.
 * `detail`: more of that, for the thread only. `card`: the line of the card, where that is neither. `behind`: words of the
 * order service, on lines of their own.
 */
export type Saying = {
  happened: string;
  now?: string | undefined;
  detail?: string | undefined;
  card?: string;
  behind?: string;
};

/** The people who caused a step, as mentions. */
export const by = (cause: Cause): string => {
  if (!('by' in cause)) return 'Somebody';
  return Array.isArray(cause.by) ? mentions(cause.by) : mention(cause.by);
};

/** "Order A-1 is cancelled: ...", and how that is known. */
export function outcome(
  record: RequestRecord,
  { cause, state }: Step,
  how: { answer: string; event?: string },
): Saying {
  const { done, undone } = KIND_COPY[record.kind];
  const is = `${sentenceSubject(record)} ${STATES[state].outcome === 'undone' ? undone : done}`;
  if (cause.type !== 'person')
    return { happened: `${is}: ${(cause.type === 'event' ? how.event : undefined) ?? how.answer}.` };
  return { happened: `${is}: ${by(cause)} recorded it.`, now: unconfirmed(record) };
}

/** A decision of the review that a later event with an unlisted status has made uncertain; undefined: it is certain. */
export function reopened(record: RequestRecord, step: Step, decided: string): Saying | undefined {
  if (!hasUnlistedWord(record, step) || step.cause.type === 'person') return undefined;
  // The thread tells what was known before.
  const happened = `${decided}, but a newer event from the order service does not say what became of it.`;
  const now = `Look ${targetOf(record)} up in the order service.`;
  return { happened, now, card: `${happened} ${now}` };
}

/** Whether the service has said something since that the interface does not list. */
const hasUnlistedWord = (record: RequestRecord, { n }: Step): boolean =>
  record.word !== undefined && n === currentStep(record).n;

export function underReview(record: RequestRecord, step: Step): Saying {
  const { cause } = step;
  if (cause.type === 'person')
    return {
      happened: `${capital(by(cause))} recorded that the order service is reviewing the request.`,
      now: unconfirmed(record),
      detail: announcement(record, 'If the order service announces the outcome, I will post it.'),
    };
  if (isAccepted(cause) || hasUnlistedWord(record, step)) {
    const source = isAccepted(cause) && cause.type === 'answer' ? 'answer' : 'event';
    const happened = `The order service accepted the request, but its ${source} does not say what became of it.`;
    const now = lookUp(record);
    return {
      happened,
      now,
      // A later event adds no reply.
      ...(isAccepted(cause) ? {} : { card: `${happened} ${now}` }),
      detail: announcement(record, 'If the order service announces the outcome, I will post it.'),
    };
  }
  const wasDecided = record.steps.some(
    (other) => other.n < step.n && isWordOfService(other) && STATES[other.state].outcome !== undefined,
  );
  return wasDecided
    ? {
        happened: `The order service has reopened its review: ${targetOf(record)} is under review again.`,
        now: 'The outcome will follow.',
      }
    : {
        happened: 'The order service has accepted the request and is reviewing it.',
        // Of several calls, one that is in doubt may have done it.
        now:
          record.call.attempts > 1
            ? 'The outcome will follow.'
            : `${sentenceSubject(record)} ${KIND_COPY[record.kind].undone} yet; the outcome will follow.`,
      };
}

/** The next step if the service has not said what became of it: recording is for those who decide while it reviews. */
function lookUp(record: RequestRecord): string {
  const who = record.approval ? 'an approver or an admin' : 'an admin';
  return `Look ${targetOf(record)} up in the order service: ${who} can record the outcome.`;
}

/** Only cancelled orders have events (events.md). */
const announcement = ({ kind }: RequestRecord, text: string): string | undefined =>
  kind === 'cancel_order' ? text : undefined;

export function failed(record: RequestRecord, step: Step): Saying {
  const undone = `${targetOf(record)} ${KIND_COPY[record.kind].undone} by this request.`;
  const refusal = refusalAt(record, step.n);
  if (step.cause.type === 'person')
    return {
      happened: `${capital(by(step.cause))} recorded that the order service did not receive the request.`,
      now: 'Press Retry to send it again.',
    };
  if (!refusal) {
    const happened = 'It is now certain that the order service did not receive the last call';
    return { happened: `${happened}, so ${undone}`, now: 'Press Retry to send the request.' };
  }
  return {
    happened: `${refusalReason(refusal)}, ${refusal.httpStatus === 0 ? 'and' : 'so'} ${undone}`,
    now: refusalHelp(record, refusal),
    behind: refusalWords(record, refusal),
  };
}

export function unknown(record: RequestRecord, { cause, n }: Step): Saying {
  const refusal = answerOf(cause, 'refused');
  const answer = answerOf(cause, 'no_answer');
  const now = `Look ${targetOf(record)} up in the order service, and record the outcome here.`;
  const maybe = `${sentenceSubject(record)} ${KIND_COPY[record.kind].maybe}, and the request is not sent again automatically.`;
  const announced = announcement(record, 'If the order service announces the outcome first, I will post it.');
  const detail = [maybe, announced].filter(Boolean).join(' ');
  if (!refusal) {
    const behind = answer && noAnswerWords(record, answer);
    const happened = `${answer ? whyNoAnswer(answer) : 'No answer is known'}.`;
    return { happened, now, detail, ...(behind === undefined ? {} : { behind }) };
  }
  // The refusal of a call says nothing of the one before it.
  const earlier = mayHaveReceived(record, n)
    ? ', but an earlier call may have been received, and may be the reason'
    : '';
  return {
    happened: `${refusalReason(refusal)}${earlier}.`,
    now,
    detail,
    behind: refusalWords(record, refusal),
  };
}

function answerOf<T extends Answer['type']>(cause: Cause, type: T): Extract<Answer, { type: T }> | undefined {
  if (cause.type !== 'answer' || cause.answer.type !== type) return undefined;
  return cause.answer as Extract<Answer, { type: T }>;
}
