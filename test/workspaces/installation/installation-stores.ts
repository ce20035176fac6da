import { createSecretKey, randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { RUNTIME } from '../../../src/runtime.ts';
import { createStoredInstallations } from '../../../src/slack/install/stored-installations.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/open.ts';
import { createCipher } from '../../../src/workspaces/cipher.ts';
import {
  createInstallationStore,
  type InstallationStore,
  type NewInstallation,
} from '../../../src/workspaces/installation/installations.ts';
import { createOrganizations } from '../../../src/workspaces/installation/organizations.ts';
import { unrecorded } from '../../support/storage/audit-trail.ts';
import { temporaryFolder } from '../../support/storage/stores.ts';

export const NOW = 1_700_000_000_000;

/** The installations and organizations as the bot stores them, in SQLite. */
export function openStore() {
  const storage = openSqliteStorage(`${temporaryFolder()}/test.db`);
  onTestFinished(storage.close);
  const cipher = createCipher([{ id: 'one', key: createSecretKey(randomBytes(32)) }]);
  const indexed = storage.indexed('installations');
  const store = createInstallationStore(indexed, {
    cipher,
    locks: storage.locks,
    recordAct: unrecorded,
    uuid: RUNTIME.uuid,
    now: () => NOW,
  });
  const organizations = createOrganizations(storage.indexed('organizations'), storage.locks);
  const installationsOver = (over: InstallationStore) =>
    createStoredInstallations(over, organizations, {
      freshen: async (stored) => stored,
    });
  return {
    storage,
    store,
    keyv: indexed.values,
    index: indexed.index,
    organizations,
    installationsOver,
    installations: installationsOver(store),
  };
}

export const installation = (id: string, more: Partial<NewInstallation> = {}): NewInstallation => ({
  id,
  orgWide: id.startsWith('E'),
  tokens: { bot: `xoxb-${id}` },
  scopes: [],
  botId: 'B1',
  botUserId: 'U1',
  installedBy: 'UOLGA',
  ...more,
});
