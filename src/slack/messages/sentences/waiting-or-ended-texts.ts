/** Sentences about a request that the order service has not answered: it waits, or it ends without an outcome. */
import { isPending, MISPLACED, NOT_NEEDED } from '../../../outbox/delivery.ts';
import type { Cause, WaitingReason } from '../../../requests/model/cause.ts';
import type { ApproversProblem } from '../../../requests/model/policy.ts';
import { currentStep, type RequestRecord, type Step } from '../../../requests/model/record.ts';
import { cardOf } from '../../../requests/model/record-messages.ts';
import { STATES } from '../../../requests/model/states.ts';
import { mayHaveReceived, receiptOf } from '../../../requests/model/summary.ts';
import { TIMINGS } from '../../../requests/model/timings.ts';
import { queuedSince } from '../../../requests/model/transition.ts';
import { escaped, type NamePeople, time } from '../../blocks/text.ts';
import { MESSAGE_GONE, type OutOfReach } from '../../client/call-slack.ts';
import { otherWhoWantsAgain, tally } from './approval-texts.ts';
import { PROBLEMS } from './approvers-problems.ts';
import { cardRefused, ONCE_RESUMED, whoPaused } from './problems.ts';
import {
  capital,
  doubt,
  KIND_COPY,
  notSentMeanwhile,
  orAgain,
  sentenceSubject,
  targetOf,
  unsent,
} from './request-words.ts';
import { causedBy, type Saying } from './service-texts.ts';

const ON_ITS_WAY = 'The request is on its way to the order service.';

/** Whether a request was approved by votes of a former round, which were confirmed in this step. */
export const isApprovedBefore = ({ approval }: RequestRecord, { at }: Step): boolean =>
  approval?.carried !== undefined && at >= approval.since;

/**
 * Says who approved a request, in a former round, too. The reply stays whatever comes, so it does not say that the
 * request is or can be sent: the workspace may be disconnected, or sending paused.
 */
export function approved(record: RequestRecord, step: Step, by: string): string {
  const still = isApprovedBefore(record, step) ? ' before, and the approval still counts' : '';
  return `Approved by ${by}${still}. The request needs no further approval.`;
}

export function expired(record: RequestRecord, step: Step, people: NamePeople): Saying {
  const { approval, paused } = record;
  const before = record.steps.find(({ n }) => n === step.n - 1);
  if (before && STATES[before.state].votes) {
    // Slack could not be asked whether the reactions stand, and who may still approve.
    const what = approval?.confirmation
      ? 'The approvals could not be confirmed in time'
      : 'The request was not approved in time';
    return {
      happened: `${what} (${tally(record, people)})${paused ? `: ${whoPaused(paused)}` : ''}, and ${unsent(record, step)}.`,
      next: doubt(record, step) ?? requestAgain(record, approval?.problem),
    };
  }
  const why = paused ? whoPaused(paused) : whyUnsent(record);
  return {
    happened: `The request could not be sent${orAgain(record, step.n)} in time: ${why}.`,
    next: doubt(record, step) ?? requestAgain(record),
  };
}

/** Says when to request the same again. @param problem the problem with the approvers, because of which it has expired */
function requestAgain(record: RequestRecord, problem?: ApproversProblem): string {
  const { kind, paused, call } = record;
  const { command } = KIND_COPY[kind];
  if (paused) return `Request it again with ${command} ${ONCE_RESUMED}.`;
  // The person who wanted this one sent again may approve a new one, if they are an approver.
  if (problem === 'too_few' && otherWhoWantsAgain(record) !== undefined)
    return `Request it again with ${command}, or ask an admin if there are still not enough approvers.`;
  if (problem && PROBLEMS[problem].remedy !== undefined)
    return `${capital(PROBLEMS[problem].past)}: ask an admin to fix that before you request it again with ${command}.`;
  return `Request it again with ${command} ${whenLater(call.waiting)}.`;
}

const whenLater = (waiting: WaitingReason | undefined): string =>
  waiting ? `later${helpWhileWaiting(waiting)}` : 'if you still want it';

export function queued(record: RequestRecord, step: Step, people: NamePeople): Saying {
  const { cause } = step;
  const { waiting } = record.call;
  const until = time(queuedSince(record) + TIMINGS.expiresAfterMs);
  const isCurrent = step.n === currentStep(record).n;
  if (record.paused && isCurrent) {
    return {
      happened: `${capital(whoPaused(record.paused))}.`,
      next: `${capital(notSentMeanwhile(record))} until an admin resumes it, and the request expires ${until}.`,
    };
  }
  if (waiting) {
    const isFirst = receiptOf(record) === 'none';
    const what = isFirst
      ? 'Nothing was received yet. The request'
      : 'The request has not been received this time, and';
    return {
      happened: `${capital(WAITING[waiting])}.`,
      next: `${what} expires ${until} unless I can send it before then${helpWhileWaiting(waiting)}.`,
    };
  }
  if (cause.type === 'decision')
    return { happened: approved(record, step, people(cause.by)), card: ON_ITS_WAY };
  if (isCurrent && isPending(cardOf(record).delivery))
    return {
      happened: `${capital(notSentMeanwhile(record))} until the card of this request is posted in <#${record.channel}>.`,
    };
  if (cause.type !== 'person') return { happened: ON_ITS_WAY };
  return { happened: `${sentBy(record, step)}.`, card: ON_ITS_WAY };
}

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
  not_connected: 'ask an admin to connect this workspace with /countermand connect',
  token_refused: 'ask an admin to connect this workspace again with /countermand connect',
  connection_unreadable: 'tell an admin that the operator of Countermand finds the reason in its log',
};

/** Appended to a sentence, before its full stop. */
const helpWhileWaiting = (why: WaitingReason): string => (HELP[why] ? `: ${HELP[why]}` : '');

/** The reason why a request was not sent in time: the end of a sentence. */
function whyUnsent(record: RequestRecord): string {
  const { waiting } = record.call;
  if (waiting) return WAITING[waiting];
  const { status, tidies } = cardOf(record).delivery;
  if (status === 'posted') return 'Countermand was not running, or was delayed';
  return status === 'doubtful' || tidies
    ? 'Slack had not confirmed its card'
    : 'its card could not be posted';
}

/** Says who wants a request sent, without a full stop, and not that it is sent: the workspace may be disconnected. */
export function sentBy(record: RequestRecord, { cause, n }: Step): string {
  const again = orAgain(record, n);
  const who = capital(causedBy(cause));
  return cause.type === 'person' && cause.action === 'not_received'
    ? `${who} recorded that the request was not received, and asked for it to be sent${again}`
    : `${who} asked for the request to be sent${again}`;
}

/**
 * Says that a person wants a request sent, which needs approval: what follows their name.
 *
 * @param which the request, where its reader has not read of it before
 */
export function wants(record: RequestRecord, { n }: Step, which = 'the request'): string {
  const again = orAgain(record, n);
  // If the outcome was unknown, the person recorded that nothing was received: Retry is for what has failed.
  const isNotReceived = record.steps.find((step) => step.n === n - 1)?.state === 'unknown';
  return isNotReceived
    ? `recorded that ${which} was not received, and wants to send it${again}`
    : `wants to send ${which}${again}`;
}

/** Names the person who withdrew a request: anybody but the requester is an admin. */
export function withdrawer({ requester }: RequestRecord, cause: Cause): string {
  const isTheirs = cause.type === 'person' && cause.by === requester;
  const who = capital(causedBy(cause));
  return isTheirs ? who : `${who}, an admin,`;
}

const INVITE = 'Invite me there with /invite @Countermand, or choose another channel';

const ELSEWHERE = 'Choose another channel';

/** Slack's answers that have a sentence of their own, and what helps. */
export const CARD_REFUSALS: Record<string, { why: string; help: typeof INVITE | typeof ELSEWHERE }> = {
  not_in_channel: { why: 'I am not a member of that channel', help: INVITE },
  channel_not_found: { why: 'I cannot see that channel', help: INVITE },
  is_archived: { why: 'That channel is archived', help: ELSEWHERE },
  is_inactive: { why: 'That channel is no longer in use', help: ELSEWHERE },
  method_not_supported_for_channel_type: { why: 'I cannot join that channel by myself', help: INVITE },
};

export function notSent(record: RequestRecord, step: Step): Saying {
  const about = `the request about ${targetOf(record)}`;
  const ended = `${unsent(record, step)} to the order service`;
  const next = doubt(record, step) ?? 'Request it again if you still want it.';
  const { cause } = step;
  const { code, message } = cause.type === 'card_refused' ? cause : { code: 'unknown' };
  if (message === 'approval')
    return {
      happened: `The approvers can no longer see ${about}, and it was not approved yet, so ${ended}.`,
      next,
    };
  if (code === MESSAGE_GONE)
    return {
      happened: `The card of ${about} was deleted before the request could be sent, so ${ended}.`,
      next,
    };
  if (cardOf(record).location)
    return {
      happened: `I could not update the card of ${about} in <#${record.channel}>: ${UNSEEN[code] ?? CHANNEL_UNSEEN}, so ${ended}.`,
      next: doubt(record, step) ?? 'Request it again if you still want it, in a channel where I can post.',
    };
  const refusal = CARD_REFUSALS[code];
  const isInDoubt = mayCardAppear(record, code);
  const refused = isInDoubt ? ELSEWHERE : cardRefused(escaped(code));
  const help = refusal ? `${refusal.why}. ${refusal.help}` : refused;
  const there = `<#${record.channel}>`;
  const happened = isInDoubt
    ? `Slack has not confirmed that ${about} was posted in ${there}`
    : `I could not post ${about} in ${there}`;
  return {
    happened: `${happened}, so ${ended}.`,
    next: doubt(record, step) ?? `${help}, and request it again.`,
  };
}

/** Whether a card that was given up may be in Slack all the same. One in the wrong place is known to have been posted. */
const mayCardAppear = (record: RequestRecord, code: string): boolean =>
  cardOf(record).delivery.tidies !== undefined && code !== MISPLACED;

const CHANNEL_UNSEEN = 'I could no longer see that channel';

/**
 * The reasons why a card could not be updated, by Slack's answer. The card shows them once it can be updated again, so they are
 * in the past tense.
 */
export const UNSEEN: Record<string, string> = {
  not_in_channel: 'I was no longer a member of that channel',
  channel_not_found: CHANNEL_UNSEEN,
  is_archived: 'that channel was archived',
  is_inactive: 'that channel was no longer in use',
} satisfies Record<OutOfReach, string>;

/**
 * The reason why a reply goes to the requester alone: the end of a sentence. If the card was not needed any more, it was not
 * posted before that.
 */
export function whyDirectly(record: RequestRecord): string {
  const { delivery } = cardOf(record);
  const code = delivery.status === 'given_up' ? delivery.code : undefined;
  // Its thread is gone, too, and nothing is wrong with the channel.
  if (code === MESSAGE_GONE) return 'the card of this request was deleted';
  const there = `<#${record.channel}>`;
  if (isPending(delivery) || code === NOT_NEEDED)
    return `Slack had not confirmed that the card of this request is in ${there}`;
  // The channel may take other posts: a thread can be locked, and its parent deleted.
  const isAboutThread = delivery.status === 'posted' || record.thread !== undefined;
  return isAboutThread
    ? `I could not post in the thread of this request in ${there}`
    : `I cannot post in ${there}`;
}

/** @returns the code with which Slack refused the card where it was requested; undefined: it may take another card there */
export function placeRefused(record: RequestRecord): string | undefined {
  const code = cardRefusal(record);
  if (code === undefined || code === MESSAGE_GONE) return undefined;
  return CARD_REFUSALS[code]?.help === INVITE ? undefined : code;
}

/** Slack's answer for which the card was given up, or for which the request ended because nobody could see it. */
function cardRefusal(record: RequestRecord): string | undefined {
  const { delivery } = cardOf(record);
  if (delivery.status === 'given_up') return delivery.code;
  const causes = record.steps.map(({ cause }) => cause);
  const found = causes.find((cause) => cause.type === 'card_refused' && cause.message === undefined);
  return found?.type === 'card_refused' ? found.code : undefined;
}

export function closed(record: RequestRecord, { cause }: Step): Saying {
  const { mayBe, isNot } = KIND_COPY[record.kind];
  const next = mayHaveReceived(record)
    ? `${sentenceSubject(record)} ${mayBe}: look it up in the order service before you request it again.`
    : `It is now certain that ${targetOf(record)} ${isNot} by this request, so you can request it again.`;
  return { happened: `${capital(causedBy(cause))} closed this request without an outcome.`, next };
}
