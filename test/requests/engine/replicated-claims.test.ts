import { describe, expect, test } from 'vitest';
import { type Replicated, unreplicated } from '../../../src/outbox/ports.ts';
import type { Claim } from '../../../src/requests/model/record.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import type { Called, OrderCalls } from '../../../src/requests/ports/ports.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import { advanceRequest } from '../../support/requests/advance-request.ts';
import { createEngineHarness } from '../../support/requests/engine-harness.ts';
import { queued, said } from '../../support/requests/records.ts';

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
    expect(await harness.advance()).toBe(TIMINGS.apartMs);
    harness.pass(TIMINGS.apartMs);
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

test('a call that was not made, under a claim that a failover has undone, says nothing about the call of another process', async () => {
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
