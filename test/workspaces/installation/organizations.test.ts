import { describe, expect, onTestFinished, test } from 'vitest';
import { openSqliteStorage } from '../../../src/storage/sqlite/open.ts';
import {
  createOrganizations,
  type Organizations,
} from '../../../src/workspaces/installation/organizations.ts';

/** Workspace T1 belongs to organization E1, and joins E2 in the moment before its record is removed. */
async function setUp() {
  const storage = openSqliteStorage(':memory:');
  onTestFinished(storage.close);
  const organizations = createOrganizations(storage.organizations);
  await organizations.learn('T1', 'E1');
  const remove: typeof storage.organizations.remove = async (ref, expected) => {
    if (ref.id === 'T1') await organizations.learn('T1', 'E2');
    return storage.organizations.remove(ref, expected);
  };
  return { organizations, removing: createOrganizations({ ...storage.organizations, remove }) };
}

describe('a workspace that joins another organization', () => {
  test.each<[string, (organizations: Organizations) => Promise<void>]>([
    ['it is removed from the former one', ({ leave }) => leave('T1', 'E1')],
    ['the former one is forgotten', ({ forget }) => forget('E1')],
  ])('stays there, though in that moment %s', async (_what, act) => {
    const { organizations, removing } = await setUp();
    await act(removing);
    expect(await organizations.of('T1')).toBe('E2');
  });
});

test('an organization is not stored for a workspace whose installation has changed since it was read', async () => {
  const { organizations } = await setUp();
  const removed = { type: 'installations', workspace: 'E2', id: 'installation', version: 5 } as const;
  expect(await organizations.learn('T1', 'E2', [removed])).toBe(false);
  expect(await organizations.of('T1')).toBe('E1');
});
