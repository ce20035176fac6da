/** A Redis with a replica: calls, posts and answers wait until the replica has what they rely on. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';
import { openSettings, saveSettings } from '../../support/e2e/policy-modal.ts';
import { redisEnvironment } from '../../support/e2e/storage.ts';
import { runInTerminal } from '../../support/processes/terminal.ts';
import { needsRedis } from '../../support/redis/redis.ts';
import { startPair } from '../../support/redis/redis-sentinel.ts';

describe('with a replica of Redis', () => {
  needsRedis(true);

  async function start(installing: 'token' | 'oauth' = 'token') {
    const pair = await startPair();
    const env = redisEnvironment({ type: 'redis', url: pair.master.url, prefix: 'p' });
    const harness = await startHarness({ env, installing, overrides: { runner: { sweepMs: 50 } } });
    const calls = () => harness.journal.entries({ kind: 'order_service', name: 'cancel_order' });
    return { ...harness, ...pair, calls };
  }

  /** The replica goes, and comes back. */
  const WAYS = [
    ['frozen', (replica) => replica.pause(), (replica) => replica.resume()],
    ['dead', (replica) => replica.kill(), (replica) => replica.restart()],
  ] satisfies [string, ...((replica: Awaited<ReturnType<typeof start>>['replica']) => unknown)[]][];

  test.each(WAYS)(
    'that is %s no request is taken or sent, until it is back',
    async (_how, goes, comesBack) => {
      const harness = await start();
      await harness.cancelOrder('A-1001');
      await harness.reply('A-1001', /is cancelled/);
      await harness.ana.command('/cancel-order A-1002 Ordered twice', { channel: '#support' });
      await harness.ana.waitForModal();
      await goes(harness.replica);
      const { outcome, modal } = await harness.ana.submit();
      expect(outcome).toBe('pushed');
      expect(JSON.stringify(modal?.view)).toContain('Something went wrong in Countermand');
      // It is written, and the sweep finds it; but it is not posted, and so not sent.
      await expect.poll(harness.logged.text).toContain('claim not replicated: nothing is sent');
      expect(harness.calls()).toHaveLength(1);
      await comesBack(harness.replica);
      await harness.reply('A-1002', /is cancelled/);
      expect(harness.calls()).toHaveLength(2);
    },
  );

  test('that is frozen an installation is not called done, and the next try is, once it is back', async () => {
    const harness = await start('oauth');
    const browser = openBrowser(harness);
    harness.replica.pause();
    const refused = await browser.install('olga');
    expect(refused).toMatchObject({ status: 500, text: expect.stringContaining('eference') });
    harness.replica.resume();
    const again = async () => (await browser.install('olga')).text;
    await expect.poll(again).toContain('Countermand is installed.');
  });

  test('that is frozen changed settings are not called saved, and are in force once it is back', async () => {
    const harness = await start();
    const values = { order_id_pattern: 'A-####' };
    await openSettings(harness);
    harness.replica.pause();
    const { outcome, modal } = await harness.olga.submit(values);
    expect([outcome, JSON.stringify(modal?.view)]).toEqual([
      'pushed',
      expect.stringContaining('Something went wrong in Countermand'),
    ]);
    await harness.olga.closeModal({ all: true });
    harness.replica.resume();
    const again = async () => JSON.stringify((await saveSettings(harness, values)).modal?.view);
    // They were written the first time, and are confirmed now.
    await expect
      .poll(again)
      .toContain('Nothing was changed: the settings in this form were already like this');
  });

  test('that is frozen a new events secret is not shown, and the next connect shows another one', async () => {
    const { replica, environment, service } = await start();
    const connect = (...how: string[]) =>
      runInTerminal(
        environment,
        ['connect', '--workspace', SEED.team, '--token-stdin', ...how],
        service.issueToken(),
      );
    replica.pause();
    const { code, out, err } = await connect('--new-secret');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('Not all replicas of Redis have confirmed');
    replica.resume();
    await expect.poll(async () => (await connect()).out).toContain('Secret: ');
    expect((await connect()).out).toContain('its secret have not changed');
  });

  test.each(WAYS)('that is %s no event is taken, until it is back', async (_how, goes, comesBack) => {
    const harness = await start();
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    await goes(harness.replica);
    // Sent again by hand: the service of this setup gives up after a moment.
    const { deliveries, settled } = harness.service.approve('A-2001');
    await settled;
    expect(new Set(deliveries[0]?.attempts)).toEqual(new Set([503]));
    await comesBack(harness.replica);
    const again = async () => {
      const repeated = harness.service.redeliver(deliveries[0]?.id ?? '');
      await repeated.settled;
      return repeated.attempts.at(-1);
    };
    // It was written the first time, and is confirmed now.
    await expect.poll(again).toBe(200);
    await harness.reply('A-2001', /confirmed it after a review/);
  });

  test('that is frozen nothing is called done at the terminal', async () => {
    const { replica, environment } = await start();
    replica.pause();
    const unconfirmed = async (...args: string[]) => {
      const { code, out, err } = await runInTerminal(environment, args);
      expect([args[0], code]).toEqual([args[0], 1]);
      expect(err).toContain('Not all replicas of Redis have confirmed');
      return out;
    };
    expect(await unconfirmed('rotate-keys')).toBe('');
    expect(await unconfirmed('forget-person', 'U0GONE', '--workspace', SEED.team)).toBe('');
    // Its lines are out: a failover may undo its entry in the audit trail.
    await unconfirmed('export', '--workspace', SEED.team);
    expect(await unconfirmed('purge', '--workspace', SEED.team, '--yes')).toBe('');
  });
});
