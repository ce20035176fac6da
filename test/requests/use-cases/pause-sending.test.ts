import { expect, test } from 'vitest';
import type { Replicated } from '../../../src/outbox/ports.ts';
import type { Settings } from '../../../src/requests/model/settings.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import { pauseSending, resumeSending, showPause } from '../../../src/requests/use-cases/pause-sending.ts';
import { pauseText } from '../../../src/slack/features/settings/settings.ts';
import { carded, T0 } from '../../support/requests/records.ts';
import { createWorkspace } from '../../support/requests/workspace.ts';
import { overwrite } from '../../support/storage/versions.ts';

const OLGA = { workspace: 'T1', by: 'UOLGA' };
const BEN = { workspace: 'T1', by: 'UBEN' };

async function setUp(settingsOf: Settings = { notificationsChannel: 'C1' }) {
  const { deps, state, woken, settings } = createWorkspace();
  await settings.change('T1', settingsOf);
  const lines: object[] = [];
  const log = {
    debug() {},
    info() {},
    error() {},
    warn: (fields: object, line: string) => void lines.push({ ...fields, line }),
  };
  const all = { pauses: settings, replicated: deps.replicated, notifying: deps, log };
  return {
    all,
    state,
    woken,
    lines,
    settings,
    pause: (click: { workspace: string; by: string; moment?: number } = OLGA) => pauseSending(all, click),
    resume: (click: { workspace: string; by: string; moment?: number } = OLGA) => resumeSending(all, click),
    told: async () => {
      const all = await deps.notices.list('T1', { limit: 10 });
      return all
        .map((each) => ('pause' in each ? { type: each.type, by: each.by, channel: each.channel } : each))
        .reverse();
    },
  };
}

test('pausing and resuming are logged, and told in the notifications channel', async () => {
  const { state, pause, resume, told, lines, settings, woken } = await setUp();
  expect(await pause()).toMatchObject({ pause: { by: 'UOLGA', at: T0 }, isNew: true });
  expect((await settings.read('T1')).paused).toEqual({ by: 'UOLGA', at: T0 });
  state.now += 1_000;
  expect(await resume(BEN)).toMatchObject({ pause: { by: 'UOLGA', at: T0 }, isNew: true });
  expect((await settings.read('T1')).paused).toBeUndefined();
  expect(await told()).toEqual([
    { type: 'sending_paused', by: 'UOLGA', channel: 'C1' },
    { type: 'sending_resumed', by: 'UBEN', channel: 'C1' },
  ]);
  expect(woken).toHaveLength(2);
  expect(lines).toEqual([
    { workspace: 'T1', user: 'UOLGA', event: 'sending_paused', line: 'sending paused' },
    { workspace: 'T1', user: 'UBEN', pausedBy: 'UOLGA', pausedAt: T0, line: 'sending resumed' },
  ]);
});

test('whoever pauses or resumes once more changes nothing, and it is told once', async () => {
  const { state, pause, resume, told, lines } = await setUp();
  await pause();
  state.now += 1_000;
  expect(await pause(BEN)).toMatchObject({ pause: { by: 'UOLGA', at: T0 }, isNew: false });
  await resume();
  expect(await resume()).toMatchObject({ pause: { by: 'UOLGA' }, isNew: false });
  expect(await resume(BEN)).toMatchObject({ pause: undefined, isNew: false });
  expect(await told()).toHaveLength(2);
  expect(lines).toHaveLength(2);
});

test('whoever resumes once more within ten minutes has the same answer, and later none', async () => {
  const { state, pause, resume } = await setUp();
  await pause();
  await resume(BEN);
  state.now += 10 * 60_000;
  expect(await resume(BEN)).toMatchObject({ pause: { by: 'UOLGA' }, isNew: false });
  state.now += 1;
  expect(await resume(BEN)).toMatchObject({ pause: undefined, isNew: false });
});

test('a pause and its end are told though the process ends right after the write', async () => {
  const { state, settings, told } = await setUp();
  await settings.pause('T1', { by: 'UOLGA' });
  state.now += 1_000;
  await settings.resume('T1', { by: 'UBEN' });
  expect(await told()).toEqual([
    { type: 'sending_paused', by: 'UOLGA', channel: 'C1' },
    { type: 'sending_resumed', by: 'UBEN', channel: 'C1' },
  ]);
});

test('nobody reads of a pause, or of its end, before the replicas of the storage have it', async () => {
  const { all, settings } = await setUp();
  const replicated: Replicated = async (work) => {
    await work();
    throw new Error('not confirmed');
  };
  for (const change of [pauseSending, resumeSending]) {
    await expect(change({ ...all, replicated }, OLGA)).rejects.toThrow('not confirmed');
    expect((await settings.read('T1')).paused !== undefined).toBe(change === pauseSending);
  }
});

test('a card shows no pause that ended while it was written', async () => {
  const { deps, seed, read, state } = createWorkspace({ settings: { paused: { by: 'UOLGA', at: T0 } } });
  const request = carded();
  await seed(request);
  const { update } = deps.store;
  let isFirst = true;
  deps.store.update = async (...given) => {
    if (isFirst) {
      isFirst = false;
      state.settings = {};
      await overwrite(deps.store, requestEntry(request, TIMINGS));
    }
    return update(...given);
  };
  await showPause(deps, 'T1');
  expect((await read(request)).paused).toBeUndefined();
});

test('a pause is logged also without a notifications channel', async () => {
  const { pause, told, lines } = await setUp({ orderIdPattern: 'A-*' });
  await pause();
  expect([await told(), lines]).toMatchObject([[], [{ line: 'sending paused' }]]);
});

test('a second pause is told like the first', async () => {
  const { state, pause, resume, told } = await setUp();
  await pause();
  state.now += 1_000;
  await resume();
  state.now += 1_000;
  await pause();
  expect((await told()).map((each) => each.type)).toEqual([
    'sending_paused',
    'sending_resumed',
    'sending_paused',
  ]);
});

test('a click that was held up is outdated by a later one, and its answer says so', async () => {
  const { pause, resume, settings } = await setUp();
  await pause({ ...OLGA, moment: 1 });
  await resume({ ...BEN, moment: 3 });
  expect(await pause({ ...OLGA, moment: 1 })).toMatchObject({ pause: undefined, isNew: false });
  expect(await pause({ ...OLGA, moment: 2 })).toMatchObject({ isNew: false });
  expect((await settings.read('T1')).paused).toBeUndefined();
  expect(await pause({ ...OLGA, moment: 4 })).toMatchObject({ isNew: true });
  const late = await resume({ ...BEN, moment: 3 });
  expect(late).toMatchObject({ isNew: false });
  expect(pauseText('resumeSending', late)).toMatch(
    /^<@UOLGA> paused sending .*, after you pressed this, so nothing was changed\.$/,
  );
  expect((await settings.read('T1')).paused).toMatchObject({ by: 'UOLGA' });
});
