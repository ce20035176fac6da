/** Workspaces of which data are stored, although the bot has no installation there: it was that of another SLACK_BOT_TOKEN. */
import { describe, expect, test } from 'vitest';
import { UNINSTALL_TIMINGS } from '../../../src/workspaces/installation/uninstall-record.ts';
import { CLAIM, createUninstallHarness, HOUR } from './uninstall-harness.ts';

function setUp(...given: Parameters<typeof createUninstallHarness>) {
  const harness = createUninstallHarness(...given);
  harness.state.installed = undefined;
  harness.state.left = true;
  return harness;
}

describe('a workspace that uninstalls Countermand, and whose installation the bot does not have any more', () => {
  test('has its own token revoked, and its data removed, after a day', async () => {
    const { report, seeThrough, pending, state } = setUp();
    await report();
    expect(await seeThrough()).toBe(UNINSTALL_TIMINGS.graceMs);
    expect(state.done).toEqual(['revoke T1', 'forget T1', 'remove T1']);
    expect(await pending()).toBeUndefined();
  });

  test('keeps everything if it is served again before that', async () => {
    const { report, advance, clock, state } = setUp();
    await report();
    clock.now += (await advance()) ?? 0;
    state.left = false;
    expect(await advance()).toBeUndefined();
    expect(state.done).toEqual([]);
  });

  test('keeps everything where only its tokens were revoked', async () => {
    const { report, advance, state } = setUp();
    await report('T1', false);
    expect(await advance()).toBeUndefined();
    expect(state.done).toEqual([]);
  });

  test('keeps everything where Slack says that an organization serves it', async () => {
    const { reportIn, seeThrough, state } = setUp({
      servedBy: async (id) => (id === 'E1' ? id : undefined),
      async setOrganization() {
        state.left = false;
      },
    });
    state.slack = 'stands';
    await reportIn('E1', 'T1');
    await seeThrough();
    expect(state.done).toEqual([]);
  });

  test('keeps everything as long as Slack does not say whether an organization serves it', async () => {
    const { reportIn, advance, clock, state } = setUp({
      servedBy: async (id) => (id === 'E1' ? id : undefined),
    });
    state.slack = 'unknown';
    await reportIn('E1', 'T1');
    for (let n = 0; n < 20; n++) clock.now += (await advance()) ?? Number.NaN;
    expect(state.done).toEqual([]);
  });

  test('is removed after another day, if nobody knows whether its token is revoked', async () => {
    const { report, seeThrough, state } = setUp({ revokeOwn: async () => 'later' });
    await report();
    expect(await seeThrough()).toBeGreaterThanOrEqual(48 * HOUR);
    expect(state.done).toEqual(['forget T1', 'remove T1']);
  });

  test('is not removed while it is being installed, nor by a process whose claim has ended', async () => {
    let claim: typeof CLAIM | undefined;
    const { report, advance, clock, state } = setUp({
      claimRemoval: async () => claim,
      forget: async (_, mayGoOn) => mayGoOn(),
    });
    await report();
    clock.now += (await advance()) ?? 0;
    expect(await advance()).toBe(UNINSTALL_TIMINGS.retryMs);
    claim = { ...CLAIM, isHeld: async () => false };
    clock.now += UNINSTALL_TIMINGS.retryMs;
    expect(await advance()).toBe(2 * UNINSTALL_TIMINGS.retryMs);
    expect(state.done.filter((act) => act !== 'revoke T1')).toEqual([]);
  });

  test('is removed, too, where the bot was given another installation while it was leaving', async () => {
    const { report, seeThrough, state } = setUp();
    state.installed = { generation: 'one', workspaces: ['T1'] };
    await report();
    state.installed = undefined;
    await seeThrough();
    expect(state.done).toEqual(['revoke T1', 'forget T1', 'remove T1']);
  });
});
