import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { PAUSE } from '../../src/catalogue/examples.ts';
import { defineMetrics } from '../../src/metrics/definitions.ts';
import { createTokenStates } from '../../src/metrics/observe-log.ts';
import { createSample } from '../../src/metrics/sample.ts';
import { SILENT } from '../../src/outbox/ports.ts';
import { byId, NOT_STORED, SETTINGS_ID } from '../../src/outbox/record-store.ts';
import { withPause } from '../../src/requests/model/acts.ts';
import type { RequestRecord } from '../../src/requests/model/record.ts';
import { withDelivery } from '../../src/requests/model/record-messages.ts';
import { TIMINGS } from '../../src/requests/model/timings.ts';
import { requestEntry } from '../../src/requests/store/writes.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open.ts';
import {
  CONNECTION_ID,
  type Connection,
  connectionEntry,
} from '../../src/workspaces/connection/connection.ts';
import { createOrganizations } from '../../src/workspaces/installation/organizations.ts';
import { answered, carded, queued, said, T0, withCardShown } from '../support/requests/records.ts';

const DAY = 86_400_000;

function setUp({ perWorkspace = false } = {}) {
  const opened = openSqliteStorage(':memory:');
  onTestFinished(opened.close);
  const metrics = defineMetrics({ perWorkspace, version: '0', commit: 'a' });
  const tokens = createTokenStates(metrics, () => 0);
  const errors: string[] = [];
  const log = {
    debug() {},
    info() {},
    warn() {},
    error: ({ workspace }: { workspace?: string }, message: string) =>
      void errors.push(workspace ? `${message}: ${workspace}` : message),
  };
  /** Samples a storage of which a part is broken. @returns the gauge of a storage that takes writes */
  const sample = async (broken: Partial<typeof opened> = {}) => {
    const storage = { ...opened, ...broken };
    await createSample({ storage, metrics, now: () => T0, monotonic: () => 0, tokens, log })();
    return (await metrics.storageWritable.get()).values[0]?.value;
  };
  return { ...opened, sample, metrics, tokens, errors };
}

const fail = () => Promise.reject(new Error('It cannot be read.'));

test('a storage that takes writes, but of which something cannot be read, is writable, and the log says so', async () => {
  const { sample, requests, errors } = setUp();
  expect(await sample({ requests: { ...requests, workspaces: fail } })).toBe(1);
  expect(errors).toEqual(['gauges of the storage not set']);
});

test('the clock of the storage is compared with that of the machine', async () => {
  const { sample, requests, metrics } = setUp();
  await sample({ requests: { ...requests, now: async () => T0 - 31_000 } });
  const ahead = async () => (await metrics.storageClockOffset.get()).values[0]?.value;
  expect(await ahead()).toBe(-31);
  await sample({ requests: { ...requests, now: fail }, ping: fail });
  expect(await ahead()).toBe(0);
});

test('what cannot be read of one workspace hides nothing of the others, and the log says so', async () => {
  const { sample, metrics, requests, connections, settings, errors } = setUp();
  const kinds = { T1: 'cancel_order', T2: 'send_offer' } as const;
  for (const [workspace, kind] of Object.entries(kinds))
    await requests.create(requestEntry(queued({ workspace, kind, id: workspace }, T0), TIMINGS));
  const failing =
    <Given extends unknown[], Result>(read: (workspace: string, ...given: Given) => Promise<Result>) =>
    (workspace: string, ...given: Given) =>
      workspace === 'T2' ? fail() : read(workspace, ...given);
  await settings.create(
    byId({
      workspace: 'T1',
      id: SETTINGS_ID,
      version: NOT_STORED,
      settings: { paused: { by: 'U1', at: T0 } },
    }),
  );
  await sample({
    requests: { ...requests, list: failing(requests.list) },
    connections: { ...connections, workspaces: async () => ['T2'], list: fail },
  });
  const open = (await metrics.open.get()).values.map(({ labels }) => labels['kind']);
  expect([open, (await metrics.sendingPaused.get()).values[0]?.value]).toEqual([['cancel_order'], 1]);
  expect(errors).toEqual(['gauges of some workspaces not set: T2', 'gauges of some workspaces not set: T2']);
});

test('a token counts while its installation cannot be read, and keeps no other from being checked', async () => {
  const { sample, metrics, tokens, installations, errors } = setUp();
  for (const workspace of ['T1', 'T2', 'T3'])
    for (const event of ['slack_token_refused', 'slack_token_not_renewed']) tokens.note(event, { workspace });
  const get: typeof installations.get = (ref) => (ref.workspace === 'T1' ? fail() : installations.get(ref));
  await sample({ installations: { ...installations, get } });
  const { values } = await metrics.slackTokens.get();
  const counted = (state: string) => values.find(({ labels }) => labels['state'] === state)?.value;
  expect([counted('refused'), counted('not_renewed')]).toEqual([1, 1]);
  expect(new Set(errors)).toEqual(new Set(['gauges of some workspaces not set: T1']));
});

/** @returns how many requests are overdue, and whether for longer than CountermandEffectsOverdue permits */
async function overdue(record: RequestRecord) {
  const { sample, metrics, requests } = setUp();
  await requests.create(requestEntry(record, TIMINGS));
  await sample();
  const [due, oldest] = await Promise.all([metrics.due.get(), metrics.oldestDue.get()]);
  return { due: due.values[0]?.value, isLong: (oldest.values[0]?.value ?? 0) > 300 };
}

test('a request is overdue while its card or its call is, and not because sending is paused or its card shows less', async () => {
  const tenMinutesAgo = Date.now() - 600_000;
  expect(await overdue(queued({}, tenMinutesAgo))).toEqual({ due: 1, isLong: true });
  const waiting = carded({}, tenMinutesAgo);
  expect(await overdue(waiting)).toEqual({ due: 1, isLong: true });
  const paused = withPause(waiting, { ...PAUSE, at: tenMinutesAgo }, tenMinutesAgo);
  expect(await overdue(withCardShown(paused))).toEqual({ due: 0, isLong: false });
  expect(await overdue(paused)).toEqual({ due: 0, isLong: false });
  const tidies = [{ since: tenMinutesAgo, until: tenMinutesAgo, tries: 0, notBefore: tenMinutesAgo }];
  const copied = withDelivery(withCardShown(paused), 'card', (delivery) => ({ ...delivery, tidies }));
  expect(await overdue(copied)).toEqual({ due: 0, isLong: false });
});

test('the oldest request counts however many newer ones are unfinished, and each counts once', async () => {
  const { sample, metrics, requests } = setUp();
  const now = Date.now();
  const oldest = answered({ type: 'no_answer', why: 'timeout' }, { id: 'oldest', target: 'A-0' }, now - DAY);
  await requests.create(requestEntry(oldest, TIMINGS));
  for (let n = 1; n <= 500; n++) {
    const newer = answered(said('pending'), { id: `${n}`, target: `A-${n}` }, now);
    await requests.create(requestEntry(newer, TIMINGS));
  }
  await sample();
  const [ages, open] = await Promise.all([metrics.oldestOpen.get(), metrics.open.get()]);
  const age = ages.values.find(({ labels }) => labels['state'] === 'unknown')?.value;
  expect(age).toBeGreaterThan(DAY / 1_000 - 1);
  const counts = open.values.map(({ labels, value }) => [labels['state'], value]);
  expect(Object.fromEntries(counts)).toEqual({ under_review: 500, unknown: 1 });
});

test('the oldest request counts also at the limits of a scrape: as many workspaces as it reads, each with as many requests', async () => {
  const { sample, metrics, requests, errors } = setUp();
  const record = carded({}, Date.now() - DAY);
  const list: typeof requests.list = async (workspace, page) =>
    Array.from({ length: page.limit }, (_, n) => {
      return { ...record, workspace, id: `${'after' in page ? 'old' : 'new'}${n}` };
    });
  const workspaces = async () => Array.from({ length: 200 }, (_, n) => `T${n}`);
  await sample({ requests: { ...requests, list, workspaces } });
  const [due, overdue, ages] = await Promise.all(
    [metrics.due, metrics.oldestDue, metrics.oldestOpen].map((each) => each.get()),
  );
  const age = ages?.values.find(({ labels }) => labels['state'] === record.state)?.value;
  expect([due?.values[0]?.value, overdue?.values[0]?.value, age]).toEqual([
    200_000,
    expect.closeTo(DAY / 1_000, -2),
    expect.closeTo(DAY / 1_000, -2),
  ]);
  expect(errors).toEqual([]);
});

test('a request is open no more once it has ended, also while its reply is still to be posted', async () => {
  const { sample, metrics, requests } = setUp();
  const counts = async () => {
    await sample();
    return (await metrics.open.get()).values.map(({ value }) => value);
  };
  const created = await requests.create(requestEntry(queued({}, T0), TIMINGS));
  expect(await counts()).toEqual([1]);
  const ended = requestEntry(answered(said('canceled'), {}, T0), TIMINGS);
  await requests.update(ended, created.type === 'created' ? created.version : 0);
  expect(await counts()).toEqual([]);
});

test('a refused token of a workspace counts while the app is installed in its organization', async () => {
  const { sample, metrics, tokens, installations, organizations } = setUp();
  const get: typeof installations.get = async ({ workspace }) =>
    (workspace === 'E1' ? { record: { installed: { installedAt: 0 } }, now: 0 } : undefined) as never;
  await createOrganizations(organizations).learn('T1', 'E1');
  for (const workspace of ['T1', 'T2']) tokens.note('slack_token_refused', { workspace });
  await sample({ installations: { ...installations, get } });
  const { values } = await metrics.slackTokens.get();
  expect(values.find(({ labels }) => labels['state'] === 'refused')?.value).toBe(1);
});

test('an unfinished request that has lost its order to a later one is not open', async () => {
  const { sample, metrics, requests } = setUp();
  await requests.create(requestEntry({ ...queued({}, T0), holdsSlot: false }, TIMINGS));
  await requests.create(requestEntry(queued({ id: 'later' }, T0), TIMINGS));
  await sample();
  expect((await metrics.open.get()).values.map(({ value }) => value)).toEqual([1]);
});

test('a workspace with few unfinished requests is read once', async () => {
  const { sample, requests } = setUp();
  await requests.create(requestEntry(queued({}, T0), TIMINGS));
  const list = vi.fn(requests.list);
  await sample({ requests: { ...requests, list } });
  expect(list).toHaveBeenCalledTimes(1);
});

test('however many scrapes come, the storage is read at most once in five seconds', async () => {
  const opened = openSqliteStorage(':memory:');
  onTestFinished(opened.close);
  const ping = vi.fn(opened.ping);
  let now = 0;
  const metrics = defineMetrics({ perWorkspace: false, version: '0', commit: 'a' });
  const storage = { ...opened, ping };
  const sample = createSample({
    storage,
    metrics,
    now: () => now,
    monotonic: () => now,
    tokens: undefined,
    log: SILENT,
  });
  for (const ms of [0, 0, 5_000]) {
    now += ms;
    await sample();
  }
  expect(ping).toHaveBeenCalledTimes(1);
  now += 1;
  await Promise.all([sample(), sample()]);
  expect(ping).toHaveBeenCalledTimes(2);
});

test('a storage that takes no writes is left to readiness, which logs it', async () => {
  const { sample, errors } = setUp();
  expect(await sample({ ping: fail })).toBe(0);
  expect(await sample()).toBe(1);
  expect(errors).toEqual([]);
});

describe('the tokens of the order service', () => {
  const STORED: Omit<Connection, 'workspace'> = {
    id: CONNECTION_ID,
    version: NOT_STORED,
    generation: 'g',
    tokenKind: 'rest',
    exclusive: true,
    endpoint: 'e',
    secrets: [{ sealed: 's' }],
    connectedBy: 'U1',
    connectedAt: 0,
  };
  const token = { generation: 'g', fingerprint: 'f' };

  async function counted(...stored: Connection[]) {
    const { sample, metrics, connections } = setUp();
    for (const each of stored) await connections.create(connectionEntry(each));
    await sample();
    const { values } = await metrics.connections.get();
    return Object.fromEntries(values.map(({ labels, value }) => [labels['state'], value]));
  }

  test('are none in a workspace that was disconnected, and still has its events URL', async () => {
    const connections = [
      { ...STORED, workspace: 'T1', token },
      { ...STORED, workspace: 'T2' },
    ];
    expect(await counted(...connections)).toEqual({ paused: 0, accepted: 1 });
  });

  test.each([
    ['paused', { paused: 1, accepted: 0 }],
    ['open', { paused: 0, accepted: 1 }],
    ['over', { paused: 0, accepted: 1 }],
  ] as const)('count as refused while calls wait: a pause that is %s', async (state, expected) => {
    const pause = { state, since: 0, refusals: 1, dueAt: 0, at: 0, told: true };
    expect(await counted({ ...STORED, workspace: 'T1', token, pause })).toEqual(expected);
  });
});

test.each([false, true])(
  'the oldest request of a state is there with its workspace, if the metrics name these: %s',
  async (perWorkspace) => {
    const { sample, metrics, requests } = setUp({ perWorkspace });
    const ages = async () => {
      await sample();
      const { values } = await metrics.oldestOpen.get();
      return values
        .filter(({ labels }) => labels['state'] === 'queued')
        .map(({ labels, value }) => [labels['workspace'], value > 0]);
    };
    expect(await ages()).toEqual([[perWorkspace ? '' : undefined, false]]);
    for (const workspace of ['T1', 'T2'])
      await requests.create(requestEntry(queued({ workspace, id: workspace }, T0), TIMINGS));
    expect(await ages()).toEqual(
      perWorkspace
        ? [
            ['T1', true],
            ['T2', true],
          ]
        : [[undefined, true]],
    );
  },
);
