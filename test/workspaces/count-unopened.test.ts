import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { RUNTIME } from '../../src/runtime.ts';
import { countUnopened, createCipher, type SecretKey } from '../../src/workspaces/cipher.ts';
import {
  type Connection,
  connectionEntry,
  connectionRef,
} from '../../src/workspaces/connection/connection.ts';
import { createConnections } from '../../src/workspaces/connection/connections.ts';
import { createInstallationStore } from '../../src/workspaces/installation/installations.ts';
import { sqliteStorage } from '../support/storage/stores.ts';
import { overwrite } from '../support/storage/versions.ts';

const keyNamed = (id: string): SecretKey => ({ id, key: createSecretKey(randomBytes(32)) });
const [KEY, LOST] = [keyNamed('local'), keyNamed('lost')];

/** A storage with a workspace for each key, connected and installed under that key. */
async function storageOf(...keys: SecretKey[]) {
  const storage = sqliteStorage();
  const storesWith = (...[first, ...rest]: SecretKey[]) => {
    const cipher = createCipher([first ?? KEY, ...rest]);
    const shared = { cipher, ...RUNTIME };
    return {
      connections: createConnections({
        ...shared,
        records: storage.connections,
        holders: storage.tokens,
        tokens: storage.keyv('tokens'),
        replicated: storage.replicated,
      }),
      installations: createInstallationStore({ ...shared, records: storage.installations }),
    };
  };
  for (const [n, key] of keys.entries()) {
    const { connections, installations } = storesWith(key);
    const workspace = `T${n}`;
    const named = {
      workspace,
      generation: 'g',
      endpoint: `endpoint ${n}`,
      connectedBy: 'U1',
      connectedAt: 1,
    };
    const how = { tokenKind: 'rest', exclusive: false } as const;
    await connections.save({ ...named, ...how, token: 'token-4711', secret: 'secret' }, undefined);
    const bot = { tokens: { bot: 'xoxb-1' }, scopes: [], botUserId: 'U1', installedBy: 'U1' };
    await installations.add({ id: workspace, orgWide: false, ...bot });
  }
  const count = (signal: AbortSignal, ...held: SecretKey[]) => {
    const { connections, installations } = storesWith(...held);
    return countUnopened([connections, installations], signal);
  };
  return { storage, count };
}

const going = new AbortController().signal;

test('each workspace whose secrets no key opens is counted once: their key is gone, or another one has its name', async () => {
  const { count } = await storageOf(KEY, LOST, KEY);
  expect(await count(going, KEY, LOST)).toBe(0);
  expect(await count(going, KEY)).toBe(1);
  expect(await count(going, keyNamed('local'), LOST)).toBe(2);
});

test('what cannot be read at all is counted, too: a token, or the connection itself', async () => {
  const { storage, count } = await storageOf(KEY, KEY, KEY);
  const stored = async (workspace: string) =>
    (await storage.connections.get(connectionRef(workspace)))?.record as Connection;
  const { token } = await stored('T0');
  await storage.keyv('tokens').set(token?.generation ?? '', { unreadable: true });
  expect(await count(going, KEY)).toBe(1);
  await storage.keyv('tokens').delete(token?.generation ?? '');
  expect(await count(going, KEY)).toBe(1);
  await overwrite(storage.connections, connectionEntry({ ...(await stored('T1')), secrets: [] }));
  expect(await count(going, KEY)).toBe(2);
});

test('a bot that is told to stop counts no further', async () => {
  const { count } = await storageOf(LOST, LOST);
  expect(await count(AbortSignal.abort(), KEY)).toBe(0);
});
