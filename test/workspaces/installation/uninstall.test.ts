import { describe, expect, test } from 'vitest';
import { SILENT } from '../../../src/outbox/ports.ts';
import {
  type InstallationRef,
  UNINSTALL_TIMINGS,
} from '../../../src/workspaces/installation/uninstall-record.ts';
import { createUninstallHarness, HOUR } from './uninstall-harness.ts';

describe('a workspace that has uninstalled Countermand', () => {
  test('has its own token revoked, then all that is stored of it removed, its installation last', async () => {
    const { report, seeThrough, pending, state } = createUninstallHarness();
    await report();
    expect(await seeThrough()).toBe(UNINSTALL_TIMINGS.lateWritesMs);
    // Once more in the end: something may have been under way.
    expect(state.done).toEqual(['revoke T1', 'forget T1', 'remove T1', 'forget T1', 'remove T1']);
    expect(await pending()).toBeUndefined();
  });

  test('is removed once, though Slack tells of it by two events, and each of them twice', async () => {
    const { report, advance, seeThrough, state } = createUninstallHarness();
    await Promise.all([report('T1', true), report('T1', false)]);
    await advance();
    await report('T1', false);
    await report('T1', true);
    await seeThrough();
    await report('T1', true);
    await seeThrough();
    expect(state.done).toEqual(['revoke T1', 'forget T1', 'remove T1', 'forget T1', 'remove T1']);
  });

  test('is in the audit trail once, until that is removed, and not where its token still works', async () => {
    const { report, advance, seeThrough, state, acts } = createUninstallHarness();
    state.slack = 'stands';
    await report();
    await seeThrough();
    expect(await acts()).toEqual([]);
    state.slack = 'gone';
    await report();
    await advance();
    await report();
    await seeThrough();
    expect(await acts()).toEqual(['uninstalled']);
  });

  test('of which both an organization and the workspace itself tell leaves twice, each by its own', async () => {
    const checks: InstallationRef[] = [];
    const { report, advance, state } = createUninstallHarness({
      installed: async (left) => {
        checks.push({ workspace: left.workspace, organization: left.organization });
        return undefined;
      },
    });
    await report();
    await report('T1', true, 'E1');
    checks.length = 0;
    expect(await advance('T1')).toBeUndefined();
    expect(await advance('T1', 'E1')).toBeUndefined();
    expect(checks).toEqual([
      { workspace: 'T1', organization: undefined },
      { workspace: 'T1', organization: 'E1' },
    ]);
    expect(state.done).toEqual([]);
  });

  test('that was an organization takes all of its workspaces with it', async () => {
    const { report, seeThrough, state } = createUninstallHarness();
    state.installed = { generation: 'one', workspaces: ['T1', 'T2'] };
    await report('E1');
    await seeThrough('E1');
    expect(state.done.slice(2)).toEqual([
      'forget T1',
      'forget T2',
      'remove E1',
      'forget T1',
      'forget T2',
      'forget E1',
      'remove E1',
    ]);
    expect(new Set(state.done.slice(0, 2))).toEqual(new Set(['revoke T1', 'revoke T2']));
  });
});

describe('a workspace whose bot token still works', () => {
  test('is left alone, after a second look', async () => {
    const { report, seeThrough, pending, state } = createUninstallHarness();
    state.slack = 'stands';
    await report();
    expect(await seeThrough()).toBe(UNINSTALL_TIMINGS.recheckMs);
    expect(state.done).toEqual([]);
    expect(await pending()).toBeUndefined();
  });

  test('is removed where the second look finds that it does not any more', async () => {
    const { report, advance, clock, state } = createUninstallHarness();
    state.slack = 'stands';
    await report();
    clock.now += (await advance()) ?? 0;
    state.slack = 'gone';
    await advance();
    expect(state.done).toContain('forget T1');
  });
});

test('while Slack cannot be asked nothing is removed, and it is asked again, ever more slowly', async () => {
  const { report, advance, clock, state } = createUninstallHarness();
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
    const { report, advance, clock, state } = createUninstallHarness();
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

  test('are in the log with the time that is left, once for each report, and count as refused', async () => {
    const warned: unknown[] = [];
    const log = { ...SILENT, error: (fields: object) => void warned.push(fields) };
    const { report, advance, clock, state } = createUninstallHarness({ log });
    await report('T1', false);
    clock.now += (await advance()) ?? 0;
    await advance();
    expect(warned).toEqual([{ event: 'slack_token_refused', workspace: 'T1', removedInMs: 24 * HOUR }]);
    clock.now += HOUR;
    await report('T1', false);
    await advance();
    expect(warned).toHaveLength(2);
    expect(state.done).toEqual([]);
  });

  test('are in the log hours before the removal also where Slack first gave no answer', async () => {
    const left: number[] = [];
    const error = ({ removedInMs }: { removedInMs?: number }) => void left.push(removedInMs ?? 0);
    const { report, advance, clock, state } = createUninstallHarness({ log: { ...SILENT, error } as never });
    await report('T1', false);
    state.slack = 'unknown';
    clock.now += (await advance()) ?? 0;
    state.slack = 'gone';
    for (let tries = 0; tries < 200 && left.length < 20; tries++) clock.now += (await advance()) ?? 0;
    expect(left[0]).toBeGreaterThan(23 * HOUR);
    expect(left.map((ms) => Math.round(ms / HOUR))).toEqual(Array.from({ length: 20 }, (_, n) => 24 - n));
  });

  test('count as refused no longer once Slack accepts them again', async () => {
    const events: unknown[] = [];
    const note = (fields: object) => void events.push('event' in fields ? fields.event : undefined);
    const { report, seeThrough, advance, clock, state } = createUninstallHarness({
      log: { ...SILENT, info: note, error: note },
    });
    await report('T1', false);
    for (const said of ['gone', 'stands', 'gone'] as const) {
      state.slack = said;
      clock.now += (await advance()) ?? 0;
    }
    state.slack = 'stands';
    await seeThrough();
    const [refused, accepted] = ['slack_token_refused', 'slack_token_accepted'];
    expect(events).toEqual([refused, accepted, refused, accepted]);
  });

  test('of an organization that has only lost its access to a workspace do not count as refused', async () => {
    const warned: unknown[] = [];
    const log = { ...SILENT, error: (fields: object) => void warned.push(fields) };
    const { report, advance } = createUninstallHarness({ log });
    await report('T1', false, 'E1');
    await advance('T1', 'E1');
    expect(warned).toEqual([{ workspace: 'T1', removedInMs: 24 * HOUR }]);
  });

  test('are what an uninstall leaves behind where nothing else comes for a day', async () => {
    const { report, seeThrough, state } = createUninstallHarness();
    await report('T1', false);
    expect(await seeThrough()).toBeGreaterThanOrEqual(24 * HOUR);
    expect(state.done).toContain('forget T1');
  });

  test('belong to an uninstall as soon as Slack reports that', async () => {
    const { report, advance, state } = createUninstallHarness();
    await report('T1', false);
    await advance();
    expect(state.done).toEqual([]);
    await report('T1', true);
    await advance();
    expect(state.done).toContain('forget T1');
  });
});

describe('a token that Slack refuses, maybe only from this address, or does not renew', () => {
  /** Reports revoked tokens of a workspace, which Slack then refuses for three days. */
  async function refuseForDays(as: 'refused' | 'expired' = 'refused') {
    const lines: { msg: string; event?: unknown }[] = [];
    const note = (fields: object, msg: string) => void lines.push({ ...fields, msg });
    const harness = createUninstallHarness({ log: { ...SILENT, info: note, error: note } as never });
    const { report, advance, clock, state } = harness;
    state.slack = as;
    await report('T1', false);
    const began = clock.now;
    while (clock.now - began < 72 * HOUR) clock.now += (await advance()) ?? 0;
    return { ...harness, lines };
  }

  test.each([
    ['refused', /^Slack refuses the bot token, or the address of this machine.* countermand purge$/],
    ['expired', /^Slack does not renew the bot token.*: install Countermand again.* countermand purge$/],
  ] as const)('removes nothing, however long, and is in the log about hourly: %s', async (as, text) => {
    const { state, lines, advance, clock } = await refuseForDays(as);
    expect(state.done).toEqual([]);
    expect(lines.length).toBeGreaterThan(70);
    expect(lines.length).toBeLessThan(80);
    for (const { event, msg } of lines)
      expect([event, msg]).toEqual(['slack_token_refused', expect.stringMatching(text)]);
    expect(state.refused).toEqual(new Set(['T1']));
    state.slack = 'stands';
    clock.now += (await advance()) ?? 0;
    expect(lines.at(-1)?.event).toBe('slack_token_accepted');
  });

  test('leaves a whole day once Slack says that it is dead', async () => {
    const { state, lines, seeThrough } = await refuseForDays();
    state.slack = 'gone';
    expect(await seeThrough()).toBeGreaterThanOrEqual(24 * HOUR);
    expect(state.done).toContain('forget T1');
    expect(lines.find((line) => 'removedInMs' in line)?.msg).toMatch(/^Countermand seems to be uninstalled/);
  });

  test.each([
    ['T1', 'refused'],
    ['T1', 'expired'],
    ['E1', 'refused'],
  ] as const)('confirms an uninstall that Slack has reported, of %s: %s', async (id, said) => {
    const { report, seeThrough, state } = createUninstallHarness();
    state.slack = said;
    await report(id);
    await seeThrough(id);
    expect(state.done).toContain('forget T1');
  });

  test('confirms it also where that is reported later', async () => {
    const { report, seeThrough, state } = await refuseForDays();
    await report('T1', true);
    await seeThrough();
    expect(state.done).toContain('forget T1');
  });

  test('of an organization does not confirm that it has lost its access to a workspace', async () => {
    const { report, advance, clock, seeThrough, state } = createUninstallHarness();
    state.slack = 'refused';
    await report('T1', true, 'E1');
    for (let tries = 0; tries < 200; tries++) clock.now += (await advance('T1', 'E1')) ?? 0;
    expect(state.done).toEqual([]);
    expect(state.refused).toEqual(new Set());
    state.slack = 'gone';
    await seeThrough('T1', 'E1');
    expect(state.done).toContain('forget T1');
  });

  test('of an organization interrupts the last sweep where that may have its access again', async () => {
    const { report, advance, clock, pending, state } = createUninstallHarness();
    const isSwept = async () => (await pending('T1', 'E1'))?.step.type !== 'sweep';
    const { installed } = state;
    await report('T1', true, 'E1');
    while (await isSwept()) clock.now += (await advance('T1', 'E1')) ?? 0;
    Object.assign(state, { installed, slack: 'refused' });
    for (let tries = 0; tries < 3; tries++) clock.now += (await advance('T1', 'E1')) ?? 0;
    expect(await isSwept()).toBe(false);
  });

  test('of an organization interrupts a removal that began because it had lost its access', async () => {
    const { report, advance, clock, pending, state } = createUninstallHarness({
      revokeOwn: async () => 'later',
    });
    await report('T1', false, 'E1');
    while ((await pending('T1', 'E1'))?.step.type === 'verify') clock.now += (await advance('T1', 'E1')) ?? 0;
    state.slack = 'refused';
    for (let tries = 0; tries < 200; tries++) clock.now += (await advance('T1', 'E1')) ?? 0;
    expect(state.done).toEqual([]);
    expect((await pending('T1', 'E1'))?.step.type).toBe('remove');
  });
});

test('a report that comes after a reinstall leaves no line about the token', async () => {
  const lines: string[] = [];
  const note = (_fields: object, message: string) => void lines.push(message);
  const { report, seeThrough, state } = createUninstallHarness({
    log: { ...SILENT, info: note, warn: note, error: note } as never,
  });
  state.slack = 'stands';
  await report('T1', false);
  await seeThrough();
  expect(lines.filter((line) => line.includes('installed'))).toEqual([]);
});

test('an event about a workspace that is not installed does nothing', async () => {
  const { report, advance, pending, state } = createUninstallHarness();
  state.installed = undefined;
  await report();
  expect(await advance()).toBeUndefined();
  expect(state.done).toEqual([]);
  expect(await pending()).toBeUndefined();
});
