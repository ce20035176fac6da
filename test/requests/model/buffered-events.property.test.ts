import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyCallResult } from '../../../src/requests/engine/apply-call.ts';
import type { ServiceEvent } from '../../../src/requests/model/cause.ts';
import { applyEvent } from '../../../src/requests/model/events.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { calling, event, T0 } from '../../support/requests/records.ts';

type Drawn = Pick<ServiceEvent, 'topic' | 'status' | 'word'> & { change: number | undefined };

const UNLISTED = { status: 'accepted', word: 'scheduled' } as const;

/** `change`: milliseconds between the creation of the request and the change that the event tells of. */
const created = fc.record<Drawn>({
  topic: fc.constant('created'),
  status: fc.constant('pending'),
  change: fc.constantFrom(0, undefined),
});
const updated = fc
  .record({
    says: fc.constantFrom<Pick<Drawn, 'status' | 'word'>>(
      { status: 'pending' },
      { status: 'approved' },
      { status: 'denied' },
      { status: 'canceled' },
      UNLISTED,
    ),
    change: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
  })
  .map(({ says, change }): Drawn => ({ topic: 'updated', ...says, change }));

/** All events of a case are about one request of the service. */
const eventsOf = (drawn: readonly Drawn[]) =>
  drawn.map(({ change, ...given }, n) =>
    event({
      ...given,
      createdAt: T0,
      ...(change === undefined ? {} : { updatedAt: T0 + change }),
      arrivedAt: T0 + n,
    }),
  );

const withEvents = (record: RequestRecord, events: readonly ServiceEvent[]) =>
  events.reduce((next, each) => applyEvent(next, each, T0).record, record);

const withoutAnswer = (record: RequestRecord) =>
  applyCallResult(record, { type: 'no_answer', why: 'timeout' }, 1, T0).record;

describe('events that come during a call without an answer', () => {
  test('mean the same as if they had come after it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 4, arbitrary: updated }, created), { maxLength: 8 }),
        (drawn) => {
          const events = eventsOf(drawn);
          const { record } = calling();
          const during = withoutAnswer(withEvents(record, events));
          const after = withEvents(withoutAnswer(record), events);
          expect({ state: during.state, word: during.word }).toEqual({
            state: after.state,
            word: after.word,
          });
        },
      ),
      { numRuns: 300 },
    );
  });
});
