import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SILENT } from '../../src/outbox/ports.ts';
import { SETTINGS_ID } from '../../src/outbox/record-store.ts';
import type { Policy } from '../../src/requests/model/policy.ts';
import { openRedisStorage } from '../../src/storage/redis/open.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open.ts';
import { createSettingsStore } from '../../src/workspaces/settings.ts';
import type { SettingsRecord } from '../../src/workspaces/settings-record.ts';
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
    const { settings } = createConnectionsHarness();
    await settings.renameChannel('T1', 'C1', 'C9');
    expect((await settings.inForce('T1')).version).toBeUndefined();
    await settings.change('T1', { notificationsChannel: 'C2' });
    const saved = (await settings.inForce('T1')).version;
    await settings.renameChannel('T1', 'C1', 'C9');
    expect(await settings.inForce('T1')).toEqual({
      settings: { notificationsChannel: 'C2' },
      version: saved,
    });
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
      await storage.open(SILENT);
      return createSettingsStore(storage.settings);
    };
    return [await replica(), await replica()] as const;
  }
  test('who save what they see in the same moment: one has saved it, and the others are told', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, other] = await openTwo();
      const saved = await Promise.all([
        one.savePolicy('T1', { kind: 'cancel_order', policy: POLICY }, undefined, 'U1'),
        other.savePolicy('T1', { kind: 'send_offer', policy: POLICY }, undefined, 'U1'),
        other.save('T1', { requesters: 'S1' }, undefined, 'U1'),
      ]);
      expect(saved.map(({ type }) => type).sort()).toEqual(['conflict', 'conflict', 'saved']);
      const { settings, version } = await one.inForce('T1');
      const possible = [
        { policies: { cancel_order: POLICY } },
        { policies: { send_offer: POLICY } },
        { requesters: 'S1' },
      ];
      expect(settings).toEqual(possible[saved.findIndex(({ type }) => type === 'saved')]);
      expect(saved).toContainEqual(expect.objectContaining({ type: 'saved', version }));
    }
  });

  test('who save one after another, each what they have seen, have both saved', async () => {
    const [one, other] = await openTwo();
    const version = async () => (await other.inForce('T1')).version;
    expect(await one.save('T1', { requesters: 'S1' }, undefined, 'U1')).toEqual({
      type: 'saved',
      version: await version(),
      changed: { requesters: { from: null, to: 'S1' } },
      notices: [],
    });
    const policy = { kind: 'cancel_order', policy: POLICY } as const;
    expect(await other.savePolicy('T1', policy, await version(), 'U1')).toEqual({
      type: 'saved',
      version: await version(),
      changed: { 'policy of cancel_order': { from: null, to: POLICY } },
      notices: [],
    });
    expect(await one.save('T1', { requesters: 'S1', sharedChannels: true }, await version(), 'U1')).toEqual({
      type: 'saved',
      version: await version(),
      changed: { sharedChannels: { from: null, to: true } },
      notices: [],
    });
    expect(await other.read('T1')).toEqual({
      requesters: 'S1',
      sharedChannels: true,
      policies: { cancel_order: POLICY },
    });
  });

  test('are told what is not saved if the other one has saved since they opened the form', async () => {
    const [one, other] = await openTwo();
    await one.save('T1', { requesters: 'S1' }, undefined, 'U1');
    const { version } = await one.inForce('T1');
    const saved = await other.save('T1', { requesters: 'S2', sharedChannels: true }, undefined, 'U1');
    expect(saved).toEqual({ type: 'conflict', names: ['requesters', 'sharedChannels'] });
    expect(
      await other.savePolicy('T1', { kind: 'send_offer', policy: POLICY }, undefined, 'U1'),
    ).toMatchObject({
      type: 'conflict',
    });
    expect(await one.inForce('T1')).toEqual({ settings: { requesters: 'S1' }, version });
  });
});

describe.for(Object.entries(STORAGES))('settings in %s that cannot be read', ([, find]) => {
  test('are never taken for no settings: neither read, nor changed, nor written over', async () => {
    const storage = (await find())();
    onTestFinished(storage.close);
    await storage.open(SILENT);
    const settings = createSettingsStore(storage.settings);
    await settings.change('T1', { requesters: 'S1' });
    const found = await storage.settings.get({ workspace: 'T1', id: SETTINGS_ID });
    if (!found) throw new Error('nothing was set');
    const unreadable = { ...found.record, settings: { requesters: 1 } } as unknown as SettingsRecord;
    const entry = { record: unreadable, subjects: [], at: 0, slot: undefined, dueAt: undefined };
    await storage.settings.update(entry, found.record.version);
    await expect(settings.read('T1')).rejects.toThrow();
    await expect(settings.inForce('T1')).rejects.toThrow();
    await expect(settings.change('T1', {})).rejects.toThrow();
    await expect(settings.save('T1', { requesters: 'S2' }, undefined, 'U1')).rejects.toThrow();
    const policy = { kind: 'cancel_order', policy: POLICY } as const;
    await expect(settings.savePolicy('T1', policy, undefined, 'U1')).rejects.toThrow();
    await expect(settings.renameChannel('T1', 'C1', 'C2')).rejects.toThrow();
  });
});

describe('a save that changes nothing', () => {
  test('says so, and writes nothing', async () => {
    const { settings } = createConnectionsHarness();
    expect(await settings.save('T1', {}, undefined, 'U1')).toEqual({ type: 'unchanged' });
    const none = { kind: 'cancel_order', policy: undefined } as const;
    expect(await settings.savePolicy('T1', none, undefined, 'U1')).toEqual({ type: 'unchanged' });
    expect((await settings.inForce('T1')).version).toBeUndefined();
  });

  test('is a conflict where another admin has set the same since, who stays the one who is told', async () => {
    const { settings } = createConnectionsHarness();
    const [mine, theirs] = [POLICY, { ...POLICY, setBy: 'U2' }];
    const save = (policy: Policy) =>
      settings.savePolicy('T1', { kind: 'cancel_order', policy }, undefined, 'U1');
    expect([await save(mine), await save(theirs)]).toMatchObject([{ type: 'saved' }, { type: 'conflict' }]);
    expect((await settings.read('T1')).policies?.cancel_order?.setBy).toBe('U1');
  });

  test('ignores the order in which the fields of a policy were written', async () => {
    const { settings } = createConnectionsHarness();
    await settings.change('T1', { policies: { cancel_order: POLICY } });
    const turned = Object.fromEntries(Object.entries(POLICY).reverse()) as Policy;
    const given = { kind: 'cancel_order', policy: turned } as const;
    expect(await settings.savePolicy('T1', given, undefined, 'U1')).toEqual({ type: 'unchanged' });
  });
});
