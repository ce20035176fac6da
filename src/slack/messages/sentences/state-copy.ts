/** The words for each state of a request: its label, which is a word or two with an emoji in front, and its sentences. */
import { KINDS, type Kind } from '../../../requests/model/kinds.ts';
import type { LateAction, RequestRecord, Step } from '../../../requests/model/record.ts';
import type { RequestStatus } from '../../../requests/model/request-status.ts';
import type { State } from '../../../requests/model/states.ts';
import { summarize, summarizeAt } from '../../../requests/model/summary.ts';
import { capital, KIND_COPY, type KindCopy, sentenceSubject } from '../../blocks/kind-copy.ts';
import { mention, type NamePeople } from '../../blocks/text.ts';
import { awaiting, declined } from './approval-texts.ts';
import { doubt, unsent } from './call-texts.ts';
import { failed, outcome, reopened, type Saying, underReview, unknown } from './service-texts.ts';
import { closed, expired, notSent, queued, withdrawer } from './waiting-or-ended-texts.ts';

type StateCopy = {
  /** A function where the words depend on the kind: "Cancelled", "Sent". */
  label: string | ((kind: KindCopy) => string);
  /** Says why something can't be done with the request any more, or not now. */
  because: string | ((kind: KindCopy) => string);
  saying: (record: RequestRecord, step: Step, people: NamePeople) => Saying;
};

const doneLabel = ({ participle }: KindCopy): string => `:white_check_mark: ${capital(participle)}`;
const notDoneLabel = ({ participle }: KindCopy): string => `:no_entry: Not ${participle}`;
const OUTCOME_KNOWN = 'the outcome is known by now';

export const STATE_COPY: Record<State, StateCopy> = {
  awaiting_approval: {
    label: ':raised_hand: Awaiting approval',
    because: 'approval of the request was asked for again',
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
    because: 'the order service has received the request',
    saying: underReview,
  },
  unknown: {
    label: ':grey_question: Outcome unknown',
    because: 'the request was sent, and its outcome is not known',
    saying: unknown,
  },
  canceled: {
    label: doneLabel,
    because: OUTCOME_KNOWN,
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
    because: OUTCOME_KNOWN,
    saying: (record, step) =>
      reopened(record, step, `The order service ${KIND_COPY[record.kind].did} after a review`) ??
      outcome(record, step, { answer: 'the order service confirmed it after a review' }),
  },
  denied: {
    label: notDoneLabel,
    because: OUTCOME_KNOWN,
    saying: (record, step) =>
      reopened(record, step, 'The order service decided against it after a review') ??
      outcome(record, step, {
        answer: `the order service decided against it after a review, and the ${KIND_COPY[record.kind].noun} goes on`,
      }),
  },
  sent: {
    label: doneLabel,
    because: OUTCOME_KNOWN,
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
      now: doubt(record, step),
    }),
  },
  withdrawn: {
    label: ':leftwards_arrow_with_hook: Withdrawn',
    because: 'the request was withdrawn',
    saying: (record, step) => ({
      happened: `${withdrawer(record, step.cause)} withdrew the request, and ${unsent(record, step)}.`,
      now: doubt(record, step),
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

/** The label as plain text, for a heading. */
export const plainLabel = (record: RequestRecord): string => withoutEmoji(label(record));

export const label = (record: RequestRecord): string => labelOf({ ...summarize(record), kind: record.kind });

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
export const recordedNoteOf = ({ recordedBy }: RequestStatus): string =>
  recordedBy === undefined ? '' : ` · recorded by ${mention(recordedBy)}`;
