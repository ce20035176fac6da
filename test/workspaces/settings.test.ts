import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Policy } from '../../src/requests/model/approvals/policy.ts';
import { openRedisStorage } from '../../src/storage/redis/open.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open.ts';
import { createSettingsStore, shownOf, shownPolicy } from '../../src/workspaces/settings.ts';
import { emptyRedis, needsRedis } from '../support/redis/redis.ts';
import { createConnectionsHarness } from '../support/requests/connections-harness.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

needsRedis();

const POLICY: Policy = {
  approvers: { type: 'channel' },
  channel: 'C1',
  shownIn: 'approvals_channel',
  quorum: 1,
  emoji: { yes: 'white_check_mark', no: 'x' },
  expiresAfterMs: 60_000,
  reminds: false,
  mayWithdraw: true,
  setBy: 'U1',
};

describe('a channel that has another id now', () => {
  test('has it wherever it was set, and no other channel does', async () => {
    const { settings } = createConnectionsHarness();
    const policies = { cancel_order: POLICY, send_offer: { ...POLICY, channel: 'C2' } };
    const others = { requesters: 'S1', sharedChannels: true };
    await settings.change('T1', { ...others, notificationsChannel: 'C1', policies });
    await settings.change('T2', { notificationsChannel: 'C1' });
    await settings.renameChannel('T1', 'C1', 'C9');
    expect(await settings.read('T1')).toEqual({
      ...others,
      notificationsChannel: 'C9',
      policies: { ...policies, cancel_order: { ...POLICY, channel: 'C9' } },
    });
    expect(await settings.read('T2')).toEqual({ notificationsChannel: 'C1' });
  });

  test('that was set nowhere changes nothing, and writes nothing', async () => {
    const { settings, rows } = createConnectionsHarness();
    await settings.renameChannel('T1', 'C1', 'C9');
    expect(rows()).toBe('[]');
    await settings.change('T1', { notificationsChannel: 'C2' });
    await settings.renameChannel('T1', 'C1', 'C9');
    expect(await settings.read('T1')).toEqual({ notificationsChannel: 'C2' });
  });
});

/** Settings shared by two replicas, or by a bot and a terminal command. */
const STORAGES = {
  SQLite: async () => {
    const path = join(temporaryFolder(), 'bot.db');
    return () => openSqliteStorage(path);
  },
  Redis: async () => {
    const address = await emptyRedis();
    return () => openRedisStorage(address);
  },
};

describe.for(Object.entries(STORAGES))('two admins at two replicas with %s', ([, find]) => {
  async function openTwo() {
    const open = await find();
    const replica = async () => {
      const storage = open();
      onTestFinished(storage.close);
      await storage.open({ debug() {}, info() {}, warn() {}, error() {} });
      return createSettingsStore(storage.keyv('settings'), storage.locks);
    };
    return [await replica(), await replica()] as const;
  }
  const SAVED = { type: 'saved' };
  const NOTHING = shownOf({});
  const NO_POLICY = shownPolicy(undefined);

  test('who save two policies in the same moment have both saved', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, other] = await openTwo();
      const saved = await Promise.all([
        one.savePolicy('T1', { kind: 'cancel_order', policy: POLICY }, NO_POLICY),
        other.savePolicy('T1', { kind: 'send_offer', policy: POLICY }, NO_POLICY),
        one.savePolicy('T1', { kind: 'cancel_offer', policy: POLICY }, NO_POLICY),
        other.save('T1', { requesters: 'S1' }, NOTHING),
      ]);
      expect(saved).toEqual([SAVED, SAVED, SAVED, SAVED]);
      const policies = { cancel_order: POLICY, send_offer: POLICY, cancel_offer: POLICY };
      expect(await one.read('T1')).toEqual({ requesters: 'S1', policies });
    }
  });

  test('who save one policy in the same moment: one has saved it, and the other one is told', async () => {
    const [one, other] = await openTwo();
    const policies = [POLICY, { ...POLICY, quorum: 2 }];
    const saved = await Promise.all(
      [one, other].map((store, n) =>
        store.savePolicy('T1', { kind: 'cancel_order', policy: policies[n] }, NO_POLICY),
      ),
    );
    expect(saved.map(({ type }) => type).sort()).toEqual(['conflict', 'saved']);
    const winner = policies[saved.findIndex(({ type }) => type === 'saved')];
    expect((await one.read('T1')).policies?.cancel_order).toEqual(winner);
  });

  test('who change different settings of one form keep what the other one has changed', async () => {
    const [one, other] = await openTwo();
    await one.change('T1', { requesters: 'S1', orderIdPattern: 'A-####' });
    const shown = shownOf(await other.read('T1'));
    expect(await one.save('T1', { requesters: 'S2', orderIdPattern: 'A-####' }, shown)).toEqual(SAVED);
    expect(await other.save('T1', { requesters: 'S1', orderIdPattern: 'B-####' }, shown)).toEqual(SAVED);
    expect(await one.read('T1')).toEqual({ requesters: 'S2', orderIdPattern: 'B-####' });
  });

  test('who change the same setting: the second one is told which, and nothing of theirs is saved', async () => {
    const [one, other] = await openTwo();
    await one.save('T1', { requesters: 'S1' }, NOTHING);
    const saved = await other.save('T1', { requesters: 'S2', sharedChannels: true }, NOTHING);
    expect(saved).toEqual({ type: 'conflict', names: ['requesters'] });
    expect(await one.read('T1')).toEqual({ requesters: 'S1' });
  });
});

describe('a save that changes nothing', () => {
  test('says so, and writes nothing', async () => {
    const { settings, rows } = createConnectionsHarness();
    expect(await settings.save('T1', {}, shownOf({}))).toEqual({ type: 'unchanged' });
    const none = { kind: 'cancel_order', policy: undefined } as const;
    expect(await settings.savePolicy('T1', none, shownPolicy(undefined))).toEqual({ type: 'unchanged' });
    expect(rows()).toBe('[]');
  });

  test('says so also where another admin has set the same since, and whoever set it stays the one', async () => {
    const { settings } = createConnectionsHarness();
    const [mine, theirs] = [POLICY, { ...POLICY, setBy: 'U2' }];
    const save = (policy: Policy) =>
      settings.savePolicy('T1', { kind: 'cancel_order', policy }, shownPolicy(undefined));
    expect([await save(mine), await save(theirs)]).toEqual([{ type: 'saved' }, { type: 'unchanged' }]);
    expect((await settings.read('T1')).policies?.cancel_order?.setBy).toBe('U1');
  });

  test('ignores the order in which the fields of a policy were written', async () => {
    const { settings } = createConnectionsHarness();
    await settings.change('T1', { policies: { cancel_order: POLICY } });
    const turned = Object.fromEntries(Object.entries(POLICY).reverse()) as Policy;
    const given = { kind: 'cancel_order', policy: turned } as const;
    expect(await settings.savePolicy('T1', given, shownPolicy(POLICY))).toEqual({ type: 'unchanged' });
  });
});
