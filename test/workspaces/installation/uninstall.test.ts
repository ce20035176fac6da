import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import {
  advanceUninstall,
  type Installed,
  recordUninstall,
  UNINSTALL_TIMINGS,
  type UninstallDeps,
} from '../../../src/workspaces/installation/uninstall.ts';
import {
  type Left,
  UninstallRecord,
  uninstallRecordOf,
} from '../../../src/workspaces/installation/uninstall-record.ts';

const HOUR = 3_600_000;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** The answers of Slack and the order service, and the steps of the removal. */
function leaving(given: Partial<UninstallDeps> = {}) {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  const clock = { now: 1_000_000 };
  const uninstalls = createSqliteRecordStore(database, 'uninstalls', UninstallRecord, () => clock.now);
  const state = {
    installed: { generation: 'one', workspaces: ['T1'] } as Installed | undefined,
    slack: 'gone' as 'stands' | 'gone' | 'unknown',
    done: [] as string[],
  };
  const deps: UninstallDeps = {
    uninstalls,
    installed: async () => state.installed,
    checkInstalled: async () => state.slack,
    revokeOwn: async (workspace) => {
      state.done.push(`revoke ${workspace}`);
      return 'done';
    },
    isServed: async () => state.installed !== undefined,
    forget: async (workspace) => void state.done.push(`forget ${workspace}`),
    removeInstallation: async ({ workspace }) => {
      state.done.push(`remove ${workspace}`);
      state.installed = undefined;
    },
    withLock: (_id, _patience, act) => act(),
    timings: UNINSTALL_TIMINGS,
    log: silent,
    stopping: new AbortController().signal,
    ...given,
  };
  return {
    deps,
    state,
    clock,
    report: (id = 'T1', uninstalled = true) =>
      recordUninstall({ uninstalls, wake: () => {} }, { id, uninstalled }),
    advance: (id = 'T1') => advanceUninstall(deps, uninstallRecordOf(id)),
    /** Advances, and waits as long as it says, until it is over. @returns how long that took in all */
    async seeThrough(id = 'T1') {
      const began = clock.now;
      for (;;) {
        const ms = await advanceUninstall(deps, uninstallRecordOf(id));
        if (ms === undefined) return clock.now - began;
        clock.now += ms;
      }
    },
    pending: async (id = 'T1') => (await uninstalls.get(uninstallRecordOf(id)))?.record,
  };
}

describe('a workspace that has uninstalled Countermand', () => {
  test('has its own token revoked, then all that is stored of it removed, its installation last', async () => {
    const { report, seeThrough, pending, state } = leaving();
    await report();
    expect(await seeThrough()).toBe(UNINSTALL_TIMINGS.sweepMs);
    // Once more in the end: something may have been under way.
    expect(state.done).toEqual(['revoke T1', 'forget T1', 'remove T1', 'forget T1', 'remove T1']);
    expect(await pending()).toBeUndefined();
  });

  test('is removed once, though Slack tells of it by two events, and each of them twice', async () => {
    const { report, advance, seeThrough, state } = leaving();
    await Promise.all([report('T1', true), report('T1', false)]);
    await advance();
    await report('T1', false);
    await report('T1', true);
    await seeThrough();
    await report('T1', true);
    await seeThrough();
    expect(state.done).toEqual(['revoke T1', 'forget T1', 'remove T1', 'forget T1', 'remove T1']);
  });

  test('of which both an organization and the workspace itself tell leaves twice, each by its own', async () => {
    const checks: Left[] = [];
    const { deps, report, state } = leaving({
      installed: async (left) => {
        checks.push({ workspace: left.workspace, organization: left.organization });
        return undefined;
      },
    });
    await report();
    await recordUninstall(
      { uninstalls: deps.uninstalls, wake: () => {} },
      { id: 'T1', uninstalled: true, organization: 'E1' },
    );
    for (const ref of [uninstallRecordOf('T1'), uninstallRecordOf('T1', 'E1')])
      expect(await advanceUninstall(deps, ref)).toBeUndefined();
    expect(checks).toEqual([
      { workspace: 'T1', organization: undefined },
      { workspace: 'T1', organization: 'E1' },
    ]);
    expect(state.done).toEqual([]);
  });

  test('that was an organization takes all of its workspaces with it', async () => {
    const { report, seeThrough, state } = leaving();
    state.installed = { generation: 'one', workspaces: ['T1', 'T2'] };
    await report('E1');
    await seeThrough('E1');
    expect(state.done.slice(2)).toEqual([
      'forget T1',
      'forget T2',
      'remove E1',
      'forget T1',
      'forget T2',
      'remove E1',
    ]);
    expect(new Set(state.done.slice(0, 2))).toEqual(new Set(['revoke T1', 'revoke T2']));
  });
});

describe('a workspace whose bot token still works', () => {
  test('is left withLock, after a second look', async () => {
    const { report, seeThrough, pending, state } = leaving();
    state.slack = 'stands';
    await report();
    expect(await seeThrough()).toBe(UNINSTALL_TIMINGS.recheckMs);
    expect(state.done).toEqual([]);
    expect(await pending()).toBeUndefined();
  });

  test('is removed where the second look finds that it does not any more', async () => {
    const { report, advance, clock, state } = leaving();
    state.slack = 'stands';
    await report();
    clock.now += (await advance()) ?? 0;
    state.slack = 'gone';
    await advance();
    expect(state.done).toContain('forget T1');
  });
});

test('while Slack cannot be asked nothing is removed, and it is asked again, ever more slowly', async () => {
  const { report, advance, clock, state } = leaving();
  state.slack = 'unknown';
  await report();
  const waits: number[] = [];
  for (let i = 0; i < 10; i++) {
    const ms = (await advance()) ?? 0;
    waits.push(ms);
    clock.now += ms;
  }
  expect(waits.slice(0, 3)).toEqual([5_000, 10_000, 20_000]);
  expect(waits.at(-1)).toBe(UNINSTALL_TIMINGS.longestRetryMs);
  expect(state.done).toEqual([]);
});

describe('tokens that were revoked, and no word that the app is uninstalled', () => {
  test('are nothing to remove anything for, for a day: somebody may want others', async () => {
    const { report, advance, clock, state } = leaving();
    await report('T1', false);
    const began = clock.now;
    while (clock.now - began < 23 * HOUR) clock.now += (await advance()) ?? 0;
    expect(state.done).toEqual([]);
    state.installed = { generation: 'two', workspaces: ['T1'] };
    state.slack = 'stands';
    clock.now += (await advance()) ?? 0;
    expect(await advance()).toBeUndefined();
    expect(state.done).toEqual([]);
  });

  test('are what an uninstall leaves behind where nothing else comes for a day', async () => {
    const { report, seeThrough, state } = leaving();
    await report('T1', false);
    expect(await seeThrough()).toBeGreaterThanOrEqual(24 * HOUR);
    expect(state.done).toContain('forget T1');
  });

  test('are that of an uninstall as soon as it is told', async () => {
    const { report, advance, state } = leaving();
    await report('T1', false);
    await advance();
    expect(state.done).toEqual([]);
    await report('T1', true);
    await advance();
    expect(state.done).toContain('forget T1');
  });
});

describe('a reinstall', () => {
  test('is not removed in the middle of a long removal, nor in what comes after it', async () => {
    const { report, seeThrough, state } = leaving({
      forget: async (workspace) => {
        state.done.push(`forget ${workspace}`);
        state.installed = { generation: 'two', workspaces: ['T1', 'T2'] };
        state.slack = 'stands';
      },
    });
    state.installed = { generation: 'one', workspaces: ['T1', 'T2'] };
    await report('E1');
    await seeThrough('E1');
    expect(state.done.filter((act) => !act.startsWith('revoke'))).toEqual(['forget T1']);
  });

  test('within the minute after the removal is not swept away', async () => {
    const { report, advance, seeThrough, state } = leaving();
    await report();
    await advance();
    state.installed = { generation: 'two', workspaces: ['T1'] };
    await seeThrough();
    expect(state.done).toEqual(['revoke T1', 'forget T1', 'remove T1']);
  });

  test('is never removed: not while the former token is being revoked', async () => {
    const { deps, report, advance, seeThrough, state } = leaving({ revokeOwn: async () => 'later' });
    await report();
    expect(await advance()).toBeGreaterThan(0);
    state.installed = { generation: 'two', workspaces: ['T1'] };
    state.slack = 'stands';
    await seeThrough();
    expect(state.done).toEqual([]);
    expect((await deps.uninstalls.due(9)).length).toBe(0);
  });

  test('is never removed: not in the moment before the removal', async () => {
    const { report, advance, state } = leaving({
      withLock: (_id, _patience, act) => {
        state.installed = { generation: 'two', workspaces: ['T1'] };
        return act();
      },
    });
    await report();
    expect(await advance()).toBeUndefined();
    expect(state.done).toEqual(['revoke T1']);
  });

  test('that is uninstalled, too, is looked at anew, though its former self was not done with', async () => {
    let revocation: 'done' | 'later' = 'later';
    const { report, advance, state } = leaving({ revokeOwn: async () => revocation });
    await report();
    await advance();
    state.installed = { generation: 'two', workspaces: ['T1'] };
    revocation = 'done';
    await report();
    await advance();
    expect(state.done).toEqual(['forget T1', 'remove T1']);
  });
});

test('an order service that does not answer is asked for a day, and then everything is removed all the same', async () => {
  const warnings: string[] = [];
  let checks = 0;
  const { report, seeThrough, state } = leaving({
    revokeOwn: async () => {
      checks++;
      return 'later';
    },
    log: { ...silent, warn: (_fields, text) => void warnings.push(text) },
  });
  await report();
  const took = await seeThrough();
  expect(took).toBeGreaterThanOrEqual(24 * HOUR);
  expect(took).toBeLessThan(25 * HOUR);
  expect(checks).toBeGreaterThan(100);
  expect(state.done).toEqual(['forget T1', 'remove T1', 'forget T1', 'remove T1']);
  expect(warnings).toEqual([expect.stringContaining('API token not revoked')]);
});

test('a connection that can never be read keeps nothing from being removed, after a day', async () => {
  const { report, seeThrough, state } = leaving({
    revokeOwn: () => Promise.reject(new Error('A sealed secret was changed.')),
  });
  await report();
  await seeThrough();
  expect(state.done).toEqual(['forget T1', 'remove T1', 'forget T1', 'remove T1']);
});

test('a removal that breaks off is gone on with', async () => {
  let broken = true;
  const { report, advance, seeThrough, state, pending } = leaving({
    forget: async (workspace) => {
      if (broken) throw new Error('the storage went away');
      state.done.push(`forget ${workspace}`);
    },
  });
  await report();
  await expect(advance()).rejects.toThrow('went away');
  expect((await pending())?.step.type).toBe('remove');
  broken = false;
  await seeThrough();
  expect(state.done).toEqual(['revoke T1', 'forget T1', 'remove T1', 'forget T1', 'remove T1']);
});

test('a removal that breaks off when the installation is gone already is gone on with, too', async () => {
  let broken = true;
  const { deps, report, advance, seeThrough, state } = leaving();
  const { removeInstallation } = deps;
  deps.removeInstallation = async (left) => {
    await removeInstallation(left);
    if (broken) throw new Error('the storage went away');
  };
  await report();
  await expect(advance()).rejects.toThrow('went away');
  broken = false;
  await seeThrough();
  expect(state.done).toEqual(['revoke T1', 'forget T1', 'remove T1', 'forget T1', 'remove T1']);
});

test('an event about a workspace that is not installed does nothing', async () => {
  const { report, advance, pending, state } = leaving();
  state.installed = undefined;
  await report();
  expect(await advance()).toBeUndefined();
  expect(state.done).toEqual([]);
  expect(await pending()).toBeUndefined();
});
