import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { findMissedUninstalls } from '../../../src/workspaces/installation/uninstall.ts';
import type { Check, ReportedUninstall } from '../../../src/workspaces/installation/uninstall-record.ts';

/**
 * @param slack the answer about each installation
 * @param served the workspaces of an organization that the bot knows, and those of which Slack tells
 */
function createHarness(slack: Record<string, Check>, served: { known?: string[]; access?: string[] } = {}) {
  const asked: string[] = [];
  const reported: ReportedUninstall[] = [];
  const joined: string[] = [];
  const stopping = new AbortController();
  const find = () =>
    findMissedUninstalls({
      async *installations() {
        yield* Object.keys(slack);
      },
      async checkInstalled({ workspace }) {
        asked.push(workspace);
        return slack[workspace] ?? 'unknown';
      },
      async installed({ workspace: id }) {
        if (id === 'TUNREADABLE') throw new Error('The row is unreadable.');
        return { generation: 'one', workspaces: id.startsWith('E') ? (served.known ?? []) : [id] };
      },
      async listAccess(organization) {
        asked.push(`workspaces of ${organization}`);
        return served.access && new Set(served.access);
      },
      async setOrganization(workspace, organization) {
        joined.push(`${workspace} ${organization}`);
      },
      // What is not waited for is not recorded by the end of the search.
      recordUninstall: async (each) => {
        await nextTurn();
        reported.push(each);
      },
      stopping: stopping.signal,
    });
  return { find, asked, reported, joined, stop: () => stopping.abort() };
}

describe('the search for uninstalls that nobody reported', () => {
  test('records dead tokens as revoked, which leaves a day for new ones', async () => {
    const { find, reported } = createHarness({ T1: 'stands', T2: 'gone', E3: 'gone' });
    await find();
    expect(reported).toEqual([
      { id: 'T2', uninstalled: false },
      { id: 'E3', uninstalled: false },
    ]);
  });

  test('records a refused and an expired token, too, so that the log warns of it', async () => {
    const { find, reported } = createHarness({ T1: 'refused', T2: 'expired' });
    await find();
    expect(reported).toEqual([
      { id: 'T1', uninstalled: false },
      { id: 'T2', uninstalled: false },
    ]);
  });

  test('concludes nothing from an answer that it cannot read', async () => {
    const { find, reported } = createHarness({ T1: 'unknown' });
    await find();
    expect(reported).toEqual([]);
  });

  test.each([
    { known: ['T1', 'T2'], access: ['T2', 'T3'] },
    { known: ['T1'], access: [] },
  ])(
    'finds a workspace to which its organization has lost access, of $known, and leaves a day there, too',
    async (served) => {
      const { find, reported } = createHarness({ E1: 'stands' }, served);
      await find();
      expect(reported).toEqual([{ id: 'T1', uninstalled: false, organization: 'E1' }]);
    },
  );

  test('concludes nothing where Slack does not list the workspaces of an organization', async () => {
    const { find, reported } = createHarness({ E1: 'stands' }, { known: ['T1'] });
    await find();
    expect(reported).toEqual([]);
  });

  test('asks for no list where an installation serves only itself', async () => {
    const { find, asked } = createHarness({ T1: 'stands' });
    await find();
    expect(asked).toEqual(['T1']);
  });

  test('tells of each workspace that Slack lists for an organization: it may have joined that later', async () => {
    const { find, joined } = createHarness({ T1: 'stands', E1: 'stands' }, { access: ['T1', 'T2'] });
    await find();
    expect(joined).toEqual(['T1 E1', 'T2 E1']);
  });

  test('goes on behind an installation that cannot be read, and fails in the end', async () => {
    const { find, reported } = createHarness({ TUNREADABLE: 'stands', T2: 'gone' });
    await expect(find()).rejects.toThrow('unreadable');
    expect(reported).toEqual([{ id: 'T2', uninstalled: false }]);
  });

  test('ends when the bot stops', async () => {
    const { find, stop, asked } = createHarness({ T1: 'gone' });
    stop();
    await find();
    expect(asked).toEqual([]);
  });
});
