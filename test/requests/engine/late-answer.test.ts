/** A process is frozen in the middle of a call, past its claim; the others go on, and then it wakes with the answer. */
import { expect, test } from 'vitest';
import { unreplicated } from '../../../src/outbox/ports.ts';
import { applyCallResult } from '../../../src/requests/engine/apply-call.ts';
import type { Answer } from '../../../src/requests/model/cause.ts';
import type { ManualAction } from '../../../src/requests/model/states.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { withCallPutOff } from '../../../src/requests/model/transition.ts';
import { replaceOrYieldSlot } from '../../../src/requests/store/writes.ts';
import { resolveManually } from '../../../src/requests/use-cases/resolve-manually.ts';
import { advanceRequest } from '../../support/requests/advance-request.ts';
import { directoryOf } from '../../support/requests/directory.ts';
import { createEngineHarness } from '../../support/requests/engine-harness.ts';
import { limitDeps } from '../../support/requests/recent-requests.ts';
import { acting, queued, REQUEST, said, statesTold } from '../../support/requests/records.ts';
import { workspacesWith } from '../../support/requests/workspaces.ts';

const REFUSED: Answer = { type: 'refused', httpStatus: 400, code: 'VALIDATION_ERROR', details: [] };
const FROZEN: Answer = { type: 'not_received', why: 'unreachable' };

/** The call is under way, its claim is over, and it is written down that nobody knows what came of it. */
async function frozen(second: Answer) {
  const harness = createEngineHarness({ answer: second });
  await harness.create();
  let wake: (answer: Answer) => void = () => {};
  const answer = new Promise<Answer>((resolve) => {
    wake = resolve;
  });
  const first = advanceRequest(
    { ...harness.deps(), calls: { carryOut: async () => ({ answer: await answer }) } },
    queued(),
  );
  await expect.poll(async () => (await harness.read()).state).toBe('calling');
  harness.pass(TIMINGS.claimMs + 1);
  await advanceRequest({ ...harness.deps(), owner: 'another' }, queued());
  expect((await harness.read()).state).toBe('unknown');

  const deps = {
    store: harness.store,
    replicated: unreplicated,
    directory: directoryOf(),
    workspaces: workspacesWith(),
    timings: TIMINGS,
    wake() {},
    ...limitDeps(harness.now),
  };
  return {
    harness,
    async decide(act: ManualAction) {
      const who = acting(await harness.read(), REQUEST.requester);
      expect((await resolveManually(deps, who, act)).type).toBe('done');
    },
    /** So that it can be withdrawn: nobody may call the service for the moment. */
    async putOff() {
      const record = await harness.read();
      const waiting = withCallPutOff(record, 'rate_limited', harness.now() + 60_000);
      await replaceOrYieldSlot({ store: harness.store, timings: TIMINGS }, record, waiting);
    },
    async wake(late: Answer) {
      wake(late);
      await first;
      return harness.play();
    },
  };
}

const messages = async ({ harness }: Awaited<ReturnType<typeof frozen>>) => statesTold(await harness.read());

test('the late answer to a call ends a request that somebody has withdrawn meanwhile', async () => {
  const harness = await frozen(REFUSED);
  await harness.decide('not_received');
  await harness.putOff();
  await harness.decide('withdraw');
  expect((await harness.wake(said('canceled'))).state).toBe('canceled');
  expect(await messages(harness)).toEqual(['unknown', 'queued', 'withdrawn', 'canceled']);
});

test('a refusal that was written, though Redis did not say so, is told once', async () => {
  const harness = await frozen(REFUSED);
  await harness.decide('not_received');
  const refused = await harness.harness.play();
  const { record } = applyCallResult(refused, REFUSED, 2, harness.harness.now());
  expect(record).toEqual(refused);
  expect(await messages(harness)).toEqual(['unknown', 'queued', 'unknown']);
});

test('the late answer to a call explains why the call that was made again was refused', async () => {
  const harness = await frozen(REFUSED);
  await harness.decide('not_received');
  expect((await harness.harness.play()).state).toBe('unknown');
  expect((await harness.wake(said('canceled'))).state).toBe('canceled');
  expect(harness.harness.calls).toHaveLength(1);
  expect(await messages(harness)).toEqual(['unknown', 'queued', 'unknown', 'canceled']);
});

test('the late answer to a call corrects what somebody has recorded meanwhile', async () => {
  const harness = await frozen(REFUSED);
  await harness.decide('denied');
  expect((await harness.wake(said('canceled'))).state).toBe('canceled');
  expect(await messages(harness)).toEqual(['unknown', 'denied', 'canceled']);
});

test('once a frozen process tells that it made no call, a person can send the request again, and nothing else does', async () => {
  const harness = await frozen(said('canceled'));
  expect((await harness.wake(FROZEN)).state).toBe('failed');
  expect(harness.harness.calls).toEqual([]);
  await harness.decide('retry');
  expect((await harness.harness.play()).state).toBe('canceled');
  expect(harness.harness.calls).toHaveLength(1);
});

test('a frozen process that tells late that it made no call undoes nothing that was done since', async () => {
  const harness = await frozen(said('pending'));
  await harness.decide('not_received');
  await harness.harness.play();
  const before = (await harness.harness.read()).state;
  expect((await harness.wake(FROZEN)).state).toBe(before);
});
