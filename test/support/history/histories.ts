/** Random histories of one request. */
import fc from 'fast-check';
import { type Answer, WaitingReason } from '../../../src/requests/model/cause.ts';
import type { Kind } from '../../../src/requests/model/kinds.ts';
import { ApproversProblem } from '../../../src/requests/model/policy.ts';
import { MANUAL_ACTION_NAMES, type ManualAction, type OUTCOMES } from '../../../src/requests/model/states.ts';
import { isReviewed, KINDS } from '../seen-requests.ts';

/** The service's answer to a call that it accepts. `accepted`: without a status, or with an unlisted one. */
export type Outcome = (typeof OUTCOMES)[number];

const REQUESTER = 'U1';
export const APPROVER = 'UCARA';
export const ADMIN = 'UOLGA';

type NotReceived = Extract<Answer, { type: 'not_received' }>;
type NoAnswer = Extract<Answer, { type: 'no_answer' }>;
type Refused = Extract<Answer, { type: 'refused' }>;

/** The fate of a call at the service, and of its answer on the way back. */
export type Fate = { lost: NoAnswer | undefined } & (
  | { at: 'nowhere'; answer: NotReceived }
  | { at: 'refused'; answer: Refused }
  | { at: 'taken'; outcome: Outcome; word: string | undefined }
);

export type Action =
  | { do: 'call'; fate: Fate }
  /** The answer to a call arrives, in time or late. `which`: counted back from the last call without an answer. */
  | { do: 'answer'; which: number }
  /** The process that makes the call is frozen until its claim has expired. */
  | { do: 'freeze' }
  | { do: 'put_off'; why: WaitingReason }
  /** An admin pauses sending, or resumes it. */
  | { do: 'pause'; isOn: boolean }
  /** The approvers cannot be resolved, or can again. */
  | { do: 'trouble'; problem: ApproversProblem | undefined }
  | { do: 'expire' }
  | { do: 'vote'; yes: boolean }
  | { do: 'person'; by: string; act: ManualAction }
  /** The reviewers of the service decide, or set an unlisted status. The event is sent, but has not arrived yet. */
  | { do: 'review'; which: number; outcome: 'approved' | 'denied' | 'pending' | 'accepted' }
  /** One of the events arrives, perhaps late or repeated. */
  | { do: 'event'; which: number }
  /** An event about a cancellation that was requested elsewhere: just now, or before this request was created. */
  | { do: 'elsewhere'; outcome: 'approved' | 'canceled' | 'denied' | 'pending'; isOld: boolean };

export type History = { kind: Kind; needsApproval: boolean; actions: Action[] };

const lost: fc.Arbitrary<NoAnswer> = fc.record({
  type: fc.constant('no_answer'),
  why: fc.constantFrom('timeout', 'server_error', 'redirected', 'unreadable', 'contradictory', 'cut'),
});

const nowhere: fc.Arbitrary<NotReceived> = fc.record({
  type: fc.constant('not_received'),
  why: fc.constantFrom(...WaitingReason.options),
});

const refused: fc.Arbitrary<Refused> = fc
  .constantFrom(
    [400, 'VALIDATION_ERROR'],
    [401, 'UNAUTHORIZED'],
    [403, 'FORBIDDEN'],
    [404, 'FORBIDDEN'],
    [401, 'VALIDATION_ERROR'],
    [404, 'OFFER_NOT_FOUND'],
    [409, 'OFFER_CANCELLATION_ERROR'],
    [409, undefined],
    [404, undefined],
    // An id that no URL can hold: no call is made.
    [0, 'INVALID_ID'],
    [200, undefined],
  )
  .map(
    ([httpStatus, code]): Refused => ({
      type: 'refused',
      httpStatus: Number(httpStatus),
      details: [],
      ...(code === undefined ? {} : { code: String(code), message: 'No' }),
    }),
  );

const fate = (kind: Kind): fc.Arbitrary<Fate> => {
  const word = fc.constantFrom(undefined, 'ESCALATED');
  const maybe = fc.option(lost, { nil: undefined, freq: 1 });
  return fc.oneof(
    fc.record({ at: fc.constant('nowhere' as const), answer: nowhere, lost: maybe }),
    fc.record({ at: fc.constant('refused' as const), answer: refused, lost: maybe }),
    fc.record({
      at: fc.constant('taken' as const),
      outcome: fc.constantFrom<Outcome>(...KINDS[kind].words),
      word,
      lost: maybe,
    }),
  );
};

/** Draws one action. Actions that make the request go on are more frequent; impossible ones are skipped when played. */
function action(kind: Kind): fc.Arbitrary<Action> {
  const which = fc.nat(3);
  const act = <T extends Action['do']>(name: T) => fc.constant(name);
  const problem = fc.constantFrom(undefined, ...ApproversProblem.options);
  const by = fc.constantFrom(REQUESTER, APPROVER, ADMIN, ADMIN);
  const row = (weight: number, arbitrary: fc.Arbitrary<Action>) => ({ weight, arbitrary });
  const ofReviews = [
    row(
      3,
      fc.record({
        do: act('review'),
        which,
        outcome: fc.constantFrom('approved', 'denied', 'pending', 'accepted'),
      }),
    ),
    row(4, fc.record({ do: act('event'), which })),
    row(
      1,
      fc.record({
        do: act('elsewhere'),
        outcome: fc.constantFrom('approved', 'canceled', 'denied', 'pending'),
        isOld: fc.boolean(),
      }),
    ),
  ];
  return fc.oneof(
    row(6, fc.record({ do: act('call'), fate: fate(kind) })),
    row(5, fc.record({ do: act('answer'), which })),
    row(3, fc.record({ do: act('freeze') })),
    row(1, fc.record({ do: act('put_off'), why: fc.constantFrom(...WaitingReason.options) })),
    row(1, fc.record({ do: act('pause'), isOn: fc.constantFrom(true, true, false) })),
    row(1, fc.record({ do: act('expire') })),
    row(2, fc.record({ do: act('trouble'), problem })),
    row(3, fc.record({ do: act('vote'), yes: fc.constantFrom(true, true, true, false) })),
    row(2, fc.record({ do: act('person'), by, act: fc.constantFrom(...MANUAL_ACTION_NAMES) })),
    row(4, fc.record({ do: act('person'), by, act: fc.constantFrom('not_received', 'retry') })),
    ...(isReviewed(kind) ? ofReviews : []),
  );
}

/** The usual course: a decision, a call, an answer or none, and a person who sends it again. */
const round = (kind: Kind): fc.Arbitrary<Action[]> =>
  fc.tuple(
    fc.constant<Action>({ do: 'vote', yes: true }),
    fc.record({ do: fc.constant('call' as const), fate: fate(kind) }),
    fc.oneof(
      fc.record({ do: fc.constant('answer' as const), which: fc.constantFrom(0, 0, 1) }),
      fc.constant<Action>({ do: 'freeze' }),
    ),
    fc.record({
      do: fc.constant('person' as const),
      by: fc.constant(ADMIN),
      act: fc.constantFrom('not_received', 'not_received', 'retry', 'retry', 'approved', 'denied', 'sent'),
    }),
  );

export const history = (kind: Kind): fc.Arbitrary<History> =>
  fc.record({
    kind: fc.constant(kind),
    needsApproval: fc.boolean(),
    actions: fc
      .array(
        fc.oneof(
          round(kind),
          action(kind).map((one) => [one]),
        ),
        { maxLength: 10, size: 'max' },
      )
      .map((parts) => parts.flat()),
  });
