/** Turns the state of a request and its cause into sentences; nothing else does. */

import { type Answer, type Cause, isAccepted } from '../../../requests/model/cause.ts';
import { correctedBy } from '../../../requests/model/facts/correction.ts';
import { isWordOfService, mayHaveReceived, receiptOf } from '../../../requests/model/facts/receipt.ts';
import { refusalAt } from '../../../requests/model/facts/refusal.ts';
import { TIMINGS } from '../../../requests/model/pending-effects.ts';
import { currentStep, type RequestRecord, type Step } from '../../../requests/model/record.ts';
import { STATES, type State } from '../../../requests/model/states.ts';
import { queuedSince } from '../../../requests/model/transition.ts';
import { capital, deedOf, KIND_COPY, sentenceSubject, targetOf } from '../../blocks/kind-copy.ts';
import { escaped, mention, mentions, type NamePeople, time } from '../../blocks/text.ts';
import { awaiting, declined, tally } from './approval-texts.ts';
import { doubt, unconfirmed, unsent, whyNoAnswer, whyUnsent, whyWaiting } from './call-texts.ts';
import { refusalHelp, refusalReason, refusalWords } from './refusals.ts';
import { cardRefused } from './slack-refusals.ts';

/**
 * `happened`: what a step is about, and stays true. `now`: how it stands and what to do, said only while the request is
 * in that step; `detail`: the same, too long for a card. `behind`: words of the order service, on lines of their own.
 */
type Saying = { happened: string; now?: string | undefined; detail?: string | undefined; behind?: string };

/** The card's sentences: what has happened, what has not, and what to do next. */
export function sentence(record: RequestRecord, step: Step, people: NamePeople = mentions): string {
  const { happened, now, behind = '' } = SAYINGS[step.state](record, step, people);
  return `${isCurrent(record, step) && now ? `${happened} ${now}` : happened}${behind}`;
}

const isCurrent = (record: RequestRecord, step: Step): boolean => step.n === currentStep(record).n;

/** The reply of a step in its thread; outcomes mention the requester. */
export function replyText(record: RequestRecord, step: Step, people: NamePeople = mentions): string {
  // Later steps have replies of their own.
  if (step.cause.type === 'decision' && step.cause.choice === 'yes') return approved(people(step.cause.by));
  const said = sentenceOnce(record, step, people);
  const isFor = mention(record.requester);
  // A person who acted on their own request is mentioned by that.
  return STATES[step.state].reply === 'mention' && !said.startsWith(isFor) ? `${isFor}: ${said}` : said;
}

/** Adds details, and the person whose record the step corrects. */
function sentenceOnce(record: RequestRecord, step: Step, people: NamePeople): string {
  const corrected = correctedBy(record, step);
  const correction = corrected ? ` This corrects what ${mention(corrected)} recorded.` : '';
  const { detail } = SAYINGS[step.state](record, step, people);
  const more = detail && isCurrent(record, step) ? ` ${detail}` : '';
  return `${sentence(record, step, people)}${more}${correction}`;
}

const approved = (by: string): string => `Approved by ${by}. The request is on its way to the order service.`;

/** The same for the requester alone, when the thread can't be used: it must say what it is about, and why it is here. */
export function directText(record: RequestRecord, step: Step, people: NamePeople = mentions): string {
  if (step.state === 'not_sent') return sentence(record, step, people);
  const why = ` I am writing to you here because I cannot post in <#${record.channel}>.`;
  return `*${escaped(deedOf(record))}*: ${sentenceOnce(record, step, people)}${why}`;
}

const SAYINGS: Record<State, (record: RequestRecord, step: Step, people: NamePeople) => Saying> = {
  awaiting_approval: (record) => ({ happened: awaiting(record) }),
  queued,
  calling: () => ({ happened: 'Waiting for the order service to answer.' }),
  under_review: underReview,
  canceled: (record, step) =>
    outcome(record, step, {
      answer:
        record.kind === 'cancel_order'
          ? 'the order service cancelled it at once'
          : 'the order service cancelled it',
      event: 'the order service announced the cancellation',
    }),
  approved: (record, step) =>
    reopened(record, step, 'The review approved the request') ??
    outcome(record, step, { answer: 'the review approved the request' }),
  denied: (record, step) =>
    reopened(record, step, 'The review denied the request') ??
    outcome(record, step, { answer: 'the review denied the request, and the order goes on' }),
  sent: (record, step) => outcome(record, step, { answer: 'the order service confirmed it' }),
  failed,
  unknown,
  declined: (record, step, people) => ({
    happened: declined(record, step, people),
    now: doubt(record, step),
  }),
  withdrawn: (record, step) => ({
    happened: `${withdrawer(record, step.cause)} withdrew the request, and ${unsent(record, step)}.`,
    now: doubt(record, step),
  }),
  already_canceled: (record, step) => ({
    happened:
      `${sentenceSubject(record)} is already cancelled: the order service announced the cancellation. ` +
      `Approval is no longer needed, and ${unsent(record, step)}.`,
  }),
  expired,
  not_sent: notSent,
  closed,
};

/** "Order A-1 is cancelled: ...", and how that is known. */
function outcome(
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

/** A decision of the review, where the service has called it by an unlisted word since: nobody knows what holds now. */
function reopened(record: RequestRecord, step: Step, decided: string): Saying | undefined {
  if (!hasUnlistedWord(record, step) || step.cause.type === 'person') return undefined;
  return {
    happened: `${decided}, but a newer event from the order service does not say what became of it.`,
    now: `Look ${targetOf(record)} up in the order service.`,
  };
}

/** Whether the service has said something since that the interface does not list. */
const hasUnlistedWord = (record: RequestRecord, { n }: Step): boolean =>
  record.word !== undefined && n === currentStep(record).n;

const by = (cause: Cause): string => {
  if (!('by' in cause)) return 'Somebody';
  return Array.isArray(cause.by) ? mentions(cause.by) : mention(cause.by);
};

/** Anybody but the requester is an admin. */
function withdrawer({ requester }: RequestRecord, cause: Cause): string {
  const isTheirs = cause.type === 'person' && cause.by === requester;
  return isTheirs ? by(cause) : `${by(cause)}, an admin,`;
}

function underReview(record: RequestRecord, step: Step): Saying {
  const { cause } = step;
  if (isAccepted(cause) || hasUnlistedWord(record, step)) {
    const source = isAccepted(cause) && cause.type === 'answer' ? 'answer' : 'event';
    return {
      happened: `The order service accepted the request, but its ${source} does not say what became of it.`,
      now: lookUp(record),
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
        now: `${record.call.attempts > 1 ? '' : `${sentenceSubject(record)} ${KIND_COPY[record.kind].undone} yet. `}The outcome will follow.`,
      };
}

/** The next step if the service has not said what became of it: recording is for those who decide while it reviews. */
function lookUp(record: RequestRecord): string {
  const who = record.approval ? 'an approver or an admin' : 'an admin';
  return `Look ${targetOf(record)} up in the order service. ${capital(who)} can record the outcome.`;
}

/** Only cancelled orders have events (events.md). */
const announcement = ({ kind }: RequestRecord, text: string): string | undefined =>
  kind === 'cancel_order' ? text : undefined;

function failed(record: RequestRecord, step: Step): Saying {
  const undone = `${sentenceSubject(record)} ${KIND_COPY[record.kind].undone} by this request.`;
  const refusal = refusalAt(record, step.n);
  if (!refusal) {
    const happened = 'It is now certain that the order service did not receive the last call.';
    return { happened: `${happened} ${undone}`, now: 'Press Retry to send the request.' };
  }
  return {
    happened: `${refusalReason(refusal)} ${undone}`,
    now: refusalHelp(record, refusal),
    behind: refusalWords(record, refusal),
  };
}

/** Nobody decided about it, or it was decided and could not be sent. */
function expired(record: RequestRecord, step: Step, people: NamePeople): Saying {
  const { command } = KIND_COPY[record.kind];
  const wasSent = receiptOf(record, step.n) !== 'none';
  const doubted = doubt(record, step);
  const before = record.steps.find(({ n }) => n === step.n - 1)?.state;
  if (before === 'awaiting_approval') {
    return {
      happened: `The request was not approved in time (${tally(record, people)}), and ${unsent(record, step)}.`,
      now: doubted ?? `Request it again with ${command} if you still want it.`,
    };
  }
  return {
    happened: `The request could not be sent${wasSent ? ' again' : ''} in time. ${whyUnsent(record)}`,
    now:
      doubted ??
      `Request it again${record.call.waiting ? ` later with ${command}` : ` with ${command} if you still want it`}.`,
  };
}

function queued(record: RequestRecord, step: Step, people: NamePeople): Saying {
  const { cause } = step;
  const { waiting } = record.call;
  if (waiting) {
    const until = time(queuedSince(record) + TIMINGS.expiresAfterMs);
    const what =
      receiptOf(record) === 'none' ? 'Nothing was received yet' : 'The request was not received this time';
    return {
      happened: whyWaiting(waiting),
      now: `${what}, and the request expires ${until} unless I can send it before then.`,
    };
  }
  if (cause.type === 'decision') return { happened: approved(people(cause.by)) };
  if (cause.type !== 'person') return { happened: 'The request is on its way to the order service.' };
  const again = receiptOf(record, step.n) === 'none' ? '' : ' again';
  return {
    happened:
      cause.action === 'not_received'
        ? `${by(cause)} recorded that the request was not received, and is sending it to the order service${again}.`
        : `${by(cause)} is sending the request to the order service${again}.`,
  };
}

function unknown(record: RequestRecord, { cause, n }: Step): Saying {
  const refusal = answerOf(cause, 'refused');
  const answer = answerOf(cause, 'no_answer');
  const now = `${sentenceSubject(record)} ${KIND_COPY[record.kind].maybe}: look it up in the order service, and record the outcome here.`;
  const announced = announcement(record, 'If the order service announces the outcome first, I will post it.');
  const detail = ['The request is not sent again automatically.', announced].filter(Boolean).join(' ');
  if (!refusal) return { happened: `${answer ? whyNoAnswer(answer) : 'No answer is known'}.`, now, detail };
  // The refusal of a call says nothing of the one before it.
  const earlier = mayHaveReceived(record, n)
    ? ' An earlier call may have been received, and may be the reason.'
    : '';
  return {
    happened: `${refusalReason(refusal)}${earlier}`,
    now,
    detail,
    behind: refusalWords(record, refusal),
  };
}

const INVITE = 'Invite me there with /invite @Countermand, or choose another channel';

const CARD_REFUSALS: Record<string, string> = {
  not_in_channel: `I am not a member of that channel. ${INVITE}`,
  channel_not_found: `I cannot see that channel. ${INVITE}`,
  is_archived: 'That channel is archived. Choose another channel',
  method_not_supported_for_channel_type: `I cannot join that channel by myself. ${INVITE}`,
};

function notSent(record: RequestRecord, step: Step): Saying {
  const { delivery, location } = record.card;
  const ended = unsent(record, step);
  const now = doubt(record, step) ?? 'Request it again if you still want it.';
  if (delivery.status === 'posted') {
    const happened = `The approvers can no longer see your request about ${targetOf(record)}, and they had not decided, so ${ended} to the order service.`;
    return { happened, now };
  }
  if (location) {
    const happened = `The card of your request about ${targetOf(record)} was removed before the request could be sent, so ${ended} to the order service.`;
    return { happened, now };
  }
  const code = delivery.status === 'given_up' ? delivery.code : 'unknown';
  const help = CARD_REFUSALS[code] ?? cardRefused(escaped(code));
  return {
    happened: `I could not post your request about ${targetOf(record)} in <#${record.channel}>, so ${ended} to the order service.`,
    now: `${help}, and request it again.`,
  };
}

function closed(record: RequestRecord, { cause }: Step): Saying {
  const { maybe, undone } = KIND_COPY[record.kind];
  const now = mayHaveReceived(record)
    ? `${sentenceSubject(record)} ${maybe}: look it up in the order service. You can request it again.`
    : `It is now certain that ${targetOf(record)} ${undone} by this request. You can request it again.`;
  return { happened: `${by(cause)} closed this request without an outcome.`, now };
}

function answerOf<T extends Answer['type']>(cause: Cause, type: T): Extract<Answer, { type: T }> | undefined {
  if (cause.type !== 'answer' || cause.answer.type !== type) return undefined;
  return cause.answer as Extract<Answer, { type: T }>;
}
