/** Calls whose claim a failover has undone, while the answer to them is on its way. */
import { describe, expect, test } from 'vitest';
import type { Replicated } from '../../../src/outbox/ports.ts';
import { applyCallResult } from '../../../src/requests/engine/apply-call.ts';
import { applyExpiredClaim } from '../../../src/requests/engine/effects.ts';
import type { Answer } from '../../../src/requests/model/cause.ts';
import { type RequestRecord, slotOf } from '../../../src/requests/model/record.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { type TransitionCause, transition } from '../../../src/requests/model/transition.ts';
import type { Called, OrderCalls } from '../../../src/requests/ports/ports.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import { advanceRequest } from '../../support/requests/advance-request.ts';
import { createEngineHarness } from '../../support/requests/engine-harness.ts';
import { event, queued, said, statesTold, T0 } from '../../support/requests/records.ts';

const noAnswer: Answer = { type: 'no_answer', why: 'timeout' };
const refused: Answer = { type: 'refused', httpStatus: 422, details: [] };
const notReceived: Answer = { type: 'not_received', why: 'unreachable' };

/** Makes a call whose claim a failover undoes. `meanwhile` happens before its answer is saved. */
async function undo(answer: Answer, meanwhile = (record: RequestRecord): RequestRecord => record) {
  const harness = createEngineHarness({ answer: said('canceled') });
  await harness.create();
  const calls: OrderCalls = {
    async carryOut() {
      const { version, claim: _undone, steps, call, ...rest } = await harness.read();
      const before = { ...rest, version, call: { ...call, attempts: 0 }, steps: steps.slice(0, -1) };
      const undone = meanwhile({ ...before, state: 'queued' });
      await harness.store.update(requestEntry(undone, TIMINGS), version);
      return { answer };
    },
  };
  await advanceRequest(harness.deps({ calls }), queued());
  const end = await harness.play();
  expect(harness.calls).toEqual([]);
  return { ...harness, end };
}

test.each<[string, Answer, string]>([
  ['canceled', said('canceled'), 'unchanged'],
  ['under_review', said('pending'), 'applied'],
  ['failed', refused, 'unmatched'],
  ['unknown', noAnswer, 'applied'],
])(
  'a request is %s by the answer to its call although a failover has undone its claim',
  async (state, answer, news) => {
    const { end, now, recordEvent } = await undo(answer);
    expect(end).toMatchObject({ state, call: { attempts: 1 } });
    expect(await recordEvent(event({ status: 'approved', createdAt: now() }))).toBe(news);
  },
);

const withdrawn = (record: RequestRecord): RequestRecord => ({
  ...(transition(record, { type: 'person', by: 'U1', action: 'withdraw' }, T0) ?? record),
  // Somebody else has the slot meanwhile.
  holdsSlot: false,
});

describe('after a failover has undone the claim of a call, and the request was withdrawn,', () => {
  test('people are told that the call got no answer, and the request wants its slot again', async () => {
    const { end } = await undo(noAnswer, withdrawn);
    expect(statesTold(end)).toEqual(['withdrawn', 'unknown']);
    expect(slotOf(end)).toBeDefined();
  });

  test('people are told what the service said, and its events are about the request', async () => {
    const { end, now, recordEvent } = await undo(said('pending'), withdrawn);
    expect(end).toMatchObject({ state: 'under_review', call: { attempts: 1 } });
    expect(await recordEvent(event({ status: 'approved', createdAt: now() }))).toBe('applied');
  });

  test('a refusal changes nothing, and neither does a call that was not received', async () => {
    for (const answer of [refused, notReceived])
      expect((await undo(answer, withdrawn)).end).toMatchObject({
        state: 'withdrawn',
        call: { attempts: 0 },
      });
  });
});

test('people are told that a call got no answer also if the failover has undone the approval with the claim', async () => {
  const { end } = await undo(noAnswer, (record) => ({ ...record, state: 'awaiting_approval' }));
  expect(end.state).toBe('unknown');
});

test('the denial of the first of three calls says nothing about the second one, which is in doubt while the third one is under way', async () => {
  const { end } = await undo(said('denied'), (record) => {
    const at = T0 + 10_000;
    const causes: TransitionCause[] = [
      { type: 'call_begun' },
      { type: 'answer', answer: noAnswer, attempt: 1 },
      { type: 'person', by: 'U1', action: 'not_received' },
      { type: 'call_begun' },
    ];
    const begun = causes.reduce((next, cause, i) => transition(next, cause, at - 3 + i) ?? next, record);
    const claim = { effect: 'call', attempt: 2, owner: 'another', startedAt: at, expiresAt: at } as const;
    return { ...begun, call: { ...begun.call, attempts: 2 }, claim };
  });
  expect(end).toMatchObject({ state: 'unknown', call: { attempts: 3 } });
  expect(applyCallResult(end, refused, 3, T0).record.state).toBe('unknown');
});

describe('of two calls, the first one with a claim that a failover has undone,', () => {
  type Change = (record: RequestRecord) => RequestRecord;

  /**
   * Plays two calls. The answer to the first one is saved during the second one, or once that has ended.
   *
   * @param between happens between the two answers
   */
  async function playBoth(
    first: Answer,
    second: Answer,
    saved: 'during' | 'after',
    between: Change = (record) => record,
  ) {
    const harness = createEngineHarness({ answer: said('canceled') });
    await harness.create();
    let before = await harness.read();
    const replicated: Replicated = async (work) => {
      before = await harness.read();
      return work();
    };
    const change = async () => {
      const { version, ...record } = await harness.read();
      await harness.store.update(
        requestEntry({ ...between({ ...record, version }), version }, TIMINGS),
        version,
      );
    };
    const answered = Promise.withResolvers<Called>();
    const made: string[] = [];
    const carryOut: OrderCalls['carryOut'] = ({ id }) => {
      made.push(id);
      return answered.promise;
    };
    const others = { calls: { carryOut }, owner: 'another' };
    let other: Promise<unknown> | undefined;
    const begunAt = harness.now();
    const calls: OrderCalls = {
      async carryOut() {
        await harness.store.update(requestEntry(before, TIMINGS), (await harness.read()).version);
        harness.pass(10_000);
        other = advanceRequest(harness.deps(others), queued());
        await expect.poll(async () => (await harness.read()).claim?.owner).toBe('another');
        if (saved === 'after') {
          answered.resolve({ answer: second });
          await other;
          await change();
        }
        return { answer: first };
      },
    };
    await advanceRequest({ ...harness.deps({ calls }), replicated }, queued());
    if (saved === 'during') await change();
    answered.resolve({ answer: second });
    await other;
    const end = await harness.play();
    const { recordEvent, read } = harness;
    const ends = {
      state: end.state,
      calls: 1 + made.length + harness.calls.length,
      doubled: harness.doubled(),
    };
    return { ...ends, end, begunAt, recordEvent, read };
  }

  const BOTH = ['during', 'after'] as const;

  test.each([
    ['no answer, and the second none', noAnswer, noAnswer],
    ['no answer, and the second a refusal', noAnswer, refused],
    ['no answer, and the second no connection', noAnswer, notReceived],
    ['a refusal, and the second no answer', refused, noAnswer],
  ])('if the first one got %s, the request is unknown', async (_title, first, second) => {
    const unknown = { state: 'unknown', calls: 2, doubled: [] };
    for (const saved of BOTH) expect(await playBoth(first, second, saved)).toMatchObject(unknown);
  });

  test.each([
    ['a word', said('canceled'), ['canceled']],
    ['no answer', noAnswer, ['unknown']],
    ['a refusal', refused, ['unknown']],
    ['no connection', notReceived, ['unknown']],
  ])(
    'one reply tells of both, if the first got no answer during the second, and that got %s',
    async (_title, second, told) => {
      const { end } = await playBoth(noAnswer, second, 'during');
      expect(statesTold(end)).toEqual(told);
      expect(end.steps.map(({ n }) => n)).toEqual(end.steps.map((_, i) => i + 1));
    },
  );

  test('a person can say that none was received only once both have ended', async () => {
    const unheard: Change = (record) =>
      transition(record, { type: 'person', by: 'U1', action: 'not_received' }, T0) ?? record;
    expect(await playBoth(noAnswer, noAnswer, 'during', unheard)).toMatchObject({
      state: 'unknown',
      calls: 2,
    });
  });

  test('a process that ends in the second one leaves the request unknown', async () => {
    const expired: Change = (record) => {
      if (!record.claim) throw new Error('Nothing is claimed.');
      const { record: next } = applyExpiredClaim(record, record.claim, TIMINGS, T0);
      expect(next.state).toBe('unknown');
      return next;
    };
    const { end } = await playBoth(noAnswer, notReceived, 'during', expired);
    expect(end.state).toBe('unknown');
  });

  test('events about either of them are about the request, though neither got an answer', async () => {
    for (const saved of BOTH)
      for (const ms of [500, 10_500]) {
        const { recordEvent, begunAt } = await playBoth(noAnswer, noAnswer, saved);
        expect(await recordEvent(event({ status: 'approved', createdAt: begunAt + ms }))).toBe('applied');
      }
  });

  test('a proof that the second one was not received leaves the first one in doubt', async () => {
    const { end } = await playBoth(noAnswer, noAnswer, 'after');
    expect(applyCallResult(end, notReceived, 1, T0).record.state).toBe('unknown');
  });

  test('a word about the second one settles the request, whatever came of the first one', async () => {
    for (const first of [noAnswer, refused])
      for (const saved of BOTH)
        expect(await playBoth(first, said('canceled'), saved)).toMatchObject({ state: 'canceled', calls: 2 });
  });

  test('a word about the first one settles the request, whatever came of the second one', async () => {
    for (const second of [noAnswer, refused, notReceived])
      expect(await playBoth(said('canceled'), second, 'during')).toMatchObject({
        state: 'canceled',
        calls: 2,
      });
    expect(await playBoth(said('canceled'), noAnswer, 'after')).toMatchObject({
      state: 'canceled',
      calls: 2,
    });
  });

  test.each([
    ['denied', said('denied'), said('pending'), 'under_review'],
    ['denied', said('denied'), said('approved'), 'approved'],
    ['denied', said('denied'), noAnswer, 'unknown'],
    ['under review', said('pending'), said('denied'), 'denied'],
    ['under review', said('pending'), noAnswer, 'unknown'],
    ['approved', said('approved'), noAnswer, 'approved'],
    ['approved', said('approved'), said('pending'), 'approved'],
    ['approved', said('approved'), said('denied'), 'approved'],
    ['under review', said('pending'), refused, 'under_review'],
    ['denied', said('denied'), refused, 'denied'],
    ['under review', said('pending'), notReceived, 'under_review'],
  ])(
    'that the first one is %s says nothing about the second one, unless the order is cancelled',
    async (_word, first, second, state) => {
      for (const saved of BOTH)
        expect([saved, (await playBoth(first, second, saved)).state]).toEqual([saved, state]);
    },
  );

  test('events about the first one are about the request, though it was said to be under review while the second one was in doubt', async () => {
    for (const saved of BOTH) {
      const { recordEvent, begunAt } = await playBoth(said('pending'), noAnswer, saved);
      expect(await recordEvent(event({ status: 'approved', createdAt: begunAt + 500 }))).toBe('applied');
    }
  });

  test.each([
    ['pending', 'pending'],
    ['pending', 'denied'],
    ['accepted', 'pending'],
  ] as const)(
    'events about the first one, said to be %s, and about the second one, said to be %s, are about the request',
    async (first, second) => {
      for (const saved of BOTH)
        for (const ms of [500, 10_500]) {
          const { recordEvent, begunAt, read } = await playBoth(
            said(first, T0 + 500),
            said(second, T0 + 10_500),
            saved,
          );
          const approved = event({ status: 'approved', createdAt: T0 + ms, updatedAt: begunAt + 60_000 });
          expect([saved, ms, await recordEvent(approved)]).toEqual([saved, ms, 'applied']);
          expect((await read()).state).toBe('approved');
        }
    },
  );

  test.each([
    ['approved', 'pending', 10_500],
    ['approved', 'denied', 10_500],
    ['pending', 'approved', 500],
    ['denied', 'approved', 500],
  ] as const)(
    'an order that one call has cancelled stays so: the first one is %s, the second one %s, and an event %i ms after the start denies the other',
    async (first, second, ms) => {
      for (const saved of BOTH) {
        const { recordEvent, begunAt, read } = await playBoth(
          said(first, T0 + 500),
          said(second, T0 + 10_500),
          saved,
        );
        const denied = event({ status: 'denied', createdAt: T0 + ms, updatedAt: begunAt + 60_000 });
        await recordEvent(denied);
        expect([saved, (await read()).state]).toEqual([saved, 'approved']);
      }
    },
  );

  test('an event takes back the approval of the call that it is about: the later one is still under review', async () => {
    for (const saved of BOTH) {
      const { recordEvent, begunAt, read } = await playBoth(
        said('approved', T0 + 500),
        said('pending', T0 + 10_500),
        saved,
      );
      await recordEvent(event({ status: 'denied', createdAt: T0 + 500, updatedAt: begunAt + 60_000 }));
      expect([saved, (await read()).state]).toEqual([saved, 'under_review']);
    }
  });

  test.each([
    ['approved', 'canceled'],
    ['canceled', 'approved'],
  ] as const)(
    'an immediate cancellation is final: the first one is %s, the second one %s',
    async (first, second) => {
      for (const saved of BOTH) {
        const { end, recordEvent, begunAt, read } = await playBoth(
          said(first, T0 + 500),
          said(second, T0 + 10_500),
          saved,
        );
        expect([saved, end.state]).toEqual([saved, 'canceled']);
        for (const ms of [500, 10_500])
          await recordEvent(event({ status: 'denied', createdAt: T0 + ms, updatedAt: begunAt + 60_000 }));
        expect([saved, (await read()).state]).toEqual([saved, 'canceled']);
      }
    },
  );

  test('an approval of the first one is told, though it is from before the second one', async () => {
    for (const saved of BOTH)
      for (const second of ['pending', 'denied'] as const) {
        const { recordEvent, read } = await playBoth(
          said('pending', T0 + 500),
          said(second, T0 + 10_500),
          saved,
        );
        const approved = event({ status: 'approved', createdAt: T0 + 500, updatedAt: T0 + 5_000 });
        expect([saved, second, await recordEvent(approved)]).toEqual([saved, second, 'applied']);
        expect((await read()).state).toBe('approved');
      }
  });

  test('an event about the first one finds the request, though the service spells its id in another case', async () => {
    for (const saved of BOTH)
      for (const second of [said('pending', T0 + 10_500), noAnswer]) {
        const { recordEvent, begunAt } = await playBoth(said('pending', T0 + 500), second, saved);
        const times = { createdAt: T0 + 500, updatedAt: begunAt + 60_000 };
        const approved = event({ target: 'a-1001', status: 'approved', ...times });
        expect([saved, second, await recordEvent(approved)]).toEqual([saved, second, 'applied']);
      }
  });

  test.each<[string, (typeof BOTH)[number], Change?]>([
    ['unknown', 'during'],
    ['unknown', 'after'],
    [
      'closed',
      'after',
      (record) => transition(record, { type: 'person', by: 'U1', action: 'release' }, T0) ?? record,
    ],
  ])(
    'a denial of the first one from before the second one decides nothing while that is in doubt (%s, saved %s)',
    async (state, saved, between) => {
      const { recordEvent, read } = await playBoth(said('pending', T0 + 500), noAnswer, saved, between);
      const denied = event({ status: 'denied', createdAt: T0 + 500, updatedAt: T0 + 3_000 });
      expect([await recordEvent(denied), (await read()).state]).toEqual(['buffered', state]);
    },
  );

  test.each([
    ['pending', 'under_review'],
    ['denied', 'denied'],
  ] as const)('the late answer to the second one, that it is %s, is told', async (status, state) => {
    const { end } = await playBoth(said('pending', T0 + 500), noAnswer, 'after');
    expect(applyCallResult(end, said(status, T0 + 10_500), 1, T0 + 30_000).record.state).toBe(state);
  });

  test('the same word about both is told once', async () => {
    for (const saved of BOTH) {
      const { end } = await playBoth(said('canceled'), said('canceled'), saved);
      expect(statesTold(end)).toEqual(['canceled']);
    }
  });

  test('two refusals end the request as refused, once', async () => {
    for (const saved of BOTH) {
      const { end, ...ends } = await playBoth(refused, refused, saved);
      expect(ends).toMatchObject({ state: 'failed', calls: 2 });
      expect(statesTold(end)).toEqual(['failed']);
    }
  });
});
