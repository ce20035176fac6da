import { describe, expect, test } from 'vitest';
import type { UninstallDeps } from '../../../src/workspaces/installation/uninstall-record.ts';
import { CLAIM, createUninstallHarness, HOUR } from './uninstall-harness.ts';

describe('a reinstall', () => {
  test('is not removed in the middle of a long removal, nor in what comes after it', async () => {
    const { report, seeThrough, state } = createUninstallHarness({
      forget: async (workspace) => {
        state.done.push(`forget ${workspace}`);
        state.installed = { generation: 'two', workspaces: ['T1', 'T2'] };
        state.slack = 'stands';
        return true;
      },
    });
    state.installed = { generation: 'one', workspaces: ['T1', 'T2'] };
    await report('E1');
    await seeThrough('E1');
    expect(state.done.filter((act) => !act.startsWith('revoke'))).toEqual(['forget T1']);
  });

  test('within the minute after the removal is not swept away', async () => {
    const { report, advance, seeThrough, state } = createUninstallHarness();
    await report();
    await advance();
    state.installed = { generation: 'two', workspaces: ['T1'] };
    await seeThrough();
    expect(state.done).toEqual(['revoke T1', 'forget T1', 'remove T1']);
  });

  test('is never removed: not while the former token is being revoked', async () => {
    const { deps, report, advance, seeThrough, state } = createUninstallHarness({
      revokeOwn: async () => 'later',
    });
    await report();
    expect(await advance()).toBeGreaterThan(0);
    state.installed = { generation: 'two', workspaces: ['T1'] };
    state.slack = 'stands';
    await seeThrough();
    expect(state.done).toEqual([]);
    expect((await deps.uninstalls.due(9)).length).toBe(0);
  });

  test('is never removed: not in the moment before the removal', async () => {
    const { report, seeThrough, state } = createUninstallHarness({
      claimRemoval: async () => {
        state.installed = { generation: 'two', workspaces: ['T1'] };
        return CLAIM;
      },
    });
    await report();
    await seeThrough();
    expect(state.done).toEqual(['revoke T1']);
  });

  test('has the revocation of the token stopped that it has taken over', async () => {
    const mayRevoke: boolean[] = [];
    const { report, seeThrough, state } = createUninstallHarness({
      revokeOwn: async (_workspace, _leaving, mayGoOn) => {
        mayRevoke.push(await mayGoOn());
        state.installed = { generation: 'two', workspaces: ['T1'] };
        mayRevoke.push(await mayGoOn());
        return 'later';
      },
    });
    await report();
    await seeThrough();
    expect(mayRevoke).toEqual([true, false]);
    expect(state.done).toEqual([]);
  });

  test('of one workspace of an organization stops that of all, which may have the same token', async () => {
    const mayRevoke: boolean[] = [];
    const { report, seeThrough, state } = createUninstallHarness({
      revokeOwn: async (workspace, _leaving, mayGoOn) => {
        if (workspace === 'T1') {
          mayRevoke.push(await mayGoOn());
          state.installed = { generation: 'one', workspaces: ['T1'] };
          mayRevoke.push(await mayGoOn());
        }
        return 'later';
      },
    });
    state.installed = { generation: 'one', workspaces: ['T1', 'T2'] };
    await report();
    await seeThrough();
    expect(mayRevoke.slice(0, 2)).toEqual([true, false]);
  });

  test('that is uninstalled, too, is looked at anew, though its former self was not done with', async () => {
    let revocation: 'done' | 'later' = 'later';
    const { report, advance, state } = createUninstallHarness({ revokeOwn: async () => revocation });
    await report();
    await advance();
    state.installed = { generation: 'two', workspaces: ['T1'] };
    revocation = 'done';
    await report();
    await advance();
    expect(state.done).toEqual(['forget T1', 'remove T1']);
  });

  test('made before Slack was asked is not what was reported, though nothing can be said of it', async () => {
    const { report, seeThrough, state } = createUninstallHarness();
    await report();
    state.installed = { generation: 'two', workspaces: ['T1'] };
    await seeThrough();
    expect(state.done).toEqual([]);
  });

  test('keeps its own report though a process was frozen with one of the former installation', async () => {
    const { deps, report, pending, state } = createUninstallHarness();
    deps.installed = async () => {
      const found = state.installed;
      if (found?.generation === 'one') {
        state.installed = { generation: 'two', workspaces: ['T1'] };
        await report('T1', true);
      }
      return found;
    };
    await report('T1', false);
    expect(await pending()).toMatchObject({ generation: 'two', uninstalled: true });
  });

  test('whose tokens are revoked while those of the former one still are has a day for new tokens', async () => {
    let revocation: 'done' | 'later' = 'later';
    const { report, advance, clock, seeThrough, state } = createUninstallHarness({
      revokeOwn: async () => revocation,
    });
    await report();
    await advance();
    state.installed = { generation: 'two', workspaces: ['T1'] };
    revocation = 'done';
    await report('T1', false);
    const revokedAt = clock.now;
    while (!state.done.includes('remove T1')) clock.now += (await advance()) ?? 0;
    expect(clock.now).toBeGreaterThanOrEqual(revokedAt + 24 * HOUR);
    await seeThrough();
  });

  test('whose tokens are revoked before the last sweep of the former one has a day for new tokens, too', async () => {
    const { deps, report, advance, seeThrough, clock, state } = createUninstallHarness();
    await report();
    clock.now += ((await advance()) ?? 0) - 1;
    state.installed = { generation: 'two', workspaces: ['T1'] };
    await report('T1', false);
    const revokedAt = clock.now;
    let removedAt: number | undefined;
    deps.forget = async () => {
      removedAt ??= clock.now;
      return true;
    };
    await seeThrough();
    expect(removedAt).toBeGreaterThanOrEqual(revokedAt + 24 * HOUR);
  });
});

describe('an organization without one of its former workspaces', () => {
  /** The former installation served T1 and T2, and both are to be swept. */
  async function createReinstalled() {
    const harness = createUninstallHarness();
    const { deps, state, report, advance } = harness;
    deps.servedBy = async (workspace) =>
      state.installed?.workspaces.includes(workspace) ? workspace : undefined;
    state.installed = { generation: 'one', workspaces: ['T1', 'T2'] };
    await report('E1');
    await advance('E1');
    state.installed = { generation: 'two', workspaces: ['T1'] };
    state.done.length = 0;
    return harness;
  }

  test('has that workspace swept, though a late report tells nothing new', async () => {
    const { report, seeThrough, state } = await createReinstalled();
    state.slack = 'stands';
    await report('E1', false);
    await seeThrough('E1');
    expect(state.done).toContain('forget T2');
    expect(state.done).not.toContain('forget T1');
  });

  const MOMENTS: Record<string, (replace: () => void, deps: UninstallDeps) => Partial<UninstallDeps>> = {
    'while tokens are being revoked': (replace) => ({
      async revokeOwn() {
        replace();
        return 'later';
      },
    }),
    'in the moment before the removal': (replace) => ({
      async claimRemoval() {
        replace();
        return CLAIM;
      },
    }),
    'in the middle of the removal': (replace, { forget }) => ({
      async forget(...given) {
        replace();
        return forget(...given);
      },
    }),
  };

  test.each(Object.entries(MOMENTS))(
    'has that workspace swept, though it is installed once more %s',
    async (_, at) => {
      const { deps, report, seeThrough, state } = await createReinstalled();
      const replace = () => {
        state.installed = { generation: 'three', workspaces: ['T1'] };
      };
      Object.assign(deps, at(replace, deps));
      await report('E1');
      await seeThrough('E1');
      expect(state.done).toContain('forget T2');
    },
  );
});
