import { createSecretKey, randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { RUNTIME } from '../../../src/runtime.ts';
import { createIsBot } from '../../../src/slack/install/bot-users.ts';
import { createStoredInstallations } from '../../../src/slack/install/find-installations.ts';
import type { IsListed } from '../../../src/slack/install/listed-workspaces.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/open.ts';
import { createCipher } from '../../../src/workspaces/cipher.ts';
import {
  createInstallationStore,
  type InstallationStore,
  type NewInstallation,
} from '../../../src/workspaces/installation/installations.ts';
import { createOrganizations } from '../../../src/workspaces/installation/organizations.ts';
import type {
  InstallationRef,
  RemovableInstallations,
} from '../../../src/workspaces/installation/uninstall-record.ts';
import { temporaryFolder } from '../../support/storage/stores.ts';

/**
 * The installations and organizations as the bot stores them, in SQLite.
 *
 * @param isListed whether Slack lists a workspace for an organization
 */
export function openStore(isListed: IsListed = async () => true) {
  const storage = openSqliteStorage(`${temporaryFolder()}/test.db`);
  onTestFinished(storage.close);
  const cipher = createCipher([{ id: 'one', key: createSecretKey(randomBytes(32)) }]);
  const store = createInstallationStore({ ...RUNTIME, cipher, records: storage.installations });
  const organizations = createOrganizations(storage.organizations);
  const installationsOver = (over: InstallationStore) => ({
    ...createStoredInstallations(over, organizations, { freshen: async (stored) => stored, isListed }),
    isBot: createIsBot(over, RUNTIME.monotonic),
  });
  return {
    cipher,
    storage,
    store,
    organizations,
    installationsOver,
    installations: installationsOver(store),
  };
}

/** Removes an installation as an uninstall does: under a claim of its own. */
export async function removeClaimed(
  { removeInstallation, claimRemoval }: RemovableInstallations,
  left: InstallationRef,
): Promise<void> {
  const claim = await claimRemoval(left.workspace, 60_000);
  if (!claim) throw new Error('Somebody else has claimed it.');
  try {
    await removeInstallation(left, claim);
  } finally {
    await claim.release();
  }
}

export const installation = (id: string, more: Partial<NewInstallation> = {}): NewInstallation => ({
  id,
  orgWide: id.startsWith('E'),
  tokens: { bot: `xoxb-${id}` },
  scopes: [],
  botUserId: 'U1',
  installedBy: 'UOLGA',
  ...more,
});
