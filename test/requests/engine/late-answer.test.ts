/** A process is frozen in the middle of a call, past its claim; the others go on, and then it wakes with the answer. */
import { expect, test } from 'vitest';
import { advance } from '../../../src/requests/engine/advance.ts';
import type { Answer } from '../../../src/requests/model/cause.ts';
import { TIMINGS } from '../../../src/requests/model/pending-effects.ts';
import { currentStep } from '../../../src/requests/model/record.ts';
import type { ManualAction } from '../../../src/requests/model/states.ts';
import { withCallPutOff } from '../../../src/requests/model/transition.ts';
import { updateRecord } from '../../../src/requests/store/entry.ts';
import { resolveManually } from '../../../src/requests/use-cases/resolve-manually.ts';
import { queued, REQUEST, said } from '../../support/records.ts';
import { createWorld } from '../../support/world.ts';

const REFUSED: Answer = { type: 'refused', httpStatus: 400, code: 'VALIDATION_ERROR', details: [] };
const FROZEN: Answer = { type: 'not_received', why: 'unreachable' };

/** The call is under way, its claim is over, and it is written down that nobody knows what came of it. */
async function frozen(second: Answer) {
  const world = createWorld({ answer: second });
  await world.ask();
  let wake: (answer: Answer) => void = () => {};
  const answer = new Promise<Answer>((resolve) => {
    wake = resolve;
  });
  const first = advance({ ...world.deps(), calls: { carryOut: () => answer } }, queued());
  await expect.poll(async () => (await world.read()).state).toBe('calling');
  world.pass(TIMINGS.claimMs + 1);
  await advance({ ...world.deps(), owner: 'another' }, queued());
  expect((await world.read()).state).toBe('unknown');

  const deps = {
    store: world.store,
    directory: {
      person: async () => ({
        id: REQUEST.requester,
        ownTeam: true,
        isBot: false,
        isDeactivated: false,
        isGuest: false,
        isAdmin: false,
      }),
      mayPost: async () => true,
      isInGroup: async () => false,
      channel: async () => undefined,
      channelNow: async () => undefined,
      isChannelMember: async () => false,
      groupMembers: async () => [],
      channelMembers: async () => [],
    },
    workspaces: { connection: async () => 'connected' as const, settings: async () => ({}) },
    timings: TIMINGS,
    wake() {},
  };
  return {
    world,
    async decide(act: ManualAction) {
      const record = await world.read();
      const who = {
        workspace: REQUEST.workspace,
        id: record.id,
        by: REQUEST.requester,
        step: currentStep(record).n,
      };
      expect((await resolveManually(deps, who, act)).type).toBe('done');
    },
    /** So that it can be withdrawn: nobody may call the service for the moment. */
    async putOff() {
      const record = await world.read();
      const waiting = withCallPutOff(record, 'rate_limited', world.now() + 60_000);
      await updateRecord({ store: world.store, timings: TIMINGS }, waiting, record.version);
    },
    async wake(late: Answer) {
      wake(late);
      await first;
      return world.play();
    },
  };
}

const told = async ({ world }: Awaited<ReturnType<typeof frozen>>) =>
  (await world.read()).steps.filter(({ reply }) => reply).map(({ state }) => state);

test('its answer ends a request that somebody has withdrawn meanwhile', async () => {
  const desk = await frozen(REFUSED);
  await desk.decide('not_received');
  await desk.putOff();
  await desk.decide('withdraw');
  expect((await desk.wake(said('canceled'))).state).toBe('canceled');
  expect(await told(desk)).toEqual(['unknown', 'withdrawn', 'canceled']);
});

test('its answer explains why the call that was made again was refused', async () => {
  const desk = await frozen(REFUSED);
  await desk.decide('not_received');
  expect((await desk.world.play()).state).toBe('unknown');
  expect((await desk.wake(said('canceled'))).state).toBe('canceled');
  expect(desk.world.calls).toHaveLength(1);
  expect(await told(desk)).toEqual(['unknown', 'unknown', 'canceled']);
});

test('its answer corrects what somebody has recorded meanwhile', async () => {
  const desk = await frozen(REFUSED);
  await desk.decide('denied');
  expect((await desk.wake(said('canceled'))).state).toBe('canceled');
  expect(await told(desk)).toEqual(['unknown', 'denied', 'canceled']);
});

test('that it made no call at all lets a person send the request again, and nobody else', async () => {
  const desk = await frozen(said('canceled'));
  expect((await desk.wake(FROZEN)).state).toBe('failed');
  expect(desk.world.calls).toEqual([]);
  await desk.decide('retry');
  expect((await desk.world.play()).state).toBe('canceled');
  expect(desk.world.calls).toHaveLength(1);
});

test('that it made no call undoes nothing that was done since', async () => {
  const desk = await frozen(said('pending'));
  await desk.decide('not_received');
  await desk.world.play();
  const before = (await desk.world.read()).state;
  expect((await desk.wake(FROZEN)).state).toBe(before);
});
