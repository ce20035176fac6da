/** Turns the state of a request and its cause into sentences; nothing else does. */
import { currentStep, type RequestRecord, type Step } from '../../../requests/model/record.ts';
import { replyOf } from '../../../requests/model/record-messages.ts';
import { isOwnMistake } from '../../../requests/model/refusal.ts';
import { STATES } from '../../../requests/model/states.ts';
import { correctedBy } from '../../../requests/model/summary.ts';
import { changesUpTo } from '../../../requests/model/transition.ts';
import { capital, plainTitleOf } from '../../blocks/kind-copy.ts';
import { escaped, mention, mentions, type NamePeople } from '../../blocks/text.ts';
import { orAgain } from './call-texts.ts';
import type { Saying } from './service-texts.ts';
import { STATE_COPY } from './state-copy.ts';
import { approved, isCardDeleted, sentBy } from './waiting-or-ended-texts.ts';

/** The sentences about a step: what has happened and, for the current step, what to do next. */
export function sentence(record: RequestRecord, step: Step, people: NamePeople = mentions): string {
  const { happened, now, behind = '' } = STATE_COPY[step.state].saying(record, step, people);
  return `${isCurrent(record, step) && now ? `${happened} ${now}` : happened}${behind}`;
}

/** What led to the present state, without what to do about it and without words of the order service. */
export const whatHappened = (record: RequestRecord): string => sayingOf(record).happened;

/** The line beneath the title of a card: what its title, its footer and its thread don't say. */
export function cardLine(record: RequestRecord): string | undefined {
  const { happened, now, card } = sayingOf(record);
  const isToldInThread = STATES[record.state].reply !== 'none';
  return card ?? (isToldInThread ? now : [happened, now].filter(Boolean).join(' '));
}

function sayingOf(record: RequestRecord): Saying {
  const step = currentStep(record);
  return STATE_COPY[step.state].saying(record, step, mentions);
}

const isCurrent = (record: RequestRecord, step: Step): boolean => step.n === currentStep(record).n;

/** The reply of a step in its thread; outcomes mention the requester. What to do is on the card. */
export function replyText(record: RequestRecord, step: Step, people: NamePeople = mentions): string {
  const act = actOf(record, step, people);
  if (act) return act;
  const said = told(record, step, people);
  const isFor = mention(record.requester);
  // A person who acted on their own request is mentioned by that.
  return STATES[step.state].reply === 'mention' && !said.startsWith(isFor) ? `${isFor}: ${said}` : said;
}

/** The text of a reply. @param next whether it also says what to do, for readers who see no card */
function told(record: RequestRecord, step: Step, people: NamePeople, next?: 'with what to do'): string {
  const { happened, now, detail, behind = '' } = STATE_COPY[step.state].saying(record, step, people);
  const corrected = correctedBy(record, step);
  const isTheirOwn = corrected !== undefined && 'by' in step.cause && step.cause.by === corrected;
  const said = [
    happened,
    ...(isCurrent(record, step) ? [next && now, detail] : []),
    corrected &&
      `This corrects what ${isTheirOwn ? 'they recorded before' : `${mention(corrected)} recorded`}.`,
  ];
  return `${said.filter(Boolean).join(' ')}${changesNote(record, step)}${behind}`;
}

const times = (n: number): string =>
  n === 1 ? 'once' : n === 2 ? 'twice' : `${n.toLocaleString('en')} times`;

/** Says how often the service has changed its answer, where one reply stands for several changes. */
function changesNote(record: RequestRecord, step: Step): string {
  if (replyOf(record, step)?.upkeep)
    return ` The order service has changed its answer ${times(changesUpTo(record, step))}. I keep this reply up to date instead of posting another one each time.`;
  return step.flips === undefined
    ? ''
    : ` The order service changed its answer ${times(step.flips)} before I could post this, so only the latest one is shown.`;
}

/**
 * The reply of a step to the requester alone: it concerns only them, or the thread can't be used. It says what it is about and,
 * where it belongs in the thread, why it is not there.
 */
export function directText(record: RequestRecord, step: Step, people: NamePeople = mentions): string {
  if (step.state === 'not_sent') return sentence(record, step, people);
  const isForThem = isOwnMistake(record, step);
  const reason = isCardDeleted(record)
    ? 'the card of this request was deleted'
    : `I cannot post in <#${record.channel}>`;
  const why = isForThem ? '' : ` I am writing to you here because ${reason}.`;
  const said = actOf(record, step, people) ?? told(record, step, people, 'with what to do');
  return `*${escaped(plainTitleOf(record))}*: ${said}${why}`;
}

/**
 * Says who approved a request or sent it on, which is all that the reply of such a step tells: later steps have their own
 * replies. undefined for any other step.
 */
function actOf(record: RequestRecord, step: Step, people: NamePeople): string | undefined {
  const { cause, state, n } = step;
  if (cause.type === 'decision' && cause.choice === 'yes') return approved(record, step, people(cause.by));
  if (cause.type === 'person' && state === 'queued') return sentBy(record, step);
  if (cause.type !== 'approval_requested_again') return undefined;
  return `${capital(mention(cause.by))} wants to send the request${orAgain(record, n)}, and it needs approval.`;
}
