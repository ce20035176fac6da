/** Sentences about what the order service has said, or has left open. */
import { isOfForgotten } from '../../../requests/model/audit-entry.ts';
import { type Answer, type Cause, isAccepted, type ServiceEvent } from '../../../requests/model/cause.ts';
import { KINDS } from '../../../requests/model/kinds.ts';
import { currentStep, type RequestRecord, type Step } from '../../../requests/model/record.ts';
import { cardOf } from '../../../requests/model/record-messages.ts';
import { isMistake, mayBeAboutTarget, refusalAt, wasNotAsked } from '../../../requests/model/refusal.ts';
import { STATES } from '../../../requests/model/states.ts';
import {
  isPossiblyReceivedCall,
  isReopened,
  isWordOfService,
  mayHaveReceived,
} from '../../../requests/model/summary.ts';
import { COMMANDS } from '../../blocks/ids.ts';
import { code, mention, mentions } from '../../blocks/text.ts';
import {
  noAnswerWords,
  refusalHelp,
  refusalReason,
  refusalWords,
  tokenHelp,
  whyNoAnswer,
} from './answer-texts.ts';
import { capital, KIND_COPY, sentenceSubject, targetOf, unconfirmed } from './request-words.ts';

/**
 * The sentences about a step. `happened`: what happened; it stays true. `next`: what to do, shown only while the request is in
 * that step, on the card and in private texts, because a reply in the thread stays for ever. `detail`: what is added to
 * `happened` in a reply that is posted while the request is in that step. `direct`: in place of `next`, in a reply to the
 * requester alone. `here`: in place of `next`, right above the button. `card`: the line of the card, where neither fits.
 * `quoted`: words of the order service, on lines of their own.
 */
export type Saying = {
  happened: string;
  next?: string | undefined;
  detail?: string | undefined;
  direct?: string | undefined;
  here?: string | undefined;
  card?: string | undefined;
  quoted?: string | undefined;
};

type Buttoned = Pick<Saying, 'card' | 'here' | 'next'>;

/**
 * Says which button to press, on the card and elsewhere.
 *
 * @param say makes the sentence from the place of the button; undefined where the button is right below it
 */
function withButton(record: RequestRecord, say: (place?: string) => string): Buttoned {
  // The menu in the history has it, too: for admins who cannot see the card, and where there is none.
  const isOnCard = cardOf(record).delivery.status === 'posted';
  const here = say();
  const history = code(`${COMMANDS.countermand} history ${record.id}`);
  return { next: say(`${isOnCard ? 'on the card or ' : ''}in ${history}`), here, card: here };
}

/** Says when to press Retry, or to request it again where that is not offered. @param say makes the sentence from either */
function withRetry(record: RequestRecord, say: (retry: string) => string): Buttoned {
  if (!isOfForgotten(record))
    return withButton(record, (place) => say(place ? `press Retry ${place}` : 'press Retry'));
  const next = say('request it again');
  return { next, card: next };
}

/** The button of the reply about a mistake. */
export const EDIT = 'Edit and request again';

export const causedBy = (cause: Cause): string => {
  if (!('by' in cause)) return 'Somebody';
  return Array.isArray(cause.by) ? mentions(cause.by) : mention(cause.by);
};

/** "Order A-1 is cancelled: ...": an outcome, and how it is known. */
export function outcome(
  record: RequestRecord,
  { cause, state }: Step,
  how: { answer: string; event?: string },
): Saying {
  const { done, isNot } = KIND_COPY[record.kind];
  const is = `${sentenceSubject(record)} ${STATES[state].outcome === 'undone' ? isNot : done}`;
  if (cause.type !== 'person')
    return { happened: `${is}: ${(cause.type === 'event' ? how.event : undefined) ?? how.answer}.` };
  return { happened: `${is}: ${causedBy(cause)} recorded it.`, next: unconfirmed(record) };
}

/**
 * The sentences about a decision of the order service that a later event with an unlisted status has made uncertain; undefined if
 * it is certain.
 */
export function reopened(record: RequestRecord, step: Step, decided: string): Saying | undefined {
  if (!isReopened(record) || step.n !== currentStep(record).n) return undefined;
  // The card has all of it: the reply in the thread tells only the decision.
  const happened = `${decided}, but a newer event from the order service does not say what became of it.`;
  const next = `Look ${targetOf(record)} up in the order service.`;
  return { happened, next, card: `${happened} ${next}` };
}

const hasUnlistedWord = (record: RequestRecord, { n }: Step): boolean =>
  record.word !== undefined && n === currentStep(record).n;

export function underReview(record: RequestRecord, step: Step): Saying {
  const { cause } = step;
  const detail = announcement(record, 'If the order service announces the outcome, I will post it.');
  if (cause.type === 'person') {
    const happened = `${capital(causedBy(cause))} recorded that the order service is reviewing the request.`;
    return { happened, next: unconfirmed(record), detail };
  }
  if (isAccepted(cause) || hasUnlistedWord(record, step)) {
    const source = isAccepted(cause) && cause.type === 'answer' ? 'answer' : 'event';
    const happened = `The order service accepted the request, but its ${source} does not say what became of it.`;
    const next = lookUp(record);
    // An event that came after the reply of this step adds no reply of its own, so only the card says it.
    return { happened, next, card: isAccepted(cause) ? undefined : `${happened} ${next}`, detail };
  }
  // An earlier call was denied, and the review of the last one was never closed.
  if (cause.type === 'reconsidered')
    return {
      happened: 'The order service has decided against an earlier call, and is reviewing the last one.',
      next: 'The outcome will follow.',
    };
  const before = record.steps.filter(({ n }) => n < step.n);
  // After several calls the decision may have been about another one than the review.
  const isReviewedAgain =
    before.filter(isPossiblyReceivedCall).length < 2 &&
    before.some((other) => isWordOfService(other) && STATES[other.state].outcome !== undefined);
  return isReviewedAgain
    ? {
        happened: `The order service has reopened its review: ${targetOf(record)} is under review again.`,
        next: 'The outcome will follow.',
      }
    : {
        happened: 'The order service has accepted the request and is reviewing it.',
        // An earlier call whose answer was lost may have done it already.
        next:
          record.call.attempts > 1
            ? 'The outcome will follow.'
            : `${sentenceSubject(record)} ${KIND_COPY[record.kind].isNot} yet; the outcome will follow.`,
      };
}

/**
 * The sentence about what to do if the service has not said what became of a request: only approvers and admins may record that.
 */
function lookUp(record: RequestRecord): string {
  const who = record.approval ? 'an approver or an admin' : 'an admin';
  return `Look ${targetOf(record)} up in the order service: ${who} can record the outcome.`;
}

/** A text about announcements; undefined for a kind whose outcomes the order service does not announce. */
const announcement = ({ kind }: RequestRecord, text: string): string | undefined =>
  KINDS[kind].topic === undefined ? undefined : text;

export function failed(record: RequestRecord, step: Step): Saying {
  const undone = `${targetOf(record)} ${KIND_COPY[record.kind].isNot} by this request.`;
  const refusal = refusalAt(record, step.n);
  if (step.cause.type === 'person')
    return {
      happened: `${capital(causedBy(step.cause))} recorded that the order service did not receive the request.`,
      ...withRetry(record, (retry) => `To send it again, ${retry}.`),
    };
  if (!refusal) {
    const happened = 'It is now certain that the order service did not receive the last call';
    return {
      happened: `${happened}, so ${undone}`,
      ...withRetry(record, (retry) => `To send it, ${retry}.`),
    };
  }
  return {
    happened: `${refusalReason(refusal)}, ${wasNotAsked(refusal) ? 'and' : 'so'} ${undone}`,
    ...withRetry(record, (retry) => refusalHelp(record, refusal, retry)),
    direct: isMistake(record, step) ? refusalHelp(record, refusal, '', `press *${EDIT}*`) : undefined,
    quoted: refusalWords(record, refusal),
  };
}

export function unknown(record: RequestRecord, step: Step): Saying {
  const { cause, n } = step;
  const refusal = answerOf(cause, 'refused');
  const answer = answerOf(cause, 'no_answer');
  const token = refusal && tokenHelp(refusal);
  const connectFirst = token
    ? ` ${capital(`${token.why}before the request is sent again, ${token.help}.`)}`
    : '';
  const help = withButton(
    record,
    (place = 'here') =>
      `Look ${targetOf(record)} up in the order service, and record the outcome ${place}.${connectFirst}`,
  );
  const maybe = `${sentenceSubject(record)} ${KIND_COPY[record.kind].mayBe}, and the request is not sent again automatically.`;
  const announced = announcement(
    record,
    'If the order service announces the outcome before that, I will post it.',
  );
  // Also in the thread: the requester, whom the reply mentions, has to do it.
  const detail = [maybe, help.next, announced].filter(Boolean).join(' ');
  const inReply = { detail, direct: '' };
  if (cause.type === 'reconsidered') {
    return {
      happened: `${RECONSIDERED[cause.event.status] ?? NO_LONGER_SAID}, and what became of the last call is not known.`,
      ...help,
      ...inReply,
    };
  }
  if (!refusal) {
    const happened = `${answer ? whyNoAnswer(answer) : 'No answer is known'}.`;
    return { happened, ...help, ...inReply, quoted: answer && noAnswerWords(record, answer) };
  }
  // The refusal of a call says nothing of the one before it.
  const blamed = !token && mayBeAboutTarget(record, step) ? ', and may be the reason' : '';
  const earlier = mayHaveReceived(record, n) ? `, but an earlier call may have been received${blamed}` : '';
  const happened = `${refusalReason(refusal)}${earlier}.`;
  return { happened, ...help, ...inReply, quoted: refusalWords(record, refusal) };
}

/** Says how the order service took back its approval of an earlier call, by the status of its event. */
const RECONSIDERED: Readonly<Partial<Record<ServiceEvent['status'], string>>> = {
  pending: 'The order service has reopened its review of an earlier call',
  denied: 'The order service has decided against an earlier call after all',
};
/** An event in a word that the interface does not list. */
const NO_LONGER_SAID = 'The order service no longer says what became of an earlier call';

function answerOf<T extends Answer['type']>(cause: Cause, type: T): Extract<Answer, { type: T }> | undefined {
  if (cause.type !== 'answer' || cause.answer.type !== type) return undefined;
  return cause.answer as Extract<Answer, { type: T }>;
}
