/** Turns the state of a request and its cause into sentences; nothing else does. */

import { correctedBy } from '../../../requests/model/facts/correction.ts';
import { replyOf } from '../../../requests/model/facts/messages.ts';
import { isOwnMistake } from '../../../requests/model/facts/refusal.ts';
import { currentStep, type RequestRecord, type Step } from '../../../requests/model/record.ts';
import { STATES, type State } from '../../../requests/model/states.ts';
import { changesUpTo } from '../../../requests/model/steps/flips.ts';
import { deedOf, sentenceSubject } from '../../blocks/kind-copy.ts';
import { escaped, mention, mentions, type NamePeople } from '../../blocks/text.ts';
import { awaiting, declined } from './approval-texts.ts';
import { doubt, unsent } from './call-texts.ts';
import { failed, outcome, reopened, type Saying, underReview, unknown } from './service-texts.ts';
import { approved, closed, expired, notSent, queued, withdrawer } from './unanswered-texts.ts';

/** The card's sentences: what has happened, what has not, and what to do next. */
export function sentence(record: RequestRecord, step: Step, people: NamePeople = mentions): string {
  const { happened, now, behind = '' } = SAYINGS[step.state](record, step, people);
  return `${isCurrent(record, step) && now ? `${happened} ${now}` : happened}${behind}`;
}

/** What has led to the present state, without what to do about it. */
export const happened = (record: RequestRecord): string => {
  const step = currentStep(record);
  return SAYINGS[step.state](record, step, mentions).happened;
};

const isCurrent = (record: RequestRecord, step: Step): boolean => step.n === currentStep(record).n;

/** The reply of a step in its thread; outcomes mention the requester. */
export function replyText(record: RequestRecord, step: Step, people: NamePeople = mentions): string {
  const by = approversOf(step);
  if (by) return approved(people(by));
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
  return `${sentence(record, step, people)}${more}${correction}${changesNote(record, step)}`;
}

const times = (n: number): string =>
  n === 1 ? 'once' : n === 2 ? 'twice' : `${n.toLocaleString('en')} times`;

/** How often the service has changed its word, where a reply stands for several changes. */
function changesNote(record: RequestRecord, step: Step): string {
  if (replyOf(record, step)?.upkeep)
    return ` The order service has changed its answer ${times(changesUpTo(record, step))}. I keep this reply up to date instead of posting another one each time.`;
  return step.flips === undefined
    ? ''
    : ` The order service changed its answer ${times(step.flips)} before I could post this, so only the latest one is shown.`;
}

/** The same for the requester alone, when the thread can't be used: it must say what it is about, and why it is here. */
export function directText(record: RequestRecord, step: Step, people: NamePeople = mentions): string {
  if (step.state === 'not_sent') return sentence(record, step, people);
  const isForThem = isOwnMistake(record, step);
  const why = isForThem ? '' : ` I am writing to you here because I cannot post in <#${record.channel}>.`;
  const by = approversOf(step);
  const said = by ? approved(people(by)) : sentenceOnce(record, step, people);
  return `*${escaped(deedOf(record))}*: ${said}${why}`;
}

/** The people whose approval the reply of this step tells; later steps have replies of their own. */
const approversOf = ({ cause }: Step): string[] | undefined =>
  cause.type === 'decision' && cause.choice === 'yes' ? cause.by : undefined;

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
