/** Sentences about what the order service has said, or has left open. */
import { isOfForgotten } from '../../../requests/model/audit-entry.ts';
import { type Answer, type Cause, isAccepted, type ServiceEvent } from '../../../requests/model/cause.ts';
import { KINDS } from '../../../requests/model/kinds.ts';
import { currentStep, type RequestRecord, type Step } from '../../../requests/model/record.ts';
import { cardOf } from '../../../requests/model/record-messages.ts';
import {
  canSucceedAgain,
  deniesCall,
  isMistake,
  mayBeAboutTarget,
  type Refusal,
  refusalAt,
  tokenVerdict,
  wasNotAsked,
} from '../../../requests/model/refusal.ts';
import { STATES } from '../../../requests/model/states.ts';
import { isReopened, isWordOfService, mayHaveReceived } from '../../../requests/model/summary.ts';
import { COMMANDS } from '../../blocks/ids.ts';
import { code, escaped, mention, mentions } from '../../blocks/text.ts';
import { withheldText } from './problems.ts';
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
  const history = code(`${COMMANDS.countermand} history`);
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
  const wasDecided = record.steps.some(
    (other) => other.n < step.n && isWordOfService(other) && STATES[other.state].outcome !== undefined,
  );
  return wasDecided
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

type NoAnswer = Extract<Answer, { type: 'no_answer' }>;

const NO_ANSWER: Record<NoAnswer['why'], string> = {
  timeout: 'The order service did not answer in time',
  server_error: 'The order service failed while it worked on the request',
  gave_up: 'The order service, or a gateway in front of it, gave up on the request',
  redirected: 'The order service answered with a redirect, which Countermand never follows',
  unreadable: 'The order service gave an answer that cannot be read',
  contradictory: 'The order service reported a success and an error at once',
  about_another: 'The order service named another id in its answer',
  cut: 'The connection to the order service was lost before it answered',
  interrupted: 'Countermand was interrupted during the call',
};

/** In place of these, if the status came and the answer was never complete. */
const CUT_SHORT: Partial<typeof NO_ANSWER> = {
  timeout: 'The order service began to answer, but did not finish in time',
  cut: 'The connection to the order service was lost before its answer was complete',
};

export function whyNoAnswer({ why, httpStatus }: NoAnswer): string {
  return httpStatus ? `${CUT_SHORT[why] ?? NO_ANSWER[why]} (HTTP ${httpStatus})` : NO_ANSWER[why];
}

function answerOf<T extends Answer['type']>(cause: Cause, type: T): Extract<Answer, { type: T }> | undefined {
  if (cause.type !== 'answer' || cause.answer.type !== type) return undefined;
  return cause.answer as Extract<Answer, { type: T }>;
}

/** The reason of a refusal, as a sentence without a full stop; the service's own words follow it. */
function refusalReason(answer: Refusal): string {
  if (answer.tokenKind === 'graphql') return "The order service refused this workspace's GraphQL token";
  if (refusesToken(answer)) return "The order service refused this workspace's token";
  if (wasNotAsked(answer)) return 'This cannot be an id, so the order service was not asked';
  if (answer.httpStatus < 300) return 'The order service answered that the request did not succeed';
  return 'The order service refused the request';
}

const refusesToken = ({ httpStatus: status, code }: Refusal) => tokenVerdict({ status, code }) === 'refused';

/** Says who connects another token, if the token is at fault. `why`: the beginning of the sentence. */
function tokenHelp(answer: Refusal): { why: string; help: string } | undefined {
  if (answer.tokenKind === 'graphql')
    return {
      why: 'REST endpoints are ending their support for GraphQL tokens: ',
      help: 'ask an admin to connect a REST API token with /countermand connect',
    };
  if (refusesToken(answer))
    return { why: '', help: 'ask an admin to connect the workspace again with /countermand connect' };
  if (answer.code !== 'FORBIDDEN') return undefined;
  return {
    why: "This workspace's token does not allow this: ",
    help: 'ask an admin to connect one that does',
  };
}

/**
 * The next step; Retry is named only if it is offered (refusal.ts).
 *
 * @param retry "press Retry", and where
 * @param again how the same is requested with another id
 */
function refusalHelp(
  record: RequestRecord,
  answer: Refusal,
  retry: string,
  again = 'request it again',
): string {
  const { kind, repeats } = record;
  const token = tokenHelp(answer);
  if (token) return `${capital(`${token.why}${token.help}`)}, then ${retry}.`;
  if (repeats) {
    // The earlier outcome may have been corrected since, so this is told in the past.
    const thread = repeats.link ? `: <${repeats.link}|open its thread>` : '';
    const [when, other] = repeats.again
      ? ['When this was sent again', 'another request']
      : ['When this was requested', 'an earlier request'];
    const { did, done } = KIND_COPY[repeats.kind];
    return repeats.maybe
      ? `${when}, it was not certain whether ${other} had ${did}${thread}. Look ${targetOf(record)} up in the order service.`
      : `${when}, ${other} said that ${targetOf(record)} ${done}${thread}.`;
  }
  if (answer.code === 'OFFER_CANCELLATION_ERROR')
    return 'Look the offer up in the order service: its status does not allow this, and it may already be sent or cancelled.';
  if (canSucceedAgain(answer)) return `Look ${targetOf(record)} up in the order service, or ${retry}.`;
  if (deniesCall(answer))
    return 'Tell an admin: the order service does not take this kind of call. The operator of Countermand finds its answer in the log.';
  const isAboutReason = KINDS[kind].reason !== 'not_sent' && answer.code === 'VALIDATION_ERROR';
  const help = `Check the id${isAboutReason ? ' and the reason' : ''}, then ${again}.`;
  // A service that has another route or address answers so, too.
  return answer.httpStatus === 404 && answer.code === undefined
    ? `${help} If every id is refused, tell an admin: the address of the order service may be wrong.`
    : help;
}

/** The service's own words, its code and its details, on lines of their own, without repetitions. */
function refusalWords(record: RequestRecord, answer: Refusal): string {
  return wasNotAsked(answer) ? '' : serviceWords(record, answer, 'It gave no reason');
}

/** The service's own words in an answer that leaves the outcome open; undefined: there are none. */
function noAnswerWords(record: RequestRecord, answer: NoAnswer): string | undefined {
  const { code, message, details = [], httpStatus = 0, withheld } = answer;
  if (code === undefined && message === undefined && details.length === 0 && !withheld) return undefined;
  return serviceWords(record, { ...answer, details, httpStatus }, 'It gave no message');
}

type Words = Pick<Refusal, 'code' | 'message' | 'details' | 'httpStatus' | 'withheld'>;

function serviceWords(record: RequestRecord, answer: Words, wordless: string): string {
  const { code, message, details, httpStatus, withheld } = answer;
  const name = code ?? (httpStatus >= 300 ? `HTTP ${httpStatus}` : undefined);
  const named = name === undefined || name === message ? '' : ` (${escaped(name)})`;
  if (withheld) return `\n${withheldText(record, `Its answer${named}`)}`;
  const quoted = message ? `“${escaped(message)}”` : wordless;
  const quotedWords = message?.toLowerCase() ?? '';
  const lines = details
    .filter(({ error }) => !quotedWords.includes(error.toLowerCase()))
    .map(({ field, error }) => `\n• ${escaped(field)}: ${escaped(error)}`);
  return `\n${quoted}${named}.${[...new Set(lines)].join('')}`;
}
