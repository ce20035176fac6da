import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import {
  advanceDeparture,
  type Installed,
  LEAVE_TIMINGS,
  type LeaveDeps,
  noteDeparture,
} from '../../../src/workspaces/installation/uninstall.ts';
import { Departure, departureOf, type Left } from '../../../src/workspaces/installation/uninstall-record.ts';

const HOUR = 3_600_000;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** What Slack and the order service say, and what was done to the workspace. */
function leaving(given: Partial<LeaveDeps> = {}) {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  const clock = { now: 1_000_000 };
  const departures = createSqliteRecordStore(database, 'departures', Departure, () => clock.now);
  const world = {
    installed: { generation: 'one', workspaces: ['T1'] } as Installed | undefined,
    slack: 'gone' as 'stands' | 'gone' | 'unknown',
    done: [] as string[],
  };
  const deps: LeaveDeps = {
    departures,
    installed: async () => world.installed,
    checkInstalled: async () => world.slack,
    revokeOwn: async (workspace) => {
      world.done.push(`revoke ${workspace}`);
      return 'done';
    },
    isServed: async () => world.installed !== undefined,
    forget: async (workspace) => void world.done.push(`forget ${workspace}`),
    removeInstallation: async ({ workspace }) => {
      world.done.push(`remove ${workspace}`);
      world.installed = undefined;
    },
    alone: (_id, _patience, act) => act(),
    timings: LEAVE_TIMINGS,
    log: silent,
    stopping: new AbortController().signal,
    ...given,
  };
  return {
    deps,
    world,
    clock,
    tell: (id = 'T1', uninstalled = true) =>
      noteDeparture({ departures, trigger: () => {} }, { id, uninstalled }),
    advance: (id = 'T1') => advanceDeparture(deps, departureOf(id)),
    /** Advances, and waits as long as it says, until it is over. @returns how long that took in all */
    async seeThrough(id = 'T1') {
      const began = clock.now;
      for (;;) {
        const ms = await advanceDeparture(deps, departureOf(id));
        if (ms === undefined) return clock.now - began;
        clock.now += ms;
      }
    },
    pending: async (id = 'T1') => (await departures.get(departureOf(id)))?.record,
  };
}

describe('a workspace that has uninstalled Countermand', () => {
  test('has its own token revoked, then all that is stored of it removed, its installation last', async () => {
    const { tell, seeThrough, pending, world } = leaving();
    await tell();
    expect(await seeThrough()).toBe(LEAVE_TIMINGS.sweepMs);
    // Once more in the end: something may have been under way.
    expect(world.done).toEqual(['revoke T1', 'forget T1', 'remove T1', 'forget T1']);
    expect(await pending()).toBeUndefined();
  });

  test('is removed once, though Slack tells of it by two events, and each of them twice', async () => {
    const { tell, advance, seeThrough, world } = leaving();
    await Promise.all([tell('T1', true), tell('T1', false)]);
    await advance();
    await tell('T1', false);
    await tell('T1', true);
    await seeThrough();
    await tell('T1', true);
    await seeThrough();
    expect(world.done).toEqual(['revoke T1', 'forget T1', 'remove T1', 'forget T1']);
  });

  test('of which both an organization and the workspace itself tell leaves twice, each by its own', async () => {
    const asked: Left[] = [];
    const { deps, tell, world } = leaving({
      installed: async (left) => {
        asked.push({ workspace: left.workspace, organization: left.organization });
        return undefined;
      },
    });
    await tell();
    await noteDeparture(
      { departures: deps.departures, trigger: () => {} },
      { id: 'T1', uninstalled: true, organization: 'E1' },
    );
    for (const ref of [departureOf('T1'), departureOf('T1', 'E1')])
      expect(await advanceDeparture(deps, ref)).toBeUndefined();
    expect(asked).toEqual([
      { workspace: 'T1', organization: undefined },
      { workspace: 'T1', organization: 'E1' },
    ]);
    expect(world.done).toEqual([]);
  });

  test('that was an organization takes all of its workspaces with it', async () => {
    const { tell, seeThrough, world } = leaving();
    world.installed = { generation: 'one', workspaces: ['T1', 'T2'] };
    await tell('E1');
    await seeThrough('E1');
    expect(world.done.slice(2)).toEqual(['forget T1', 'forget T2', 'remove E1', 'forget T1', 'forget T2']);
    expect(new Set(world.done.slice(0, 2))).toEqual(new Set(['revoke T1', 'revoke T2']));
  });
});

describe('a workspace whose bot token still works', () => {
  test('is left alone, after a second look', async () => {
    const { tell, seeThrough, pending, world } = leaving();
    world.slack = 'stands';
    await tell();
    expect(await seeThrough()).toBe(LEAVE_TIMINGS.recheckMs);
    expect(world.done).toEqual([]);
    expect(await pending()).toBeUndefined();
  });

  test('is removed where the second look finds that it does not any more', async () => {
    const { tell, advance, clock, world } = leaving();
    world.slack = 'stands';
    await tell();
    clock.now += (await advance()) ?? 0;
    world.slack = 'gone';
    await advance();
    expect(world.done).toContain('forget T1');
  });
});

test('while Slack cannot be asked nothing is removed, and it is asked again, ever more slowly', async () => {
  const { tell, advance, clock, world } = leaving();
  world.slack = 'unknown';
  await tell();
  const waits: number[] = [];
  for (let i = 0; i < 10; i++) {
    const ms = (await advance()) ?? 0;
    waits.push(ms);
    clock.now += ms;
  }
  expect(waits.slice(0, 3)).toEqual([5_000, 10_000, 20_000]);
  expect(waits.at(-1)).toBe(LEAVE_TIMINGS.longestRetryMs);
  expect(world.done).toEqual([]);
});

describe('tokens that were revoked, and no word that the app is uninstalled', () => {
  test('are nothing to remove anything for, for a day: somebody may want others', async () => {
    const { tell, advance, clock, world } = leaving();
    await tell('T1', false);
    const began = clock.now;
    while (clock.now - began < 23 * HOUR) clock.now += (await advance()) ?? 0;
    expect(world.done).toEqual([]);
    world.installed = { generation: 'two', workspaces: ['T1'] };
    world.slack = 'stands';
    clock.now += (await advance()) ?? 0;
    expect(await advance()).toBeUndefined();
    expect(world.done).toEqual([]);
  });

  test('are what an uninstall leaves behind where nothing else comes for a day', async () => {
    const { tell, seeThrough, world } = leaving();
    await tell('T1', false);
    expect(await seeThrough()).toBeGreaterThanOrEqual(24 * HOUR);
    expect(world.done).toContain('forget T1');
  });

  test('are that of an uninstall as soon as it is told', async () => {
    const { tell, advance, world } = leaving();
    await tell('T1', false);
    await advance();
    expect(world.done).toEqual([]);
    await tell('T1', true);
    await advance();
    expect(world.done).toContain('forget T1');
  });
});

describe('a reinstall', () => {
  test('is not removed in the middle of a long removal, nor in what comes after it', async () => {
    const { tell, seeThrough, world } = leaving({
      forget: async (workspace) => {
        world.done.push(`forget ${workspace}`);
        world.installed = { generation: 'two', workspaces: ['T1', 'T2'] };
        world.slack = 'stands';
      },
    });
    world.installed = { generation: 'one', workspaces: ['T1', 'T2'] };
    await tell('E1');
    await seeThrough('E1');
    expect(world.done.filter((act) => !act.startsWith('revoke'))).toEqual(['forget T1']);
  });

  test('within the minute after the removal is not swept away', async () => {
    const { tell, advance, seeThrough, world } = leaving();
    await tell();
    await advance();
    world.installed = { generation: 'two', workspaces: ['T1'] };
    await seeThrough();
    expect(world.done).toEqual(['revoke T1', 'forget T1', 'remove T1']);
  });

  test('is never removed: not while the former token is being revoked', async () => {
    const { deps, tell, advance, seeThrough, world } = leaving({ revokeOwn: async () => 'later' });
    await tell();
    expect(await advance()).toBeGreaterThan(0);
    world.installed = { generation: 'two', workspaces: ['T1'] };
    world.slack = 'stands';
    await seeThrough();
    expect(world.done).toEqual([]);
    expect((await deps.departures.due(9)).length).toBe(0);
  });

  test('is never removed: not in the moment before the removal', async () => {
    const { tell, advance, world } = leaving({
      alone: (_id, _patience, act) => {
        world.installed = { generation: 'two', workspaces: ['T1'] };
        return act();
      },
    });
    await tell();
    expect(await advance()).toBeUndefined();
    expect(world.done).toEqual(['revoke T1']);
  });

  test('that is uninstalled, too, is looked at anew, though its former self was not done with', async () => {
    let revocation: 'done' | 'later' = 'later';
    const { tell, advance, world } = leaving({ revokeOwn: async () => revocation });
    await tell();
    await advance();
    world.installed = { generation: 'two', workspaces: ['T1'] };
    revocation = 'done';
    await tell();
    await advance();
    expect(world.done).toEqual(['forget T1', 'remove T1']);
  });
});

test('an order service that does not answer is asked for a day, and then everything is removed all the same', async () => {
  const warnings: string[] = [];
  let asked = 0;
  const { tell, seeThrough, world } = leaving({
    revokeOwn: async () => {
      asked++;
      return 'later';
    },
    log: { ...silent, warn: (_fields, text) => void warnings.push(text) },
  });
  await tell();
  const took = await seeThrough();
  expect(took).toBeGreaterThanOrEqual(24 * HOUR);
  expect(took).toBeLessThan(25 * HOUR);
  expect(asked).toBeGreaterThan(100);
  expect(world.done).toEqual(['forget T1', 'remove T1', 'forget T1']);
  expect(warnings).toEqual([expect.stringContaining('could not be revoked')]);
});

test('a connection that can never be read keeps nothing from being removed, after a day', async () => {
  const { tell, seeThrough, world } = leaving({
    revokeOwn: () => Promise.reject(new Error('A sealed secret was changed.')),
  });
  await tell();
  await seeThrough();
  expect(world.done).toEqual(['forget T1', 'remove T1', 'forget T1']);
});

test('a removal that breaks off is gone on with', async () => {
  let broken = true;
  const { tell, advance, seeThrough, world, pending } = leaving({
    forget: async (workspace) => {
      if (broken) throw new Error('the storage went away');
      world.done.push(`forget ${workspace}`);
    },
  });
  await tell();
  await expect(advance()).rejects.toThrow('went away');
  expect((await pending())?.step.type).toBe('remove');
  broken = false;
  await seeThrough();
  expect(world.done).toEqual(['revoke T1', 'forget T1', 'remove T1', 'forget T1']);
});

test('an event about a workspace that is not installed does nothing', async () => {
  const { tell, advance, pending, world } = leaving();
  world.installed = undefined;
  await tell();
  expect(await advance()).toBeUndefined();
  expect(world.done).toEqual([]);
  expect(await pending()).toBeUndefined();
});
