import { describe, expect, test } from 'vitest';
import { findMissedUninstalls } from '../../../src/workspaces/installation/missed-uninstalls.ts';
import type { ReportedUninstall } from '../../../src/workspaces/installation/uninstall-record.ts';

/** @param slack the answer about each installation */
function createHarness(slack: Record<string, 'stands' | 'gone' | 'unknown'>) {
  const asked: string[] = [];
  const reported: ReportedUninstall[] = [];
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
      recordUninstall: async (each) => void reported.push(each),
      stopping: stopping.signal,
    });
  return { find, asked, reported, stop: () => stopping.abort() };
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

  test('concludes nothing from an answer that it cannot read', async () => {
    const { find, reported } = createHarness({ T1: 'unknown' });
    await find();
    expect(reported).toEqual([]);
  });

  test('ends when the bot stops', async () => {
    const { find, stop, asked } = createHarness({ T1: 'gone' });
    stop();
    await find();
    expect(asked).toEqual([]);
  });
});
