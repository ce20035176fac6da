import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newAdminsNotice, type RenewalNotice } from '../../src/requests/model/notices/notice.ts';
import { RUNTIME } from '../../src/runtime.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open.ts';
import { createCipher } from '../../src/workspaces/cipher.ts';
import { createInstallationStore } from '../../src/workspaces/installation/installations.ts';
import { createOrganizations } from '../../src/workspaces/installation/organizations.ts';
import { createTellOfRenewal, isNoticeInForce } from '../../src/workspaces/tell-admins.ts';

const PAGE = 'https://bot.example/slack/install';

/** An installation with an expiring token. */
async function setUp(id: string, orgWide: boolean) {
  const storage = openSqliteStorage(':memory:');
  onTestFinished(storage.close);
  const cipher = createCipher([{ id: 'one', key: createSecretKey(randomBytes(32)) }]);
  const installations = createInstallationStore({ ...RUNTIME, cipher, records: storage.installations });
  const organizations = createOrganizations(storage.organizations);
  const install = (expiresAt: number) =>
    installations.add({
      id,
      orgWide,
      expiresAt,
      tokens: { bot: 'xoxb', refresh: `xoxe-${expiresAt}` },
      scopes: [],
      botUserId: 'UBOT',
      installedBy: 'UOLGA',
    });
  const stored = async () => {
    const found = await installations.get(id);
    if (!found) throw new Error('Countermand is not installed.');
    return found;
  };
  await install(7_000);
  const tell = createTellOfRenewal({ notices: storage.notices, organizations }, PAGE);
  const inForce = (notice: RenewalNotice) =>
    isNoticeInForce(
      {
        connections: { find: async () => undefined },
        installations,
        settings: { read: async () => ({}) },
        servedBy: async () => id,
      },
      notice,
    );
  return { storage, organizations, installations, install, stored, tell, inForce };
}

describe('admins are told that Slack does not renew the token', () => {
  test('once for each token, with its end and the page that installs Countermand', async () => {
    const { storage, stored, tell } = await setUp('T1', false);
    for (let times = 0; times < 2; times++) await tell(await stored());
    expect(await storage.notices.list('T1', { limit: 9 })).toMatchObject([
      { type: 'renewal_refused', connectedBy: 'UOLGA', expiresAt: 7_000, orgWide: false, page: PAGE },
    ]);
    await tell({ ...(await stored()), expiresAt: 8_000 });
    expect(await storage.notices.count('T1')).toBe(2);
  });

  test('in each workspace that an org-wide installation serves', async () => {
    const { storage, organizations, stored, tell } = await setUp('E1', true);
    for (const workspace of ['T1', 'T2']) await organizations.learn(workspace, 'E1');
    await organizations.learn('T3', 'E2');
    await tell(await stored());
    const told = await Promise.all(['T1', 'T2', 'T3', 'E1'].map((id) => storage.notices.count(id)));
    expect(told).toEqual([1, 1, 0, 0]);
  });

  test('and not any more once Countermand is installed again, or the token was renewed after all', async () => {
    const { stored, install, installations, inForce } = await setUp('T1', false);
    const notice = async () => {
      const { generation, expiresAt = 0 } = await stored();
      const about = {
        type: 'renewal_refused' as const,
        workspace: 'T1',
        generation,
        orgWide: false,
        expiresAt,
        page: PAGE,
      };
      return newAdminsNotice({ ...about, connectedBy: 'UOLGA' }, 1);
    };
    const first = await notice();
    expect(await inForce(first)).toBe(true);
    await install(7_000);
    expect(await inForce(first)).toBe(false);
    const second = await notice();
    await installations.replaceTokens(await stored(), { bot: 'xoxb-2', refresh: 'xoxe-2' }, 9_000);
    expect(await inForce(second)).toBe(false);
  });
});
