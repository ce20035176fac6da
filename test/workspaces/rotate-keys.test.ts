import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Adapters, openAdapters } from '../../src/compose/adapters.ts';
import { readConfig } from '../../src/config.ts';
import { SILENT } from '../../src/outbox/ports.ts';
import { NO_WORKSPACE } from '../../src/outbox/record-store.ts';
import { rotateKeys } from '../../src/workspaces/cipher.ts';
import type { NewConnection } from '../../src/workspaces/connection/connection-writes.ts';
import type { Connections } from '../../src/workspaces/connection/connections.ts';
import type { NewInstallation } from '../../src/workspaces/installation/installations.ts';
import { emptyRedis, needsRedis } from '../support/redis/redis.ts';
import { readRaw } from '../support/storage/raw-storage.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

needsRedis();

const secretKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [OLD, NEW] = [secretKey('old'), secretKey('new')];

const STORAGES: Record<string, () => Promise<string>> = {
  SQLite: async () => `sqlite:${join(temporaryFolder(), 'bot.db')}`,
  Redis: async () => {
    const { url, prefix } = await emptyRedis();
    return `${url}?prefix=${prefix}`;
  },
};

/** Bots and terminal commands at one storage, each with keys of its own. */
async function at(storage: () => Promise<string>) {
  const address = await storage();
  const configOf = (keys: string) =>
    readConfig(
      {
        PUBLIC_URL: 'https://bot.example',
        ORDER_SERVICE_URL: 'https://orders.example',
        SLACK_SIGNING_SECRET: 'secret',
        SLACK_BOT_TOKEN: 'xoxb-1',
        STORAGE_URL: address,
        SECRET_KEYS: keys,
      },
      false,
    );
  const withKeys = async (...keys: string[]): Promise<Adapters> => {
    const adapters = await openAdapters(configOf(keys.join()));
    onTestFinished(adapters.close);
    await adapters.storage.open(SILENT);
    return adapters;
  };
  return { withKeys, read: () => readRaw(configOf(OLD).storage) };
}

const connection = (workspace: string, token: string): NewConnection => ({
  workspace,
  token,
  secret: `secret of ${workspace}`,
  generation: token,
  endpoint: `endpoint of ${workspace}`,
  tokenKind: 'rest',
  exclusive: false,
  connectedBy: 'U1',
  connectedAt: 1,
});

const installation = (id: string): NewInstallation => ({
  id,
  orgWide: false,
  organization: undefined,
  tokens: { bot: 'xoxb-1' },
  expiresAt: undefined,
  scopes: [],
  botUserId: 'UBOT',
  installedBy: 'U1',
});

/** The token and the secrets of a workspace, opened. */
async function opened({ connections }: { connections: Connections }, workspace: string) {
  const found = await connections.find(workspace);
  return found && [await connections.token(found), ...connections.secrets(found)];
}

describe.for(Object.entries(STORAGES))('the rotation of keys in %s', ([, storage]) => {
  test('seals by the first key what another one had sealed, so that the other one is not needed any more', async () => {
    const { withKeys, read } = await at(storage);
    const old = await withKeys(OLD);
    for (const name of ['T1', 'T2']) await old.connections.save(connection(name, `token-${name}`), undefined);
    const disconnected = await old.connections.find('T2');
    if (disconnected) await old.connections.dropToken(disconnected, 'U1');
    const { sealed } = await withKeys(NEW, OLD);
    expect(await rotateKeys(sealed)).toEqual({ resealed: 2, current: 0, unopened: [], busy: [] });
    expect(await rotateKeys(sealed)).toEqual({ resealed: 0, current: 2, unopened: [], busy: [] });
    const withNewKey = await withKeys(NEW);
    expect(await opened(withNewKey, 'T1')).toEqual(['token-T1', 'secret of T1']);
    expect(await opened(withNewKey, 'T2')).toEqual([undefined, 'secret of T2']);
    expect((await read()).join()).not.toMatch(/v1\.old\./);
    const byOldKey = (await withNewKey.storage.tokens.list(NO_WORKSPACE, { limit: 10 })).filter(({ id }) =>
      id.startsWith('old.'),
    );
    expect(byOldKey.flatMap(({ holders }) => holders)).toEqual([]);
  });

  test('is done only once nothing is left that the other key had sealed', async () => {
    const { withKeys, read } = await at(storage);
    await (await withKeys(OLD)).connections.save(connection('T1', 'token-1'), undefined);
    const { sealed } = await withKeys(NEW, OLD);
    expect(await rotateKeys(sealed)).toMatchObject({ resealed: 1 });
    expect((await read()).join()).not.toMatch(/v1\.old\./);
  });

  test('still tells afterwards which workspaces have the same token', async () => {
    const { withKeys } = await at(storage);
    const { connections } = await withKeys(OLD);
    for (const name of ['T1', 'T2']) await connections.save(connection(name, 'same'), undefined);
    await rotateKeys((await withKeys(NEW, OLD)).sealed);
    const withNewKey = (await withKeys(NEW)).connections;
    const found = await withNewKey.find('T1');
    expect(found && (await withNewKey.isShared(found))).toBe(true);
  });

  test('before it, a token that another workspace has by the former key is known to be shared, and stays', async () => {
    const { withKeys } = await at(storage);
    await (await withKeys(OLD)).connections.save(connection('T1', 'same'), undefined);
    const { connections } = await withKeys(NEW, OLD);
    await connections.save(connection('T2', 'same'), undefined);
    const found = await connections.find('T2');
    expect(found && (await connections.isShared(found))).toBe(true);
    expect(await connections.claim('same', ({ workspace }) => workspace === 'T2')).toBe('shared');
  });

  test('once the key is lost, connecting again replaces what it had sealed: all is current then', async () => {
    const { withKeys } = await at(storage);
    await (await withKeys(secretKey('lost'))).connections.save(connection('T1', 'token-1'), undefined);
    const { connections, sealed } = await withKeys(NEW);
    expect(await rotateKeys(sealed)).toMatchObject({ unopened: ['T1'] });
    const lost = await connections.find('T1');
    expect(lost && connections.isSecretLost(lost)).toBe(true);
    await connections.save({ ...connection('T1', 'token-2'), secret: 'another secret' }, lost);
    await connections.noteSecretSeen(connection('T1', 'token-2'));
    const found = await connections.find('T1');
    expect(found && connections.isSecretLost(found)).toBe(false);
    expect(await opened({ connections }, 'T1')).toEqual(['token-2', 'another secret']);
    expect(await rotateKeys(sealed)).toMatchObject({ unopened: [], current: 1 });
  });

  test('leaves a secret that nobody has seen to be replaced by the next connect', async () => {
    const { withKeys } = await at(storage);
    const old = await withKeys(OLD);
    await old.connections.save(connection('T1', 'token-1'), undefined);
    const record = await old.connections.find('T1');
    if (!record) throw new Error('T1 is not connected.');
    const secrets = record.secrets.map((secret) => ({ ...secret, unseen: true as const }));
    const entry = { subjects: [], at: 1, slot: undefined, dueAt: undefined };
    await old.storage.connections.update({ ...entry, record: { ...record, secrets } }, record.version);
    const { connections, sealed } = await withKeys(NEW, OLD);
    expect(await rotateKeys(sealed)).toMatchObject({ resealed: 1 });
    const found = await connections.find('T1');
    expect(found && connections.isSecretLost(found)).toBe(true);
  });

  test('a former secret whose key is lost keeps nobody from the newest one', async () => {
    const { withKeys } = await at(storage);
    await (await withKeys(OLD)).connections.save(connection('T1', 'token-1'), undefined);
    const { connections } = await withKeys(NEW, OLD);
    const before = await connections.find('T1');
    await connections.save({ ...connection('T1', 'token-1'), secret: 'another secret' }, before);
    expect(await opened({ connections }, 'T1')).toEqual(['token-1', 'another secret', 'secret of T1']);
    const withNewKey = await withKeys(NEW);
    expect(await opened(withNewKey, 'T1')).toEqual(['token-1', 'another secret']);
  });

  test('a connection that cannot be read keeps nobody from knowing who else has the token', async () => {
    const { withKeys } = await at(storage);
    const { connections, storage: opened } = await withKeys(OLD);
    for (const name of ['T1', 'T2', 'T3']) await connections.save(connection(name, 'same'), undefined);
    const record = await connections.find('T2');
    if (!record) throw new Error('T2 is not connected.');
    const entry = { subjects: [], at: 1, slot: undefined, dueAt: undefined };
    await opened.connections.update({ ...entry, record: { ...record, secrets: [] } }, record.version);
    await expect(connections.find('T2')).rejects.toThrow();
    const own = await connections.find('T1');
    expect(own && (await Array.fromAsync(connections.sharing(own)))).toEqual(['T3']);
  });

  test('leaves alone what cannot be opened or read, and names its workspace', async () => {
    const { withKeys } = await at(storage);
    const lost = await withKeys(secretKey('lost'));
    await lost.connections.save(connection('T1', 'token-1'), undefined);
    await (await withKeys(OLD)).connections.save(connection('T2', 'token-2'), undefined);
    await lost.connections.save(connection('T3', 'token-3'), undefined);
    const { token } = (await lost.connections.find('T3')) ?? {};
    await lost.storage.keyv('tokens').delete(token?.generation ?? '');
    // The same name, and another key.
    const other = await withKeys(secretKey('new'));
    await other.connections.save(connection('T4', 'token-4'), undefined);
    await other.installations.add(installation('T5'));
    const done = await rotateKeys((await withKeys(NEW, OLD)).sealed);
    expect({ ...done, unopened: done.unopened.toSorted() }).toEqual({
      resealed: 1,
      current: 0,
      unopened: ['T1', 'T3', 'T4', 'T5'],
      busy: [],
    });
    expect(await opened(lost, 'T1')).toEqual(['token-1', 'secret of T1']);
  });

  test('is not undone by somebody who has read a connection before: what they write is decided anew', async () => {
    const { withKeys, read } = await at(storage);
    await (await withKeys(OLD)).connections.save(connection('T1', 'token-1'), undefined);
    const { connections, sealed } = await withKeys(NEW, OLD);
    const renewed = { ...connection('T1', 'token-2'), secret: undefined };
    const before = await connections.find('T1');
    await rotateKeys(sealed);
    expect(await connections.save(renewed, before)).toBe('conflict');
    expect(await opened({ connections }, 'T1')).toEqual(['token-1', 'secret of T1']);
    expect(await connections.save(renewed, await connections.find('T1'))).toBe('written');
    expect((await read()).join()).not.toContain('v1.old.');
    expect(await opened({ connections }, 'T1')).toEqual(['token-2', 'secret of T1']);
  });

  test('reseals what an admin connects in the same moment', async () => {
    const { withKeys } = await at(storage);
    const old = await withKeys(OLD);
    await old.connections.save(connection('T1', 'token-1'), undefined);
    const { sealed, storage: opening } = await withKeys(NEW, OLD);
    const { get } = opening.connections;
    opening.connections.get = async (ref) => {
      opening.connections.get = get;
      const found = await get(ref);
      await old.connections.save(connection('T1', 'token-2'), await old.connections.find('T1'));
      return found;
    };
    expect(await rotateKeys(sealed)).toEqual({ resealed: 1, current: 0, unopened: [], busy: [] });
  });

  test('loses no connection that is made, renewed or taken away in the same moment', async () => {
    const { withKeys, read } = await at(storage);
    const old = await withKeys(OLD);
    const bot = await withKeys(NEW, OLD);
    const terminal = await withKeys(NEW, OLD);
    for (let round = 0; round < 5; round++) {
      for (const name of ['T1', 'T2', 'T3', 'T4']) await old.connections.forget(name);
      for (const name of ['T1', 'T2', 'T3']) await old.connections.save(connection(name, 'old'), undefined);
      const left = await bot.connections.find('T2');
      const renew = async (): Promise<unknown> => {
        const before = await bot.connections.find('T1');
        const saved = await bot.connections.save(
          { ...connection('T1', 'renewed'), secret: undefined },
          before,
        );
        return saved === 'conflict' ? renew() : saved;
      };
      await Promise.all([
        rotateKeys(terminal.sealed),
        renew(),
        left && bot.connections.dropToken(left, 'U1'),
        bot.connections.save(connection('T4', 'made'), undefined),
      ]);
      await rotateKeys(terminal.sealed);
      const withNewKey = await withKeys(NEW);
      expect(await opened(withNewKey, 'T1')).toEqual(['renewed', 'secret of T1']);
      expect(await opened(withNewKey, 'T2')).toEqual([undefined, 'secret of T2']);
      expect(await opened(withNewKey, 'T3')).toEqual(['old', 'secret of T3']);
      expect(await opened(withNewKey, 'T4')).toEqual(['made', 'secret of T4']);
      expect((await read()).join()).not.toMatch(/v1\.old\./);
    }
  });
});

test('the rotation of keys goes on with the others where somebody is at work on one, and names it', async () => {
  const reseal = async (workspace: string) =>
    workspace === 'T1' ? ('busy' as const) : ('resealed' as const);
  const ids = async function* () {
    yield* ['T1', 'T2'];
  };
  const holder = { ids, reseal };
  expect(await rotateKeys([holder, holder])).toEqual({ resealed: 2, current: 0, unopened: [], busy: ['T1'] });
});
