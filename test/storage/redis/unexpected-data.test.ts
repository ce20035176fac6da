import { describe, expect, test } from 'vitest';
import { nothingMade } from '../../../src/requests/model/recent.ts';
import { bareClient, open } from '../../support/redis/open-storage.ts';
import { needsRedis } from '../../support/redis/redis.ts';
import { queued, restingEntry } from '../../support/requests/records.ts';
import { CREATED, inAnyVersion, overwrite, versionOf } from '../../support/storage/versions.ts';

type Client = Awaited<ReturnType<typeof bareClient>>;

needsRedis();

describe('what somebody else has put into Redis', () => {
  const RECORD = ':requests:record:T1:bcdfghjkmnpq';

  test.each([
    ['another type', (client: Client, key: string) => client.set(key, 'x')],
    ['no JSON', (client: Client, key: string) => client.hSet(key, 'record', '{')],
    ['no record', (client: Client, key: string) => client.hSet(key, 'record', '{"id":1}')],
    ['a hash of something else', (client: Client, key: string) => client.hSet(key, 'x', 'y')],
  ])('in the place of a record (%s) is a fault there, and nowhere else', async (_name, put) => {
    const { url, prefix, requests } = await open();
    await put(await bareClient(url), prefix + RECORD);
    const other = queued({ id: 'other', target: 'B' }, await requests.now());
    await requests.create({ ...restingEntry(other), dueAt: other.createdAt });
    await expect(requests.get(queued())).rejects.toThrow();
    await expect(requests.read(queued())).rejects.toThrow();
    await expect(requests.create(restingEntry(queued()))).rejects.toThrow();
    // Nor does it count as absent for a write that depends on that.
    const absent = { type: 'requests', id: queued().id, version: undefined } as const;
    const third = restingEntry(queued({ id: 'third', target: 'C' }));
    const created = await requests.create(third, [absent]).catch(() => ({ type: 'unmet' }));
    expect(created).toEqual({ type: 'unmet' });
    expect((await requests.get(other))?.record).toEqual(inAnyVersion(other));
    expect(await requests.due(10)).toEqual([{ workspace: 'T1', id: 'other' }]);
    expect(await requests.list('T1', { limit: 10 })).toHaveLength(1);
  });

  test('in the place of a record makes the removal of all of them fail', async () => {
    const { url, prefix, requests } = await open();
    await requests.create(restingEntry(queued()));
    const client = await bareClient(url);
    await client.unlink(prefix + RECORD);
    await client.set(prefix + RECORD, 'x');
    await expect(requests.removeSome('T1', 10)).rejects.toThrow();
  });

  test('in the place of a list leaves no half of a record behind', async () => {
    const { url, prefix, requests } = await open();
    const client = await bareClient(url);
    await client.set(`${prefix}:requests:due`, 'x');
    await expect(requests.create({ ...restingEntry(queued()), slot: 's', dueAt: 1 })).rejects.toThrow();
    await client.unlink(`${prefix}:requests:due`);
    expect(await requests.get(queued())).toBeUndefined();
    expect(await requests.list('T1', { limit: 10 })).toEqual([]);
    expect(await requests.create({ ...restingEntry(queued()), slot: 's', dueAt: 1 })).toEqual(CREATED);
  });

  test('in the place of a list of a subject leaves all as it was', async () => {
    const { url, prefix, requests } = await open();
    const client = await bareClient(url);
    await requests.create({ ...restingEntry(queued()), subjects: ['a', 'b'] });
    await client.set(`${prefix}:requests:subject:T1:d`, 'x');
    const subjects = ['b', 'c', 'd', 'e'];
    const late = { ...restingEntry({ ...queued(), reason: 'late' }), subjects, slot: 's', dueAt: 1 };
    await expect(requests.update(late, await versionOf(requests, queued()))).rejects.toThrow();
    await expect(
      requests.create({ ...late, record: queued({ id: 'other', target: 'B' }) }),
    ).rejects.toThrow();
    expect(await requests.list('T1', { limit: 10 })).toEqual([inAnyVersion(queued())]);
    expect(await requests.due(10)).toEqual([]);
    const keys = await client.keys(`${prefix}:requests:subject:*`);
    expect(keys.map((key) => key.slice(-1)).sort()).toEqual(['a', 'b', 'd']);
    await client.unlink(`${prefix}:requests:subject:T1:d`);
    expect(await overwrite(requests, late)).toBe('updated');
  });

  test('in the place of a list is met only where the subjects change', async () => {
    const { url, prefix, requests } = await open();
    await requests.create({ ...restingEntry(queued()), subjects: ['a', 'b'] });
    await (await bareClient(url)).set(`${prefix}:requests:subject:T1:a`, 'x');
    expect(await overwrite(requests, { ...restingEntry(queued()), subjects: ['b', 'a'] })).toBe('updated');
    await expect(
      requests.update({ ...restingEntry(queued()), subjects: ['b'] }, await versionOf(requests, queued())),
    ).rejects.toThrow();
  });

  test('in the place of a list of further records leaves all as it was', async () => {
    const { url, prefix, requests, recentRequests } = await open();
    const client = await bareClient(url);
    const entry = { record: nothingMade('T1', 'U1'), at: 1, subjects: ['a', 'b'], dueAt: 1 };
    const further = [{ type: 'recent_requests' as const, entry }];
    const RECENT = `${prefix}:recent_requests`;
    for (const name of ['list:T1', 'due:T1', 'due', 'workspaces', 'subject:T1:b']) {
      const key = `${RECENT}:${name}`;
      await client.set(key, 'x');
      await expect(requests.create(restingEntry(queued()), [], further)).rejects.toThrow();
      await client.unlink(key);
    }
    expect(await requests.list('T1', { limit: 10 })).toEqual([]);
    // A record that can't be read is left as it is, too.
    await client.set(`${RECENT}:record:T1:U1`, 'x');
    expect(await requests.create(restingEntry(queued()), [], further)).toEqual(CREATED);
    expect(await recentRequests.count('T1')).toBe(0);
  });

  test('in the place of a value is a fault', async () => {
    const { url, prefix, keyv } = await open();
    const client = await bareClient(url);
    await client.set(`${prefix}:keyv:settings:T1`, 'not JSON');
    await client.hSet(`${prefix}:keyv:settings:T2`, 'x', 'y');
    await expect(keyv('settings').get('T1')).rejects.toThrow();
    await expect(keyv('settings').get('T2')).rejects.toThrow();
  });
});
