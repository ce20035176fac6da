/** What the bot says about a request: one place turns a state and its cause into words. */
import { TIMINGS } from '../../requests/agenda.ts';
import type { Answer, Cause, WaitingWhy } from '../../requests/cause.ts';
import type { RequestRecord, Step } from '../../requests/record.ts';
import type { State } from '../../requests/states.ts';
import { queuedSince } from '../../requests/transition.ts';
import { awaiting, declined, tally, unsent } from './approval-texts.ts';
import { refusalText } from './refusals.ts';
import { escaped, mention, mentions, time } from './text.ts';
import { subjectOf, targetOf, WORDS } from './words.ts';

/** What has happened, what has not, and what to do next. Used on the card and in the thread alike. */
export function sentence(record: RequestRecord, step: Step): string {
  return SENTENCES[step.state](record, step);
}

/** The reply of a step in its thread; outcomes mention who asked. */
export function replyText(record: RequestRecord, step: Step): string {
  // What happened since is told in replies of its own.
  if (step.cause.type === 'decision' && step.cause.choice === 'yes') return approved(step.cause.by);
  return step.state === 'under_review'
    ? sentence(record, step)
    : `${mention(record.asker)} ${sentence(record, step)}`;
}

const approved = (by: readonly string[]): string =>
  `Approved by ${mentions(by)}. It is on its way to the order service.`;

/** The same for the asker alone, when the thread can't be used: it must say what it is about, and why it is here. */
export function directText(record: RequestRecord, step: Step): string {
  const why =
    step.state === 'not_sent' ? '' : ` I write to you here because I cannot post in <#${record.channel}>.`;
  return `${sentence(record, step)}${why}`;
}

const SENTENCES: Record<State, (record: RequestRecord, step: Step) => string> = {
  awaiting_approval: awaiting,
  queued: waiting,
  calling: () => 'The request is being sent to the order service right now.',
  under_review: underReview,
  canceled: (record, { cause }) =>
    is(record, 'done', cause, {
      answer:
        record.kind === 'cancel_order'
          ? 'the order service cancelled it at once'
          : 'the order service cancelled it',
      event: 'the order service has announced it',
    }),
  approved: (record, { cause }) => is(record, 'done', cause, { answer: 'the review approved the request' }),
  denied: (record, { cause }) =>
    is(record, 'undone', cause, { answer: 'the review denied the request, and the order goes on' }),
  sent: (record, { cause }) => is(record, 'done', cause, { answer: 'the order service confirmed it' }),
  failed: (record, { cause }) => refusalText(record, answerOf(cause, 'refused')),
  unknown,
  declined,
  withdrawn: (record, { cause }) =>
    `${subjectOf(record)} ${WORDS[record.kind].undone}: ${by(cause)} withdrew the request, and ${unsent(record)}.`,
  overtaken: (record) =>
    `${subjectOf(record)} is cancelled already: the order service has announced it. ` +
    `No approval is needed any more, and ${unsent(record)}.`,
  lapsed,
  not_sent: notSent,
  closed: (record, { cause }) =>
    `${by(cause)} released this request without an outcome. ${subjectOf(record)} ${WORDS[record.kind].maybe}: ` +
    'the order service knows. It can be asked for again.',
};

/** "Order A-1 is cancelled: ...", and how that is known. */
function is(
  record: RequestRecord,
  what: 'done' | 'undone',
  cause: Cause,
  how: { answer: string; event?: string },
): string {
  const known = {
    person: `${by(cause)} recorded it`,
    event: how.event ?? how.answer,
    answer: how.answer,
  }[cause.type === 'person' || cause.type === 'event' ? cause.type : 'answer'];
  return `${subjectOf(record)} ${WORDS[record.kind][what]}: ${known}.`;
}

const by = (cause: Cause): string => {
  if (!('by' in cause)) return 'Somebody';
  return Array.isArray(cause.by) ? mentions(cause.by) : mention(cause.by);
};

function underReview(record: RequestRecord, step: Step): string {
  if (record.kind !== 'cancel_order') {
    return (
      'The order service has taken the request, and its answer does not tell what became of it. ' +
      `Look ${targetOf(record)} up in the order service, and record the outcome here.`
    );
  }
  const again = record.steps.some(
    ({ n, state }) => n < step.n && (state === 'approved' || state === 'denied'),
  );
  const what = again
    ? `The order service has reopened its review: ${targetOf(record)} is under review again.`
    : `The order service has taken the request and is reviewing it. ${subjectOf(record)} is not cancelled yet.`;
  return `${what} The outcome will follow.`;
}

/** Of a request that nobody decided about, or that was decided and could not be sent. */
function lapsed(record: RequestRecord, { n }: Step): string {
  const { undone, command } = WORDS[record.kind];
  const before = record.steps.find((step) => step.n === n - 1)?.state;
  if (before === 'awaiting_approval') {
    return `${subjectOf(record)} ${undone}: it was not approved in time (${tally(record)}), and ${unsent(record)}. Ask again with ${command} if you still want it.`;
  }
  return (
    `${subjectOf(record)} ${undone}: the request could not be sent in time, and nothing was sent. ` +
    `${whyWaiting(record.call.waiting)} Ask again with ${command} when that is mended.`
  );
}

function waiting(record: RequestRecord, { cause }: Step): string {
  if (cause.type === 'decision' && !record.call.waiting) {
    return approved(cause.by);
  }
  const until = time(queuedSince(record) + TIMINGS.lapseMs);
  if (record.call.waiting) {
    return `${whyWaiting(record.call.waiting)} Nothing was received yet; I try again until ${until}.`;
  }
  return cause.type === 'person'
    ? `${by(cause)} sends the request to the order service again.`
    : 'The request is on its way to the order service.';
}

const WAITING: Record<WaitingWhy, string> = {
  unreachable: 'The order service could not be reached.',
  rate_limited: 'The order service asked to slow down.',
  failing: 'The order service has failed several times in a row.',
  not_connected:
    'Nobody has connected this workspace to the order service: an admin can, with /countermand connect.',
  token_refused:
    "The order service does not accept this workspace's token any more, so it is not asked with it: an admin can connect the workspace again, with /countermand connect.",
  connection_unreadable:
    'The connection to the order service could not be read: the reason is in the log of the bot, for an admin to see.',
};

function whyWaiting(why: WaitingWhy | undefined): string {
  return why ? WAITING[why] : 'Its card could not be posted in time.';
}

type NoAnswer = Extract<Answer, { type: 'no_answer' }>;

const NO_ANSWER: Record<NoAnswer['why'], string> = {
  timeout: 'The order service did not answer in time',
  server_error: 'The order service failed while it worked on the request',
  redirected: 'The order service answered with a redirect, which is never followed',
  unreadable: 'The order service gave an answer that cannot be read',
  cut: 'The connection to the order service was lost before it answered',
  interrupted: 'Countermand was interrupted while it waited for the answer',
};

function unknown(record: RequestRecord, { cause }: Step): string {
  const answer = answerOf(cause, 'no_answer');
  const status = answer?.httpStatus ? ` (HTTP ${answer.httpStatus})` : '';
  const why = `${answer ? NO_ANSWER[answer.why] : 'No answer is known'}${status}.`;
  const announced =
    record.kind === 'cancel_order' ? ' If the service announces the outcome first, I will pass it on.' : '';
  return (
    `${why} ${subjectOf(record)} ${WORDS[record.kind].maybe}. It is not sent again by itself. ` +
    `Look it up in the order service, and record the outcome here.${announced}`
  );
}

const INVITE = 'Invite me there with /invite @Countermand, or choose another channel';

const CARD_REFUSALS: Record<string, string> = {
  not_in_channel: `I am not a member of that channel. ${INVITE}`,
  channel_not_found: `I cannot see that channel. ${INVITE}`,
  is_archived: 'That channel is archived. Choose another channel',
  method_not_supported_for_channel_type: `I cannot join that channel by myself. ${INVITE}`,
};

function notSent(record: RequestRecord): string {
  const { delivery, place } = record.card;
  if (delivery.status === 'posted') {
    return `The approvers cannot see your request about ${targetOf(record)} any more, and they had not decided, so ${unsent(record)} to the order service. Ask again if you still want it.`;
  }
  const nothing = 'nothing was sent to the order service';
  if (place) {
    return `The card of your request about ${targetOf(record)} was removed before the request could be sent, so ${nothing}. Ask again if you still want it.`;
  }
  const code = delivery.status === 'given_up' ? delivery.code : 'unknown';
  const help =
    CARD_REFUSALS[code] ?? `Slack did not let me post there (${escaped(code)}). Choose another channel`;
  return `I could not post your request about ${targetOf(record)} in <#${record.channel}>, so ${nothing}. ${help}, and ask again.`;
}

function answerOf<T extends Answer['type']>(cause: Cause, type: T): Extract<Answer, { type: T }> | undefined {
  if (cause.type !== 'answer' || cause.answer.type !== type) return undefined;
  return cause.answer as Extract<Answer, { type: T }>;
}
