import { describe, expect, test } from 'vitest';
import { type Replicated, unreplicated } from '../../../src/outbox/ports.ts';
import type { Answer } from '../../../src/requests/model/cause.ts';
import { TIMINGS } from '../../../src/requests/model/pending-effects.ts';
import { type Claim, type RequestRecord, slotOf } from '../../../src/requests/model/record.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import type { Called, OrderCalls } from '../../../src/requests/ports/ports.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import { advanceRequest } from '../../support/requests/advance-request.ts';
import { createEngineHarness } from '../../support/requests/engine-harness.ts';
import { event, queued, said, statesTold, T0 } from '../../support/requests/records.ts';

const noAnswer: Answer = { type: 'no_answer', why: 'timeout' };
const refused: Answer = { type: 'refused', httpStatus: 422, details: [] };
const notReceived: Answer = { type: 'not_received', why: 'unreachable' };

/** An engine over a storage whose replicas confirm nothing while one of these effects is claimed. */
async function setUp(...unconfirmed: Claim['effect'][]) {
  const harness = createEngineHarness({ answer: said('canceled') });
  await harness.create();
  const replicated: Replicated = async (work) => {
    const result = await work();
    const { claim } = await harness.read();
    if (claim && unconfirmed.includes(claim.effect)) throw new Error('Not all replicas have confirmed.');
    return result;
  };
  return { ...harness, advance: () => advanceRequest({ ...harness.deps(), replicated }, queued()) };
}

describe('while no replica confirms the claim', () => {
  test('of a post nothing is posted, and it is tried again soon', async () => {
    const harness = await setUp('post');
    expect(await harness.advance()).toBe(1_000);
    expect(harness.slack).toEqual([]);
    expect(await harness.read()).not.toHaveProperty('claim');
    await harness.play();
    expect(harness.doubled()).toEqual([]);
    expect(harness.calls).toHaveLength(1);
  });

  test('of a call no call is made, and the card says that it was interrupted', async () => {
    const harness = await setUp('call');
    await harness.advance();
    expect(harness.calls).toEqual([]);
    expect(await harness.read()).toMatchObject({ state: 'queued', call: { waiting: 'interrupted' } });
    expect((await harness.play()).state).toBe('canceled');
    expect(harness.calls).toHaveLength(1);
  });

  test('of an update the message shows what it did, and it is tried again', async () => {
    const harness = await setUp('update');
    await harness.advance();
    expect(await harness.read()).toMatchObject({
      state: 'canceled',
      messages: [{ upkeep: { shown: 1 } }, { type: 'reply' }],
    });
    await harness.play();
    expect(await harness.read()).toMatchObject({
      state: 'canceled',
      messages: [{ upkeep: { shown: 2 } }, { type: 'reply' }],
    });
  });
});

test('a claim that another process was faster to write is left to it', async () => {
  const harness = createEngineHarness({ answer: said('canceled') });
  await harness.create();
  const replicated: Replicated = async (work) => {
    await advanceRequest({ ...harness.deps(), owner: 'another', replicated: unreplicated }, queued());
    return work();
  };
  await advanceRequest({ ...harness.deps(), replicated }, queued());
  expect(harness.doubled()).toEqual([]);
  expect(harness.calls).toHaveLength(1);
});

test('that a call was not made under a claim which a failover has undone says nothing of the call of another process', async () => {
  const harness = createEngineHarness({ answer: said('canceled') });
  await harness.create();
  const lost = Promise.withResolvers<Called>();
  const calls: OrderCalls = {
    async carryOut({ id }) {
      harness.calls.push(id);
      return lost.promise;
    },
  };
  let others: Promise<unknown> | undefined;
  const replicated: Replicated = async (work) => {
    const { state, ...before } = await harness.read();
    const result = await work();
    const { claim, version } = await harness.read();
    if (claim?.effect !== 'call' || others) return result;
    await harness.store.update(requestEntry({ ...before, state }, TIMINGS), version);
    harness.pass(1);
    others = advanceRequest({ ...harness.deps({ calls }), owner: 'another' }, queued());
    await expect.poll(() => harness.calls).toHaveLength(1);
    throw new Error('The connection was lost.');
  };
  await advanceRequest({ ...harness.deps(), replicated }, queued());
  expect(await harness.read()).toMatchObject({ state: 'calling', claim: { owner: 'another' } });
  lost.resolve({ answer: { type: 'no_answer', why: 'timeout' } });
  await others;
  expect((await harness.play()).state).toBe('unknown');
  expect(harness.calls).toHaveLength(1);
});

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

test('that a call got no answer is told although a failover has undone its claim, and the request was withdrawn since', async () => {
  const withdraw = { type: 'person', by: 'U1', action: 'withdraw' } as const;
  const { end } = await undo(noAnswer, (record) => transition(record, withdraw, T0) ?? record);
  expect(statesTold(end)).toEqual(['withdrawn', 'unknown']);
  expect(slotOf(end)).toBeDefined();
});

describe('of two calls, the claim of the first of which a failover has undone', () => {
  /** Plays two calls. The answer to the first one is saved during the second one, or once that has ended. */
  async function playBoth(first: Answer, second: Answer, saved: 'during' | 'after') {
    const harness = createEngineHarness({ answer: said('canceled') });
    await harness.create();
    let before = await harness.read();
    const replicated: Replicated = async (work) => {
      before = await harness.read();
      return work();
    };
    const answered = Promise.withResolvers<Called>();
    const others = { calls: { carryOut: () => answered.promise }, owner: 'another' };
    let other: Promise<unknown> | undefined;
    const calls: OrderCalls = {
      async carryOut() {
        await harness.store.update(requestEntry(before, TIMINGS), (await harness.read()).version);
        harness.pass(1);
        other = advanceRequest(harness.deps(others), queued());
        await expect.poll(async () => (await harness.read()).claim?.owner).toBe('another');
        if (saved === 'after') {
          answered.resolve({ answer: second });
          await other;
        }
        return { answer: first };
      },
    };
    await advanceRequest({ ...harness.deps({ calls }), replicated }, queued());
    answered.resolve({ answer: second });
    await other;
    const { state } = await harness.play();
    return { state, calls: 2 + harness.calls.length, doubled: harness.doubled() };
  }

  test.each([
    ['no answer, and the second none', noAnswer, noAnswer],
    ['no answer, and the second a refusal', noAnswer, refused],
    ['no answer, and the second no connection', noAnswer, notReceived],
    ['a refusal, and the second no answer', refused, noAnswer],
  ])('if the first one got %s, the request is unknown', async (_title, first, second) => {
    const unknown = { state: 'unknown', calls: 2, doubled: [] };
    expect(await playBoth(first, second, 'during')).toEqual(unknown);
    expect(await playBoth(first, second, 'after')).toEqual(unknown);
  });

  test('a word about the second one settles the request, whatever came of the first one', async () => {
    for (const first of [noAnswer, refused])
      for (const saved of ['during', 'after'] as const)
        expect(await playBoth(first, said('canceled'), saved)).toMatchObject({ state: 'canceled', calls: 2 });
  });

  test('two refusals are a refusal', async () => {
    expect(await playBoth(refused, refused, 'during')).toMatchObject({ state: 'failed', calls: 2 });
    expect(await playBoth(refused, refused, 'after')).toMatchObject({ state: 'failed', calls: 2 });
  });
});
