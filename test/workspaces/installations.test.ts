import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSqliteStorage } from '../../src/storage/open.ts';
import { createCipher } from '../../src/workspaces/cipher.ts';
import { createInstallationStore, type NewInstallation } from '../../src/workspaces/installations.ts';
import { temporaryFolder } from '../support/stores.ts';

const NOW = 1_700_000_000_000;
const PATIENCE = { heldMs: 1_000, waitMs: 0 };

function openStore() {
  const storage = openSqliteStorage(`${temporaryFolder()}/test.db`);
  onTestFinished(storage.close);
  const cipher = createCipher([{ id: 'one', key: createSecretKey(randomBytes(32)) }]);
  const stores = {
    installations: storage.keyv('installations'),
    organizations: storage.keyv('organizations'),
  };
  const store = createInstallationStore(stores, { cipher, locks: storage.locks, now: () => NOW });
  return { store, stores };
}

const installation = (id: string, more: Partial<NewInstallation> = {}): NewInstallation => ({
  id,
  orgWide: id.startsWith('E'),
  tokens: { bot: `xoxb-${id}` },
  botId: 'B1',
  botUserId: 'U1',
  installedBy: 'UOLGA',
  ...more,
});

describe('an installation', () => {
  test('is found by its workspace, with its token, and by no other', async () => {
    const { store } = openStore();
    await store.add(installation('T1'));
    await store.add(installation('T2'));
    expect(await store.findFor('T1')).toMatchObject({
      tokens: { bot: 'xoxb-T1' },
      installedBy: 'UOLGA',
      installedAt: NOW,
    });
    expect(await store.findFor('T3')).toBeUndefined();
    expect((await store.list()).sort()).toEqual(['T1', 'T2']);
  });

  test('holds no token in clear, and opens for its own workspace alone', async () => {
    const { store, stores } = openStore();
    await store.add(installation('T1', { tokens: { bot: 'xoxb-secret', refresh: 'xoxe-secret' } }));
    const row = await stores.installations.get('T1');
    expect(JSON.stringify(row)).not.toContain('secret');
    await stores.installations.set('T2', { ...row, id: 'T2' });
    await expect(store.findFor('T2')).rejects.toThrow('sealed for another workspace');
  });

  test('takes the place of a former one, and is told from it', async () => {
    const { store } = openStore();
    await store.add(installation('T1'));
    const former = await store.get('T1');
    await store.add(installation('T1', { tokens: { bot: 'xoxb-new' } }));
    const now = await store.get('T1');
    expect(now?.tokens.bot).toBe('xoxb-new');
    expect(now?.generation).not.toBe(former?.generation);
  });

  test('takes new tokens, unless it was installed anew meanwhile', async () => {
    const { store } = openStore();
    await store.add(installation('T1', { expiresAt: NOW + 1 }));
    const first = await store.get('T1');
    if (!first) throw new Error('It is not there.');
    await store.alone('T1', PATIENCE, () => store.replaceTokens(first, { bot: 'xoxb-2' }, undefined));
    expect(await store.get('T1')).toMatchObject({ tokens: { bot: 'xoxb-2' }, generation: first.generation });
    expect(await store.get('T1')).not.toHaveProperty('expiresAt');
    await store.add(installation('T1', { tokens: { bot: 'xoxb-anew' } }));
    await store.replaceTokens(first, { bot: 'xoxb-late' }, undefined);
    expect((await store.get('T1'))?.tokens.bot).toBe('xoxb-anew');
  });

  test('can be removed, and nothing is left of it', async () => {
    const { store } = openStore();
    await store.add(installation('T1'));
    await store.remove('T1');
    expect(await store.get('T1')).toBeUndefined();
    expect(await store.list()).toEqual([]);
  });
});

describe('an org-wide installation', () => {
  test('is that of each workspace that Slack has named with the organization', async () => {
    const { store } = openStore();
    await store.add(installation('E1'));
    expect(await store.findFor('T1')).toBeUndefined();
    await store.learn('T1', 'E1');
    await store.learn('T2', 'E1');
    await store.learn('T9', 'E9');
    expect(await store.findFor('T1')).toMatchObject({ id: 'E1', orgWide: true });
    expect(await store.findFor('T9')).toBeUndefined();
    expect((await store.workspacesOf('E1')).sort()).toEqual(['T1', 'T2']);
    await store.unlearn('T1');
    expect(await store.findFor('T1')).toBeUndefined();
  });

  test('gives way to a workspace’s own', async () => {
    const { store } = openStore();
    await store.add(installation('E1'));
    await store.learn('T1', 'E1');
    await store.add(installation('T1'));
    expect(await store.findFor('T1')).toMatchObject({ id: 'T1', orgWide: false });
  });
});
