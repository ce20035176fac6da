/** Checks of a Redis server before it is trusted with requests. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { judgeServer, type ServerFacts } from '../../../src/storage/redis/connection/check-server.ts';
import { createRedisConnection } from '../../../src/storage/redis/connection/connection.ts';
import { bareClient } from '../../support/redis/open-storage.ts';
import { needsRedis, SOON } from '../../support/redis/redis.ts';
import { startRedisServer } from '../../support/redis/redis-server.ts';
import { eventually } from '../../support/time/eventually.ts';

const GOOD: ServerFacts = {
  version: '7.0.15',
  mode: 'standalone',
  role: 'master',
  evicts: 'noeviction',
  appendOnly: true,
  fsync: 'everysec',
  snapshots: '',
  replicas: 0,
  replicasNeeded: 0,
};

describe('a Redis', () => {
  test.each([
    ['Redis 7', {}],
    ['Valkey 8', { version: '8.0.1' }],
    ['one that waits for its disk before it answers', { fsync: 'always' }],
    ['one that writes snapshots as well', { snapshots: '3600 1' }],
    ['one that waits for its replicas', { replicas: 2, replicasNeeded: 1 }],
    ['one without replicas, of which nobody may know that', { replicasNeeded: undefined }],
  ])('is taken without a word: %s', (_name, facts) => {
    expect(judgeServer({ ...GOOD, ...facts })).toEqual([]);
  });

  test.each([
    ['nothing is written', { appendOnly: false }, /^Redis writes nothing.*all requests are lost/],
    [
      'there are snapshots only',
      { appendOnly: false, snapshots: '3600 1' },
      /only writes snapshots.*calls may be repeated/,
    ],
    [
      'there are snapshots at best',
      { appendOnly: false, snapshots: undefined },
      /^Redis does not append.*whether it writes snapshots could not be read.*calls may be repeated/,
    ],
    ['the system chooses when to write', { fsync: 'no' }, /appendfsync is no.*calls may be repeated/],
    [
      'it takes writes without its replicas',
      { replicas: 1 },
      /min-replicas-to-write is 0.*calls may be repeated/,
    ],
    ['nobody may know whether it evicts', { evicts: undefined }, /maxmemory-policy is noeviction/],
    ['nobody may know whether it appends', { appendOnly: undefined, fsync: undefined }, /appendonly is yes/],
    ['nobody may know when it writes', { fsync: undefined }, /appendfsync is everysec or always/],
    [
      'nobody may know whether it takes writes without its replicas',
      { replicas: undefined, replicasNeeded: undefined },
      /min-replicas-to-write is 1 where it has replicas/,
    ],
    [
      'the bot may not ask for its replicas',
      { replicas: undefined },
      /Make sure that the bot may run INFO where it has replicas/,
    ],
  ])('is taken with a warning that says what to do: %s', (_name, facts, sentence) => {
    expect(judgeServer({ ...GOOD, ...facts })).toEqual([expect.stringMatching(sentence)]);
    expect(judgeServer({ ...GOOD, ...facts }).join()).toMatch(/(\. Set|Make sure) [^.]+\.$/);
  });

  test.each([
    ['too old', { version: '6.2.14' }, /^Redis 6\.2\.14 is too old\. Use Redis 7 or Valkey\.$/],
    [
      'evicting keys',
      { evicts: 'allkeys-lru' },
      /maxmemory-policy is allkeys-lru.*Set maxmemory-policy to noeviction\.$/,
    ],
    ['a cluster', { mode: 'cluster' }, /^Redis runs as cluster/],
    ['a Sentinel', { mode: 'sentinel' }, /^This is the address of a sentinel/],
    ['a replica', { role: 'replica' }, /^This is the address of a Redis replica/],
  ])('is refused, with what to do: %s', (_name, facts, sentence) => {
    expect(() => judgeServer({ ...GOOD, ...facts })).toThrow(sentence);
  });
});

describe('a start on Redis', () => {
  needsRedis(true);

  async function open(url: string) {
    const warnings: string[] = [];
    const connection = createRedisConnection(url, SOON);
    onTestFinished(connection.close);
    const log = {
      debug() {},
      info() {},
      warn: (_: object, text: string) => void warnings.push(text),
      error() {},
    };
    await connection.open(log);
    return warnings;
  }

  async function server(...options: string[]) {
    const started = await startRedisServer(options);
    onTestFinished(started.stop);
    return started;
  }

  test('says nothing of one that writes to its disk', async () => {
    expect(await open((await server()).url)).toEqual([]);
  });

  test.each([
    ['writes nothing to its disk', ['--appendonly', 'no'], /writes nothing to disk/],
    ['writes snapshots only', ['--appendonly', 'no', '--save', '3600 1'], /only writes snapshots/],
    ['leaves writing to the system', ['--appendfsync', 'no'], /appendfsync is no/],
  ])('warns of one that %s', async (_name, options, sentence) => {
    const { url } = await server(...options);
    expect(await open(url)).toEqual([expect.stringMatching(sentence)]);
  });

  test.each([
    ['one that evicts keys', ['--maxmemory-policy', 'volatile-ttl'], /maxmemory-policy is volatile-ttl/],
    ['a cluster', ['--cluster-enabled', 'yes'], /Redis runs as cluster/],
    ['a replica', ['--replicaof', '127.0.0.1', '1'], /the address of a Redis replica/],
    [
      'one that wants a password',
      ['--requirepass', 'secret'],
      /the user or the password of STORAGE_URL \(NOAUTH/,
    ],
  ])('is refused on %s', async (_name, options, sentence) => {
    await expect(open((await server(...options)).url)).rejects.toThrow(sentence);
  });

  test('leaves a server that it refuses, and may be tried again once that is put right', async () => {
    const { url } = await server('--maxmemory-policy', 'volatile-ttl');
    const admin = await bareClient(url);
    const connection = createRedisConnection(url, SOON);
    onTestFinished(connection.close);
    const warnings: string[] = [];
    const log = {
      debug() {},
      info() {},
      warn: (_: object, text: string) => void warnings.push(text),
      error() {},
    };
    await expect(connection.open(log)).rejects.toThrow(/maxmemory-policy/);
    await eventually(async () => expect(await admin.clientList()).toHaveLength(1));
    await admin.configSet('maxmemory-policy', 'noeviction');
    await connection.open(log);
    expect(warnings).toEqual([]);
  });

  test('is refused where nobody listens, or nobody answers', async () => {
    const gone = await server();
    await gone.kill();
    await expect(open(gone.url)).rejects.toThrow(/^Redis cannot be reached at STORAGE_URL \(.*ECONNREFUSED/);
    const frozen = await server();
    frozen.pause();
    await expect(open(frozen.url)).rejects.toThrow(/^Redis cannot be reached/);
  });

  test('takes user, password and database from the address', async () => {
    const { url } = await server();
    const admin = await bareClient(url);
    await admin.aclSetUser('bot', ['on', '>pass@word', '~*', '+@all']);
    expect(await open(`${url.replace('://', '://bot:pass%40word@')}/3`)).toEqual([]);
    expect(await admin.clientList()).toContainEqual(expect.objectContaining({ user: 'bot', db: 3 }));
    await expect(open(url.replace('://', '://bot:wrong@'))).rejects.toThrow(/WRONGPASS/);
  });

  test('shows no password where Redis does not know AUTH, and quotes it', async () => {
    const { url } = await server('--rename-command', 'AUTH', '');
    const refused = open(url.replace('://', '://bot:hidden%22-4711@'));
    await expect(refused).rejects.toThrow(/^Redis cannot be reached .*\(ERR unknown command 'AUTH'\)\.$/);
  });

  test('asks an operator to look where the bot may not', async () => {
    const { url } = await server();
    const admin = await bareClient(url);
    await admin.aclSetUser('bot', ['on', '>x', '~countermand:*', '+@all', '-config', '-info']);
    const address = url.replace('://', '://bot:x@');
    expect(await open(address)).toEqual([
      expect.stringMatching(
        /could not be read.*noeviction, appendonly is yes, appendfsync is everysec or always, min-replicas-to-write is 1/,
      ),
    ]);
    await admin.aclSetUser('bot', ['+info']);
    expect(await open(address)).toEqual([
      expect.stringMatching(/could not be read.*that appendfsync is everysec/),
    ]);
    await admin.configSet('maxmemory-policy', 'allkeys-random');
    await expect(open(address)).rejects.toThrow(/allkeys-random/);
  });

  test('finds out without CONFIG whether a server that has replicas takes writes without them', async () => {
    const { url } = await server();
    const admin = await bareClient(url);
    await admin.aclSetUser('bot', ['on', '>x', '~countermand:*', '+@all', '-config']);
    const address = url.replace('://', '://bot:x@');
    await server('--replicaof', '127.0.0.1', new URL(url).port);
    await eventually(async () => expect(await admin.info('replication')).toContain('state=online'));
    const unread = expect.stringMatching(/could not be read.*that appendfsync is everysec or always;/);
    expect(await open(address)).toEqual([unread, expect.stringMatching(/min-replicas-to-write is 0/)]);
    await admin.configSet('min-replicas-to-write', '1');
    expect(await open(address)).toEqual([unread]);
  });
});
