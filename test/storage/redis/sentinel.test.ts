/** Redis behind Sentinel: its master dies, freezes or steps down, and everything goes on at the next one. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openQueues } from '../../../src/jobs/queue.ts';
import { SILENT } from '../../../src/outbox/ports.ts';
import { RUNTIME } from '../../../src/runtime.ts';
import { createRelay } from '../../../src/storage/redis/connection/relay.ts';
import { openRedisStorage } from '../../../src/storage/redis/open.ts';
import { StorageUnavailableError } from '../../../src/storage/storage.ts';
import { readRedisAddress } from '../../../src/storage/storage-address.ts';
import { needsRedis } from '../../support/redis/redis.ts';
import {
  FAILOVER,
  MASTER,
  operator,
  portOf,
  startSentinel,
  startWatched,
  type Watched,
} from '../../support/redis/redis-sentinel.ts';
import { startRedisServer } from '../../support/redis/redis-server.ts';
import { queued, restingEntry } from '../../support/requests/records.ts';

needsRedis(true);

/** The ways in which a master goes. */
const WAYS: [string, (watched: Watched) => unknown][] = [
  ['dies', ({ master }) => master.kill()],
  ['freezes', ({ master }) => master.pause()],
  ['steps down', ({ failOver }) => failOver()],
];

/** A master without a replica, and its sentinel. @param options of the master */
async function startLone(...options: string[]) {
  const master = await startRedisServer(options);
  onTestFinished(master.stop);
  return { master, sentinel: await startSentinel(portOf(master.url)) };
}

function addressOf(text: string) {
  const address = readRedisAddress(text);
  if (!address) throw new Error(`Not understood: ${text}`);
  return address;
}

async function open(sentinels: string, login = '') {
  const storage = openRedisStorage(addressOf(`redis+sentinel://${login}${sentinels}/${MASTER}`));
  onTestFinished(storage.close);
  /** The servers that clients were led to, one after the other. */
  const led: string[] = [];
  const info = ({ master }: { master?: string }) => {
    if (master) led.push(master);
  };
  await storage.open({ ...SILENT, info });
  return { ...storage, led };
}

type Opened = Awaited<ReturnType<typeof open>>;

const idOf = (n: number) => `r${n}`;

/** Creates one request after the other until stopped, and skips those that fail. @returns the numbers of those created */
function keepAsking({ requests }: Opened) {
  const taken: number[] = [];
  let over = false;
  const done = (async () => {
    for (let n = 0; !over; n++) {
      const entry = restingEntry(queued({ id: idOf(n), target: `A-${n}` }));
      await requests.create(entry).then(
        () => taken.push(n),
        () => {},
      );
      // A request every 10 ms meets the failover just as well, and leaves the core to the servers.
      await sleep(10);
    }
  })();
  return {
    taken,
    stop: () => {
      over = true;
      return done;
    },
  };
}

async function mustHave({ requests }: Opened, numbers: number[]) {
  const found = await Promise.all(numbers.map((n) => requests.get({ workspace: 'T1', id: idOf(n) })));
  expect(found.map((stored) => stored?.record.id)).toEqual(numbers.map(idOf));
}

/** Resolves once clients are led to the replica. */
const ledTo = ({ led }: Opened, { replica }: Watched) =>
  expect.poll(() => led.at(-1), FAILOVER).toBe(`127.0.0.1:${portOf(replica.url)}`);

const worksAgain = ({ ping }: Opened) =>
  expect
    .poll(
      () =>
        ping().then(
          () => 'works',
          (error) => String(error),
        ),
      FAILOVER,
    )
    .toBe('works');

/** Works on the storage's jobs; each target stays due until its job is done. */
function startWorking({ queue }: Opened) {
  const owed: string[] = [];
  const done = new Set<string>();
  const runner = openQueues(queue.client, queue.prefix).createRunner(
    {
      runtime: RUNTIME,
      about: (ref) => ref,
      due: async () => owed.filter((id) => !done.has(id)).map((id) => ({ workspace: 'T1', id })),
      postpone: async () => {},
      log: SILENT,
      options: { sweepMs: 200 },
    },
    'requests',
  );
  onTestFinished(() => runner.stop());
  runner.start(async ({ id }) => void done.add(id));
  return {
    /** Resolves once it is worked on. */
    owe: (id: string) => {
      owed.push(id);
      return expect.poll(() => [...done], FAILOVER).toContain(id);
    },
  };
}

describe('behind a sentinel', () => {
  test.each(WAYS)('everything goes on at the next master when the first one %s', async (_name, go) => {
    const watched = await startWatched();
    const storage = await open(watched.sentinel);
    const working = startWorking(storage);
    await working.owe('before');
    const asking = keepAsking(storage);
    await expect.poll(() => asking.taken.length).toBeGreaterThan(10);
    await watched.copied();
    await go(watched);
    await working.owe('meanwhile');
    await ledTo(storage, watched);
    const before = asking.taken.length;
    await expect.poll(() => asking.taken.length, FAILOVER).toBeGreaterThan(before + 10);
    await asking.stop();
    await mustHave(storage, [...asking.taken.slice(0, 10), ...asking.taken.slice(before + 1)]);
    await working.owe('after');
  });

  test('nobody talks any more to a master that has become a replica', async () => {
    const watched = await startWatched('--user', 'bot', 'on', '>secret', '~*', '&*', '+@all');
    const storage = await open(watched.sentinel, 'bot:secret@');
    const former = await operator(watched.master.url);
    const ours = async () => (await former.clientList()).filter(({ user }) => user === 'bot').length;
    await storage.queue.client.on('error', () => {}).connect();
    expect(await ours()).toBe(2);
    await watched.failOver();
    await ledTo(storage, watched);
    await expect.poll(ours, FAILOVER).toBe(0);
    await worksAgain(storage);
    await expect.poll(() => storage.queue.client.isReady, FAILOVER).toBe(true);
    expect(await ours()).toBe(0);
  });

  test('a master that the sentinels name no more is left, though it still answers', async () => {
    const watched = await startWatched();
    const storage = await open(watched.sentinel);
    await storage.ping();
    // Cut off from its sentinels, as it were: they say that it is another one, and nobody hangs up.
    const client = await operator(`redis://${watched.sentinel}`);
    await client.sendCommand(['SENTINEL', 'REMOVE', MASTER]);
    await (await operator(watched.replica.url)).replicaOf('NO', 'ONE' as unknown as number);
    await client.sendCommand(['SENTINEL', 'MONITOR', MASTER, '127.0.0.1', portOf(watched.replica.url), '1']);
    await ledTo(storage, watched);
    await worksAgain(storage);
  });

  test('users, passwords, database and prefix are taken from the address', async () => {
    const { master, sentinel } = await startLone();
    const admin = await operator(master.url);
    await admin.aclSetUser('bot', ['on', '>pass@word', '~*', '+@all']);
    const rights = ['on', '>s/t', '-@all', '+@connection', '+sentinel|master'];
    await (await operator(`redis://${sentinel}`)).aclSetUser('requester', rights);
    const at = `redis+sentinel://bot:pass%40word@${sentinel}/${MASTER}/3?prefix=desk-2&sentinelUsername=requester`;
    const refused = openRedisStorage(addressOf(`${at}&sentinelPassword=wrong`));
    await expect(refused.open(SILENT)).rejects.toThrow(/no sentinel knows.*WRONGPASS/);
    const storage = openRedisStorage(addressOf(`${at}&sentinelPassword=s%2Ft`));
    onTestFinished(storage.close);
    await storage.open(SILENT);
    await storage.keyv('settings').set('T1', 'x');
    expect(await admin.clientList()).toContainEqual(expect.objectContaining({ user: 'bot', db: 3 }));
    await admin.select(3);
    const keys = await admin.keys('*');
    expect(keys).toContain('desk-2:keyv:settings:T1');
    expect(keys.filter((key) => !key.startsWith('desk-2:'))).toEqual([]);
  });

  test('what leads there is gone when the storage is closed', async () => {
    const { sentinel } = await startLone();
    const { url, sentinels = { urls: [], master: '' } } = addressOf(`redis+sentinel://${sentinel}/${MASTER}`);
    const relay = createRelay(url, sentinels);
    await relay.open(SILENT);
    expect(existsSync(relay.path)).toBe(true);
    await relay.close();
    expect(existsSync(dirname(relay.path))).toBe(false);
  });

  test('a relay that was never opened can be closed', async () => {
    await createRelay('redis://127.0.0.1:1', { urls: ['redis://127.0.0.1:1'], master: MASTER }).close();
  });
});

describe('of several sentinels', () => {
  /** Takes connections, and says nothing. */
  async function frozen(): Promise<string> {
    const server = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const at = server.address();
    return `127.0.0.1:${typeof at === 'object' && at?.port}`;
  }

  test('one that answers is enough', async () => {
    const { sentinel } = await startLone();
    await (await open(`127.0.0.1:1,${await frozen()},${sentinel}`)).ping();
  });

  test('the one that knows of the latest failover is believed', async () => {
    const watched = await startWatched();
    const { sentinel: behindTheTimes } = await startLone();
    await watched.failOver();
    await watched.promoted();
    await ledTo(await open(`${behindTheTimes},${watched.sentinel}`), watched);
  });
});

const starting = (sentinels: string, master = MASTER) =>
  openRedisStorage(addressOf(`redis+sentinel://:secret@${sentinels}/${master}`)).open(SILENT);

describe('a start behind sentinels may be tried again', () => {
  test('where none of them can be reached', async () => {
    const refused = await starting('127.0.0.1:1,127.0.0.1:2').catch((error) => error);
    expect(refused).toBeInstanceOf(StorageUnavailableError);
    expect(refused.message).toMatch(
      /^Redis cannot be reached at STORAGE_URL \(no sentinel knows a master "desk": 127\.0\.0\.1:1: .*ECONNREFUSED.*; 127\.0\.0\.1:2: .*ECONNREFUSED.*\)\.$/,
    );
  });

  test('where the server that they name is gone, and works once it is back', async () => {
    const { master, sentinel } = await startLone();
    const storage = openRedisStorage(addressOf(`redis+sentinel://${sentinel}/${MASTER}`));
    onTestFinished(storage.close);
    await master.kill();
    const refused = await storage.open(SILENT).catch((error) => error);
    expect(refused).toBeInstanceOf(StorageUnavailableError);
    expect(refused.message).toMatch(/the master: .*ECONNREFUSED/);
    await master.restart();
    await storage.open(SILENT);
    await storage.ping();
  });
});

describe('a start behind sentinels is refused in one sentence', () => {
  test('where they know no such master, and where the address is that of no sentinel', async () => {
    const { master, sentinel } = await startLone();
    const refused = await starting(sentinel, 'other').catch((error) => error);
    expect(refused).not.toBeInstanceOf(StorageUnavailableError);
    expect(refused.message).toMatch(
      /no sentinel knows a master "other": .*No such master with that name\)\.$/,
    );
    await expect(starting(`127.0.0.1:${portOf(master.url)}`)).rejects.toThrow(/unknown command 'SENTINEL'/);
  });

  test('where the server that they name is a replica, or wants another password', async () => {
    const { sentinel } = await startLone('--replicaof', '127.0.0.1', '1');
    await expect(starting(sentinel)).rejects.toThrow(/WRONGPASS|without any password/);
    const open = openRedisStorage(addressOf(`redis+sentinel://${sentinel}/${MASTER}`));
    await expect(open.open(SILENT)).rejects.toThrow(/which the sentinels name, is a (slave|replica)\)\.$/);
  });

  test('where it names its replicas and waits for none of them there is a warning', async () => {
    const { master, sentinel } = await startWatched();
    const warnings: string[] = [];
    const log = { ...SILENT, warn: (_: object, text: string) => void warnings.push(text) };
    const first = openRedisStorage(addressOf(`redis+sentinel://${sentinel}/${MASTER}`));
    onTestFinished(first.close);
    await first.open(log);
    expect(warnings).toEqual([expect.stringMatching(/min-replicas-to-write is 0/)]);
    await (await operator(master.url)).configSet('min-replicas-to-write', '1');
    const second = openRedisStorage(addressOf(`redis+sentinel://${sentinel}/${MASTER}`));
    onTestFinished(second.close);
    await second.open(log);
    expect(warnings).toHaveLength(1);
  });
});
