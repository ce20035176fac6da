/** Records for tests, brought into any state by the same transitions that the bot uses. */
import fc from 'fast-check';
import { answered, REQUEST, T0, withCard } from '../../../src/catalogue/examples.ts';
import type { ClaimGuard } from '../../../src/outbox/ports.ts';
import { type Answer, type ServiceEvent, WaitingReason } from '../../../src/requests/model/cause.ts';
import { type RequestRecord, seenIn } from '../../../src/requests/model/record.ts';
import { replyOf } from '../../../src/requests/model/record-messages.ts';
import { OUTCOMES, SERVICE_STATUSES } from '../../../src/requests/model/states.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';

export {
  answered,
  CLICK,
  calling,
  carded,
  event,
  queued,
  REQUEST,
  replied,
  T0,
  withCard,
  withRepliesTo,
} from '../../../src/catalogue/examples.ts';

/** The card shows the record as it is now. */
export const withCardShown = (record: RequestRecord): RequestRecord =>
  withCard(record, { upkeep: { shown: record.revision, updateTries: 0, updateAt: T0 } });

/** The states that have a reply, in order. */
export const statesTold = (record: RequestRecord): string[] =>
  record.steps.filter((step) => replyOf(record, step)).map(({ state }) => state);

export const said = (status: (typeof OUTCOMES)[number], requestedAt?: number): Answer => ({
  type: 'said',
  status,
  ...(requestedAt === undefined ? {} : { requestedAt }),
});

export const anyAnswer: fc.Arbitrary<Answer> = fc.oneof(
  fc.record(
    {
      type: fc.constant('said' as const),
      status: fc.constantFrom(...OUTCOMES),
      word: fc.string({ maxLength: 20 }),
      requestedAt: fc.integer({ min: T0 - 10_000, max: T0 + 10_000 }),
    },
    { requiredKeys: ['type', 'status'] },
  ),
  fc.record({
    type: fc.constant('refused' as const),
    httpStatus: fc.integer({ min: 400, max: 499 }),
    code: fc.string(),
    message: fc.string(),
    details: fc.array(fc.record({ field: fc.string(), error: fc.string() }), { maxLength: 3 }),
  }),
  fc.record({ type: fc.constant('not_received' as const), why: fc.constantFrom(...WaitingReason.options) }),
  fc.record({
    type: fc.constant('no_answer' as const),
    why: fc.constantFrom(
      'timeout' as const,
      'server_error' as const,
      'gave_up' as const,
      'cut' as const,
      'interrupted' as const,
    ),
    code: fc.option(fc.string(), { nil: undefined }),
    message: fc.option(fc.string(), { nil: undefined }),
  }),
);

export const anyEvent: fc.Arbitrary<ServiceEvent> = fc
  .record(
    {
      topic: fc.constantFrom('created' as const, 'updated' as const),
      target: fc.constant(REQUEST.target),
      status: fc.constantFrom(...SERVICE_STATUSES, 'accepted' as const),
      word: fc.string({ minLength: 1 }),
      createdAt: fc.integer({ min: T0 - 10_000, max: T0 + 10_000 }),
      updatedAt: fc.integer({ min: T0, max: T0 + 5 }),
      digest: fc.string({ minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: ['topic', 'target', 'status', 'digest'] },
  )
  .map(({ word, ...given }) =>
    given.status === 'accepted' && word !== undefined ? { ...given, word } : given,
  );

/** Requests newer than T0: 1,000 open ones in C2 and 200 ended ones in C1. */
export const crowd = (): RequestRecord[] => [
  ...Array.from({ length: 1_000 }, (_, n) =>
    answered(said('pending'), { id: `open${n}`, target: `O-${n}`, channel: 'C2' }, T0 + 1_000),
  ),
  ...Array.from({ length: 200 }, (_, n) =>
    answered(said('canceled'), { id: `ended${n}`, target: `E-${n}` }, T0 + 1_000),
  ),
];

/** A stored entry with no pending effects and no slot, unless given. */
export const restingEntry = (record: RequestRecord) => ({
  ...requestEntry(record, TIMINGS),
  slot: undefined,
  dueAt: undefined,
});

/** A person acts on a request as it is now, with a click of their own. */
export const acting = (record: RequestRecord, by: string) => ({
  workspace: record.workspace,
  id: record.id,
  by,
  seen: seenIn(record),
  click: `${by} ${record.version}`,
});

/** The guard of a claim that nobody has taken over. */
export const HELD: ClaimGuard = { inTime: () => true, isHeld: async () => true };
