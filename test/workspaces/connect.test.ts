import { createSecretKey, randomBytes } from 'node:crypto';
import Keyv from 'keyv';
import { describe, expect, test } from 'vitest';
import type { TokenCheck } from '../../src/requests/ports.ts';
import { SqliteKeyvStore } from '../../src/storage/sqlite/keyv-store.ts';
import { createCipher } from '../../src/workspaces/cipher.ts';
import { type Connecting, connect } from '../../src/workspaces/connect.ts';
import { createConnections, FORMER_SECRET_MS } from '../../src/workspaces/connections.ts';
import { createSettingsStore } from '../../src/workspaces/settings.ts';
import { sqliteStore } from '../support/stores.ts';

const connecting: Connecting = {
  workspace: 'T1',
  token: 'token-4711',
  tokenKind: 'rest',
  exclusive: false,
  newSecret: false,
  by: 'U1',
  settings: { askers: 'S1' },
};

function setUp(check: TokenCheck = { type: 'accepted' }) {
  const { database } = sqliteStore();
  const keyv = (namespace: string) => new Keyv({ store: new SqliteKeyvStore(database), namespace });
  const cipher = createCipher([{ id: 'k', key: createSecretKey(randomBytes(32)) }]);
  const clock = { now: 7 };
  const stores = { connections: keyv('c'), endpoints: keyv('e') };
  const connections = createConnections(stores, cipher, () => clock.now);
  const settings = createSettingsStore(keyv('s'));
  const deps = {
    connections,
    settings,
    checkToken: async () => check,
    publicUrl: new URL('https://bot.example/base/'),
    now: () => clock.now,
  };
  const rows = () => JSON.stringify(database.prepare('SELECT * FROM keyv').all());
  return { deps, connections, settings, rows, clock };
}

async function connected(deps: Parameters<typeof connect>[0], more: Partial<Connecting> = {}) {
  const result = await connect(deps, { ...connecting, ...more });
  if (result.type !== 'connected') throw new Error(result.type);
  return result;
}

describe('connecting a workspace', () => {
  test('keeps its token and secret sealed, and gives the events URL and the secret once', async () => {
    const { deps, connections, rows } = setUp();
    const { eventsUrl, secret } = await connected(deps);
    expect(eventsUrl).toMatch(/^https:\/\/bot\.example\/base\/events\/[\w-]{32}$/);
    const connection = await connections.findByEndpoint(eventsUrl.split('/').at(-1) ?? '');
    expect(connection).toMatchObject({
      workspace: 'T1',
      tokenKind: 'rest',
      connectedBy: 'U1',
      connectedAt: 7,
    });
    expect(connection && connections.token(connection)).toBe('token-4711');
    expect(connection && connections.secrets(connection)).toEqual([secret]);
    expect(rows()).not.toContain('4711');
    expect(rows()).not.toContain(secret);
  });

  test('again replaces the token, and leaves the URL and the secret as they are', async () => {
    const { deps, connections } = setUp();
    const first = await connected(deps);
    const second = await connected(deps, { token: 'token-2' });
    expect(second).toMatchObject({ eventsUrl: first.eventsUrl, secret: undefined });
    const connection = await connections.find('T1');
    expect(connection && connections.token(connection)).toBe('token-2');
    expect(connection && connections.secrets(connection)).toEqual([first.secret]);
  });

  test('with a new secret lets every former one live on for a day, however often it is repeated', async () => {
    const { deps, connections, clock } = setUp();
    const live = async () => {
      const connection = await connections.find('T1');
      return connection && connections.secrets(connection);
    };
    const first = await connected(deps);
    const second = await connected(deps, { newSecret: true });
    clock.now += 60_000;
    const third = await connected(deps, { newSecret: true });
    expect(await live()).toEqual([third.secret, second.secret, first.secret]);
    clock.now += FORMER_SECRET_MS - 60_000;
    expect(await live()).toEqual([third.secret, second.secret]);
    clock.now += 60_000;
    expect(await live()).toEqual([third.secret]);
  });

  test('that another admin overtakes hands on nothing that does not work', async () => {
    const { deps, connections } = setUp();
    const overtaken: typeof connections = {
      ...connections,
      save: async (mine, before) => {
        await connections.save(mine, before);
        await connections.save({ ...mine, generation: 'theirs', endpoint: 'theirs' }, before);
      },
    };
    expect(await connect({ ...deps, connections: overtaken }, connecting)).toEqual({ type: 'overtaken' });
  });

  test('gives every connection a generation of its own', async () => {
    const { deps, connections } = setUp();
    await connected(deps);
    const before = await connections.find('T1');
    await connected(deps);
    expect((await connections.find('T1'))?.generation).not.toBe(before?.generation);
  });

  test.each([{ type: 'refused' }, { type: 'unreachable' }] as const)(
    'saves nothing when the check says %o',
    async (check) => {
      const { deps, rows } = setUp(check);
      expect(await connect(deps, connecting)).toEqual(check);
      expect(rows()).toBe('[]');
    },
  );

  test('passes on what the service had against the check', async () => {
    const { deps } = setUp({ type: 'limited', code: 'FORBIDDEN' });
    expect(await connected(deps)).toMatchObject({ doubt: { type: 'limited', code: 'FORBIDDEN' } });
  });

  test.each(['', 'two words', 'line\nbreak', 'smile ☺', 'x'.repeat(5_000)])(
    'refuses a malformed token (%#)',
    async (token) => {
      const { deps, rows } = setUp();
      expect(await connect(deps, { ...connecting, token })).toEqual({ type: 'malformed' });
      expect(rows()).toBe('[]');
    },
  );

  test('from the terminal leaves the settings as they are', async () => {
    const { deps, settings } = setUp();
    await connected(deps);
    const { settings: _none, ...terminal } = connecting;
    await connect(deps, terminal);
    expect(await settings.read('T1')).toEqual({ askers: 'S1' });
  });

  test('opens no other workspace', async () => {
    const { deps, connections } = setUp();
    await connected(deps);
    expect(await connections.find('T2')).toBeUndefined();
    expect(await connections.findByEndpoint('T1')).toBeUndefined();
    const { eventsUrl } = await connected(deps, { workspace: 'T2' });
    expect(await connections.findByEndpoint(eventsUrl.split('/').at(-1) ?? '')).toMatchObject({
      workspace: 'T2',
    });
  });
});
