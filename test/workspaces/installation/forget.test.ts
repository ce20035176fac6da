import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Adapters, openAdapters } from '../../../src/compose/adapters.ts';
import { readConfig } from '../../../src/config.ts';
import { addJob, connectQueues, openQueue } from '../../../src/jobs/bullmq.ts';
import { SILENT } from '../../../src/outbox/ports.ts';
import { SETTINGS_ID } from '../../../src/outbox/record-store.ts';
import { newAdminsNotice } from '../../../src/requests/model/notices/notice.ts';
import { newEventNotice } from '../../../src/requests/model/notices/unmatched-events.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { auditEntry } from '../../../src/requests/store/audit-trail.ts';
import { voteSubject } from '../../../src/requests/store/subjects.ts';
import { noticeEntry } from '../../../src/requests/store/writes.ts';
import { bucketOf } from '../../../src/slack/client/rate-limits.ts';
import type { RedisStorage } from '../../../src/storage/redis/open.ts';
import { type Connection, connectionEntry } from '../../../src/workspaces/connection/connection.ts';
import { type Forget, forgetRecords, forgetWorkspace } from '../../../src/workspaces/installation/forget.ts';
import { redisEnvironment } from '../../support/e2e/storage.ts';
import { emptyRedis, needsRedis } from '../../support/redis/redis.ts';
import { advanceRequest } from '../../support/requests/advance-request.ts';
import { createEngineHarness } from '../../support/requests/engine-harness.ts';
import { answered, carded, event, HELD, queued, restingEntry, said } from '../../support/requests/records.ts';
import { readRaw } from '../../support/storage/raw-storage.ts';
import { temporaryFolder } from '../../support/storage/stores.ts';
import { overwrite } from '../../support/storage/versions.ts';

needsRedis();

const pause = async () => {};

const ENVIRONMENT = {
  PUBLIC_URL: 'https://bot.example',
  ORDER_SERVICE_URL: 'https://orders.example',
  SLACK_SIGNING_SECRET: 'secret',
  SLACK_BOT_TOKEN: 'xoxb-1',
};

/** The bot's storage, in SQLite or in Redis. */
const STORAGES: Record<string, () => Promise<Record<string, string>>> = {
  SQLite: async () => ({ STORAGE_URL: `sqlite:${join(temporaryFolder(), 'bot.db')}` }),
  Redis: async () => redisEnvironment(await emptyRedis()),
};

async function open(environment: () => Promise<Record<string, string>>) {
  const config = readConfig({ ...ENVIRONMENT, ...(await environment()) }, false);
  const adapters = await openAdapters(config);
  onTestFinished(adapters.close);
  await adapters.storage.open(SILENT);
  const { queue } = adapters.storage as Partial<RedisStorage>;
  const queues = queue && connectQueues(queue.client, queue.prefix);
  return {
    adapters,
    storage: config.storage,
    read: () => readRaw(config.storage),
    fill: (name: string) => fill(adapters, queues, name),
  };
}

const NOTHING_DUE = { subjects: [], at: 0, slot: undefined, dueAt: undefined };

/** Every id of the workspace has `name` in it. */
async function fill(
  { storage, connections, settings, connectionHealth, tokenPauses }: Adapters,
  queues: ReturnType<typeof connectQueues> | undefined,
  name: string,
) {
  const workspace = `T${name}`;
  const request = (id: string) => ({
    workspace,
    id: `request-${name}-${id}`,
    target: `A-${name}-${id}`,
    requester: `U${name}`,
    channel: `C${name}`,
  });
  const open = queued(request('open'));
  const subjects = [`order:A-${name}`, voteSubject('x', `1.${name}`)];
  await storage.requests.create({ ...restingEntry(open), subjects, slot: `order:A-${name}`, dueAt: 1 });
  await storage.requests.create(restingEntry(answered(said('canceled'), request('ended'))));
  const unmatched = event({ target: `A-${name}-9` });
  const notification = newEventNotice(
    { workspace, kind: 'cancel_order', event: unmatched, channel: `C${name}` },
    1,
  );
  await storage.notices.create(noticeEntry(notification));
  const generation = `generation-${name}`;
  const refused = newAdminsNotice(
    { type: 'token_refused', workspace, generation, since: 1, connectedBy: `U${name}` },
    1,
    `U${name}-2`,
  );
  await storage.notices.create(noticeEntry(refused));
  await connectionHealth.record('call', { workspace, generation });
  await connectionHealth.record('event', { workspace, generation });
  const connection = { endpoint: `endpoint-${name}`, generation, token: `token-${name}`, secret: 'secret' };
  const how = { tokenKind: 'rest', exclusive: false, connectedBy: `U${name}`, connectedAt: 1 } as const;
  await connections.save({ workspace, ...connection, ...how }, undefined);
  await tokenPauses.refuse({ workspace, generation });
  await storage.unsignedEvents.create({
    ...NOTHING_DUE,
    record: { workspace, id: 'unsigned_events', version: 1, generation, failures: [1] },
  });
  const recent = { workspace, id: `U${name}`, version: 1, made: [{ key: `request-${name}`, at: 1 }] };
  await storage.recentRequests.create({ ...NOTHING_DUE, record: recent });
  const acted = { id: `request-${name}:step:1`, by: [`U${name}`], act: 'requested', at: 1 } as const;
  await storage.auditEntries.create(auditEntry({ workspace, ...acted }));
  await settings.change(workspace, { notificationsChannel: `C${name}`, requesters: `S${name}` });
  await waitForLimits({ storage }, open);
  if (!queues) return workspace;
  for (const kind of ['requests', 'notices'] as const) {
    const queue = openQueue(queues, kind);
    for (const again of [open, open, notification]) await addJob(queue, 'advance', again);
    for (const again of [open, open]) await addJob(queue, 'wake', again, 60_000);
    await queue.close();
  }
  return workspace;
}

/** Of each one comes at once, and others wait. */
async function waitForLimits({ storage }: Pick<Adapters, 'storage'>, record: ReturnType<typeof queued>) {
  const { workspace } = record;
  const posting = bucketOf(
    workspace,
    { method: 'chat.postMessage', channel: record.channel },
    { postsPerMinute: 1 },
  );
  const calling = { workspace, name: 'order service', everyMs: 60_000, pausedWith: 'https://orders.example' };
  for (const id of ['a', 'b', 'c']) {
    if (posting) await storage.limiter.take({ ...posting, burst: 1 }, `${record.id} ${id}`);
    await storage.limiter.take({ ...calling, burst: 1 }, `${record.id} ${id}`);
  }
  await storage.limiter.pause({ workspace, name: 'chat.update' }, 60_000, 'why');
}

const linesWith = (lines: readonly string[], name: string) => lines.filter((line) => line.includes(name));

describe.for(Object.entries(STORAGES))('a workspace that is forgotten in %s', ([name, environment]) => {
  test('leaves none of its ids behind, and the other workspace is as it was', async () => {
    const { adapters, read, fill } = await open(environment);
    const workspace = await fill('GONE');
    await fill('STAYS');
    const before = await read();
    for (const each of ['GONE', 'STAYS'])
      expect(linesWith(before, each).length).toBeGreaterThanOrEqual(name === 'Redis' ? 30 : 10);
    await forgetWorkspace(adapters.forgets, workspace);
    const after = await read();
    expect(linesWith(after, 'GONE')).toEqual([]);
    expect(linesWith(after, 'STAYS')).toEqual(linesWith(before, 'STAYS'));
  });

  test('is forgotten by the next run where one was cut short, wherever that was, and by any number of runs', async () => {
    const { adapters, read, fill } = await open(environment);
    for (const cut of adapters.forgets.keys()) {
      const workspace = await fill('GONE');
      const fails: Forget = () => Promise.reject(new Error('cut short'));
      const short = adapters.forgets.with(cut, fails);
      await expect(forgetWorkspace(short, workspace)).rejects.toThrow('cut short');
      await forgetWorkspace(adapters.forgets, workspace);
      await forgetWorkspace(adapters.forgets, workspace);
      expect(linesWith(await read(), 'GONE')).toEqual([]);
    }
  });

  test('may be connected anew', async () => {
    const { adapters, fill } = await open(environment);
    const workspace = await fill('GONE');
    await forgetWorkspace(adapters.forgets, workspace);
    expect(await Array.fromAsync(adapters.connections.ids())).toEqual([]);
    await fill('GONE');
    expect(await Array.fromAsync(adapters.connections.ids())).toEqual([workspace]);
    expect(await adapters.connections.findByEndpoint(`${workspace}~endpoint-GONE`)).toMatchObject({
      workspace,
    });
  });

  test('is forgotten though nobody can read what it holds', async () => {
    const { adapters, read, fill } = await open(environment);
    const workspace = await fill('GONE');
    const resting = restingEntry(queued({ workspace, id: 'GONE' }));
    const unreadable = { ...resting.record, steps: [] };
    await adapters.storage.requests.create({ ...resting, record: unreadable, subjects: ['GONE'] });
    const connection = (await adapters.connections.find(workspace)) as Connection;
    await overwrite(adapters.storage.connections, connectionEntry({ ...connection, secrets: [] }));
    await expect(adapters.connections.find(workspace)).rejects.toThrow();
    const settings = { workspace, id: SETTINGS_ID, version: 1, settings: 'GONE' as never } as const;
    await adapters.settings.forget(workspace);
    await adapters.storage.settings.create({ ...resting, record: settings, subjects: [] });
    await expect(adapters.storage.requests.list(workspace, { limit: 10 })).rejects.toThrow();
    await forgetWorkspace(adapters.forgets, workspace);
    expect(linesWith(await read(), 'GONE')).toEqual([]);
  });
});

test('a workspace that is forgotten in SQLite cannot be read out of the files any more, while they are open', async () => {
  const { adapters, storage, fill } = await open(async () => ({
    STORAGE_URL: `sqlite:${join(temporaryFolder(), 'bot.db')}`,
  }));
  const { path } = storage as Extract<typeof storage, { type: 'sqlite' }>;
  const bytes = () => [path, `${path}-wal`].map((file) => readFileSync(file, 'latin1')).join();
  const workspace = await fill('GONE');
  await fill('STAYS');
  expect(bytes()).toContain('GONE');
  await forgetWorkspace([...adapters.forgets, adapters.storage.scrub], workspace);
  expect(bytes()).toContain('STAYS');
  expect(bytes()).not.toContain('GONE');
});

test('a process that was frozen while it removed many requests leaves those that were made since, and all other data', async () => {
  const { adapters, fill } = await open(STORAGES['SQLite'] ?? Promise.reject);
  const { requests } = adapters.storage;
  const workspace = await fill('BACK');
  const many = Array.from({ length: 250 }, (_, n) => restingEntry(queued({ workspace, id: `former-${n}` })));
  for (const former of many) await requests.create({ ...former, slot: undefined });
  let mayGoOn = true;
  const isForgotten = await forgetWorkspace(
    [
      forgetRecords(requests, async () => {
        if (mayGoOn) await requests.create(restingEntry(queued({ workspace, id: 'made since' })));
        mayGoOn = false;
      }),
      adapters.settings.forget,
    ],
    workspace,
    async () => mayGoOn,
  );
  expect(isForgotten).toBe(false);
  expect(await requests.get({ workspace, id: 'made since' })).toBeDefined();
  expect(await adapters.settings.read(workspace)).toHaveProperty('notificationsChannel');
});

describe('a request that is forgotten while somebody works on it', () => {
  const forget = (harness: ReturnType<typeof createEngineHarness>) =>
    forgetRecords(harness.store, pause)('T1');

  test('does not come back when its card was posted', async () => {
    const harness = createEngineHarness({ answer: said('canceled') });
    await harness.create();
    const { messenger } = harness.deps();
    const post: typeof messenger.post = async (...given) => {
      await forget(harness);
      return messenger.post(...given);
    };
    await advanceRequest(harness.deps({ messenger: { ...messenger, post } }), queued());
    expect(await harness.store.count('T1')).toBe(0);
    expect(harness.calls).toEqual([]);
  });

  test('does not come back with the answer of the service, nor with an event that was kept for it', async () => {
    const harness = createEngineHarness({ answer: said('canceled') });
    const record = carded();
    await harness.store.create(restingEntry(record));
    const { calls } = harness.deps();
    const carryOut: typeof calls.carryOut = async (calling) => {
      await harness.recordEvent(event({ status: 'pending' }));
      await forget(harness);
      return calls.carryOut(calling, HELD);
    };
    await advanceRequest({ ...harness.deps(), calls: { carryOut } }, record);
    expect(harness.calls).toHaveLength(1);
    expect([await harness.store.count('T1'), await harness.store.due(9)]).toEqual([0, []]);
  });

  test('is not called for any more, where it is forgotten before the claim', async () => {
    const harness = createEngineHarness({ answer: said('canceled') });
    const record = carded();
    await harness.store.create(restingEntry(record));
    const limit = async () => {
      await forget(harness);
      return { ms: 0 };
    };
    await advanceRequest({ ...harness.deps(), limit, timings: TIMINGS }, record);
    expect([harness.calls, await harness.store.count('T1')]).toEqual([[], 0]);
  });
});
