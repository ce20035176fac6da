/** Chooses the sentences about each step of a request, by its state and cause; most are written in the files beside it. */
import { KINDS, type Kind } from '../../../requests/model/kinds.ts';
import {
  currentStep,
  type LateAction,
  type RequestRecord,
  type Step,
} from '../../../requests/model/record.ts';
import { replyOf } from '../../../requests/model/record-messages.ts';
import { isOwnMistake } from '../../../requests/model/refusal.ts';
import { type RequestStatus, STATES, type State } from '../../../requests/model/states.ts';
import { personCorrectedBy, summarize, summarizeAt } from '../../../requests/model/summary.ts';
import { changesUpTo } from '../../../requests/model/transition.ts';
import { isOnItsWay } from '../../../requests/use-cases/possible-actions.ts';
import { escaped, mention, mentions, type NamePeople } from '../../blocks/text.ts';
import { awaiting, declined } from './approval-texts.ts';
import {
  capital,
  doubt,
  KIND_COPY,
  type KindCopy,
  plainTitleOf,
  sentenceSubject,
  titleInThread,
  titleOf,
  unsent,
} from './request-words.ts';
import { failed, outcome, reopened, type Saying, underReview, unknown } from './service-texts.ts';
import {
  approved,
  closed,
  expired,
  notSent,
  queued,
  sentBy,
  wants,
  whyDirectly,
  withdrawer,
} from './waiting-or-ended-texts.ts';

/** The sentences about a step: what has happened and, for the current step, what to do next. */
export function sentence(record: RequestRecord, step: Step, people: NamePeople = mentions): string {
  const { happened, next, quoted = '' } = sayingOf(record, step, people);
  return `${isCurrent(record, step) && next ? `${happened} ${next}` : happened}${quoted}`;
}

/** The sentences about the present step, right above its buttons. */
export function sentenceAtButtons(record: RequestRecord): string {
  const { happened, next, here = next, quoted = '' } = sayingOf(record);
  return `${[happened, here].filter(Boolean).join(' ')}${quoted}`;
}

/** Says what led to the present state, without what to do about it and without words of the order service. */
export const whatHappened = (record: RequestRecord): string => sayingOf(record).happened;

/** The line beneath the title of a card: what its title, its footer and its thread don't say. */
export function cardLine(record: RequestRecord): string | undefined {
  const { happened, next, card } = sayingOf(record);
  const isToldInThread = STATES[record.state].reply !== 'none';
  return card ?? (isToldInThread ? next : [happened, next].filter(Boolean).join(' '));
}

const sayingOf = (record: RequestRecord, step = currentStep(record), people = mentions): Saying =>
  STATE_COPY[step.state].saying(record, step, people);

const isCurrent = (record: RequestRecord, step: Step): boolean => step.n === currentStep(record).n;

/**
 * The reply of a step in its thread or in the channel, which says what it is about where it does not stand under its own card;
 * outcomes mention the requester. What to do is on the card.
 */
export function replyText(
  record: RequestRecord,
  step: Step,
  people: NamePeople = mentions,
  place: 'thread' | 'channel' = 'thread',
): string {
  const act = actOf(record, step, people);
  const said = act ?? told(record, step, people);
  // An outcome begins with its order or offer.
  const inThread = said.startsWith(sentenceSubject(record)) ? '' : titleInThread(record);
  const title = place === 'channel' ? `${titleOf(record)}: ` : inThread;
  const isFor = capital(mention(record.requester));
  // A person who acted on their own request is mentioned by that.
  const isMentioned = !act && STATES[step.state].reply === 'mention' && !said.startsWith(isFor);
  return `${isMentioned ? `${isFor}: ` : ''}${title}${said}`;
}

/** The text of a reply. @param more whether it also says what to do, for readers who see no card */
function told(record: RequestRecord, step: Step, people: NamePeople, more?: 'with what to do'): string {
  const { happened, next, detail, direct = next, quoted = '' } = sayingOf(record, step, people);
  const corrected = personCorrectedBy(record, step);
  const isTheirOwn = corrected !== undefined && 'by' in step.cause && step.cause.by === corrected;
  const said = [
    happened,
    ...(isCurrent(record, step) ? [more && direct, detail] : []),
    corrected &&
      `This corrects what ${isTheirOwn ? 'they recorded before' : `${mention(corrected)} recorded`}.`,
  ];
  return `${said.filter(Boolean).join(' ')}${changesNote(record, step)}${quoted}`;
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
  const why = isOwnMistake(record, step) ? '' : ` I am writing to you here because ${whyDirectly(record)}.`;
  const said = actOf(record, step, people) ?? told(record, step, people, 'with what to do');
  return `*${escaped(plainTitleOf(record))}*: ${said}${why}`;
}

/**
 * Says who approved a request or sent it on, which is all that the reply of such a step tells: later steps have their own
 * replies. undefined for any other step.
 */
function actOf(record: RequestRecord, step: Step, people: NamePeople): string | undefined {
  const { cause, state } = step;
  if (cause.type === 'decision' && cause.choice === 'yes') return approved(record, step, people(cause.by));
  if (cause.type === 'person' && state === 'queued') return `${sentBy(record, step)}.`;
  if (cause.type !== 'approval_requested_again') return undefined;
  return `${capital(mention(cause.by))} ${wants(record, step)}, and it needs approval.`;
}

type StateCopy = {
  /** A word or two with an emoji in front. A function where the words depend on the kind: "Cancelled", "Sent". */
  label: string | ((kind: KindCopy) => string);
  /** Says why something can't be done with the request any more, or not now. */
  because: string | ((kind: KindCopy) => string);
  saying: (record: RequestRecord, step: Step, people: NamePeople) => Saying;
};

const doneLabel = ({ participle }: KindCopy): string => `:white_check_mark: ${capital(participle)}`;
const notDoneLabel = ({ participle }: KindCopy): string => `:no_entry: Not ${participle}`;
/** Only an event tells of a review: an answer to the call may decide at once. */
const afterReview = ({ cause }: Step): string => (cause.type === 'event' ? ' after a review' : '');
const HAS_OUTCOME = 'an outcome has been received or recorded';

const STATE_COPY: Record<State, StateCopy> = {
  awaiting_approval: {
    label: ':raised_hand: Awaiting approval',
    because: 'the request awaits approval',
    saying: (record) => ({ happened: awaiting(record) }),
  },
  queued: {
    label: ':hourglass_flowing_sand: Queued',
    because: 'the request is waiting to be sent',
    saying: queued,
  },
  calling: {
    label: ':hourglass_flowing_sand: Being sent',
    because: 'the request is being sent to the order service right now',
    saying: () => ({ happened: 'Waiting for the order service to answer.' }),
  },
  under_review: {
    label: ':mag: In review',
    because: 'the request counts as received',
    saying: underReview,
  },
  unknown: {
    label: ':grey_question: Outcome unknown',
    because: 'the request may have been received, and its outcome is not known',
    saying: unknown,
  },
  canceled: {
    label: doneLabel,
    because: HAS_OUTCOME,
    saying: (record, step) =>
      reopened(record, step, `The order service ${KIND_COPY[record.kind].did}`) ??
      outcome(record, step, {
        answer: KINDS[record.kind].recordable.includes('in_review')
          ? 'the order service confirmed it at once'
          : 'the order service confirmed it',
        event: 'the order service announced it',
      }),
  },
  approved: {
    label: doneLabel,
    because: HAS_OUTCOME,
    saying: (record, step) =>
      reopened(record, step, `The order service ${KIND_COPY[record.kind].did}${afterReview(step)}`) ??
      outcome(record, step, { answer: `the order service confirmed it${afterReview(step)}` }),
  },
  denied: {
    label: notDoneLabel,
    because: HAS_OUTCOME,
    saying: (record, step) =>
      reopened(record, step, `The order service decided against it${afterReview(step)}`) ??
      outcome(record, step, {
        answer: `the order service decided against it${afterReview(step)}, and the ${KIND_COPY[record.kind].noun} stands`,
      }),
  },
  sent: {
    label: doneLabel,
    because: HAS_OUTCOME,
    saying: (record, step) => outcome(record, step, { answer: 'the order service confirmed it' }),
  },
  failed: {
    label: ':x: Refused by the order service',
    because: 'the request has failed',
    saying: failed,
  },
  declined: {
    label: ':no_entry: Declined',
    because: 'the request was declined',
    saying: (record, step, people) => ({
      happened: declined(record, step, people),
      next: doubt(record, step),
    }),
  },
  withdrawn: {
    label: ':leftwards_arrow_with_hook: Withdrawn',
    because: 'the request was withdrawn',
    saying: (record, step) => ({
      happened: `${withdrawer(record, step.cause)} withdrew the request, and ${unsent(record, step)}.`,
      next: doubt(record, step),
    }),
  },
  already_canceled: {
    label: doneLabel,
    because: ({ noun, participle }) => `the ${noun} is already ${participle}`,
    saying: (record, step) => ({
      happened:
        `${sentenceSubject(record)} is already ${KIND_COPY[record.kind].participle}: the order service announced it. ` +
        `Approval is no longer needed, and ${unsent(record, step)}.`,
    }),
  },
  expired: { label: ':hourglass: Expired', because: 'the request has expired', saying: expired },
  not_sent: { label: ':x: Stopped', because: 'the request was stopped', saying: notSent },
  closed: { label: ':lock: Closed', because: 'the request was closed', saying: closed },
};

/** The label of a request that failed without a refusal: it became known later that no call was received. */
export const NOT_RECEIVED = ':x: Not received';

const HOW: Record<NonNullable<RequestStatus['how']>, string> = {
  accepted: ':inbox_tray: Accepted',
  not_received: NOT_RECEIVED,
  not_asked: ':x: Not sent',
};

export const withoutEmoji = (text: string): string => text.replace(/^:\w+: /, '');

export const plainLabel = (record: RequestRecord): string => withoutEmoji(label(record));

export const label = (record: RequestRecord): string =>
  isOnItsWay(record)
    ? stateLabel(record.kind, 'calling')
    : labelOf({ ...summarize(record), kind: record.kind });

export const stepLabel = (record: RequestRecord, step: Step): string =>
  labelOf({ ...summarizeAt(record, step), kind: record.kind });

export const labelOf = ({ kind, state, how }: RequestStatus & { kind: Kind }): string =>
  how ? HOW[how] : stateLabel(kind, state);

export const stateLabel = (kind: Kind, state: State): string => forKind(STATE_COPY[state].label, kind);

/** Says that an action was not done: the beginning of a sentence. */
export const NOT_DONE: Record<LateAction['action'], string> = {
  approved: 'Not recorded',
  denied: 'Not recorded',
  sent: 'Not recorded',
  canceled: 'Not recorded',
  in_review: 'Not recorded',
  not_received: 'Not recorded',
  never_received: 'Not recorded',
  retry: 'Not retried',
  release: 'Not closed',
  withdraw: 'Not withdrawn',
  approve: 'Vote not counted',
  decline: 'Vote not counted',
};

/** Explains why something can't be done with a request any more, or not now: the end of a sentence. */
export const whyNotNow = ({ kind, state }: { kind: Kind; state: State }): string =>
  forKind(STATE_COPY[state].because, kind);

const forKind = (text: string | ((kind: KindCopy) => string), kind: Kind): string =>
  typeof text === 'string' ? text : text(KIND_COPY[kind]);

export const recordedNote = (record: RequestRecord): string => recordedNoteOf(summarize(record));

/** The note behind the label of an outcome that a person recorded, which is not the word of the order service. */
export const recordedNoteOf = ({ recordedBy }: RequestStatus, people: NamePeople = mentions): string =>
  recordedBy === undefined ? '' : ` · recorded by ${people([recordedBy])}`;
