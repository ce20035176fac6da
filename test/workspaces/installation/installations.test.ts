import { describe, expect, test } from 'vitest';
import { RUNTIME } from '../../../src/runtime.ts';
import {
  installationEntry,
  installationRef,
  notInstalled,
} from '../../../src/workspaces/installation/installation-record.ts';
import { createInstallationStore } from '../../../src/workspaces/installation/installations.ts';
import { installation, openStore, removeClaimed } from './installation-stores.ts';

const HOUR_MS = 3_600_000;

describe('an installation', () => {
  test('is found by its workspace, with its token, and by no other', async () => {
    const { store, installations } = openStore();
    await store.add(installation('T1'));
    await store.add(installation('T2'));
    expect(await installations.find('T1')).toEqual({
      workspace: 'T1',
      botToken: 'xoxb-T1',
      botUserId: 'U1',
    });
    expect(await store.get('T1')).toMatchObject({ installedBy: 'UOLGA' });
    expect(await installations.find('T3')).toBeUndefined();
    expect(await Array.fromAsync(store.ids())).toEqual(['T1', 'T2']);
  });

  test('holds no token in clear, and opens for its own workspace alone', async () => {
    const { storage, store, installations } = openStore();
    await store.add(installation('T1', { tokens: { bot: 'xoxb-secret', refresh: 'xoxe-secret' } }));
    const { record } = (await storage.installations.get(installationRef('T1'))) ?? {};
    if (!record) throw new Error('It is not there.');
    expect(JSON.stringify(record)).not.toContain('secret');
    await storage.installations.create(installationEntry({ ...record, workspace: 'T2' }));
    await expect(installations.find('T2')).rejects.toThrow('sealed for another workspace');
  });

  test('that cannot be read does not keep the sweep from removing the expired claim on another one', async () => {
    const { storage, store } = openStore();
    const claim = { owner: 'gone', act: 'removing' as const, expiresAt: Date.now() - 1 };
    await storage.installations.create(installationEntry({ ...notInstalled('T1'), installed: {} as never }));
    await storage.installations.create(installationEntry({ ...notInstalled('T2'), claim }));
    await store.sweep();
    expect(await Array.fromAsync(store.ids())).toEqual(['T1']);
  });

  test('is not held for ever by a process that died before the clock was set back', async () => {
    const { storage, store } = openStore();
    const claim = { owner: 'gone', act: 'removing' as const, expiresAt: Date.now() + 24 * HOUR_MS };
    await storage.installations.create(installationEntry({ ...notInstalled('T1'), claim }));
    expect(await store.claim('T1', 'removing', { ms: HOUR_MS })).toBeDefined();
  });

  test('does not replace a later one, for which Slack has ended its token', async () => {
    const { store } = openStore();
    await store.add(installation('T1', { tokens: { bot: 'xoxb-later' } }));
    await expect(store.add(installation('T1'), async () => false)).rejects.toThrow(
      'The installation of T1 was not stored: Slack does not accept its token any more.',
    );
    expect(await store.get('T1')).toMatchObject({ tokens: { bot: 'xoxb-later' } });
  });

  test('does not replace a later one that is stored just after Slack has accepted its token', async () => {
    const { store } = openStore();
    let isEnded = false;
    const adding = store.add(installation('T1'), async () => {
      if (isEnded) return false;
      isEnded = true;
      await store.add(installation('T1', { tokens: { bot: 'xoxb-later' } }));
      return true;
    });
    await expect(adding).rejects.toThrow('not stored');
    expect(await store.get('T1')).toMatchObject({ tokens: { bot: 'xoxb-later' } });
  });

  test('takes the place of one that was stored before Slack was asked, and is stored at the next try', async () => {
    const { store } = openStore();
    let asked = 0;
    await store.add(installation('T1', { tokens: { bot: 'xoxb-newest' } }), async () => {
      if (asked++ === 0) await store.add(installation('T1', { tokens: { bot: 'xoxb-earlier' } }));
      return true;
    });
    expect(asked).toBe(2);
    expect(await store.get('T1')).toMatchObject({ tokens: { bot: 'xoxb-newest' } });
  });

  test('is not renewed once Slack has refused that, until it is installed again', async () => {
    const { store, installations } = openStore();
    for (const _again of [1, 2]) {
      await store.add(installation('T1'));
      expect(await installations.isNotRenewed('T1')).toBe(false);
      const stored = await store.get('T1');
      if (!stored) throw new Error('It is not there.');
      await store.recordRefusal(stored);
      expect(await installations.isNotRenewed('T1')).toBe(true);
    }
    expect(await installations.isNotRenewed('T2')).toBe(false);
  });

  test('takes the place of a former one, and is told from it', async () => {
    const { store } = openStore();
    await store.add(installation('T1'));
    const former = await store.get('T1');
    await store.add(installation('T1', { tokens: { bot: 'xoxb-new' } }));
    const now = await store.get('T1');
    expect(now?.tokens.bot).toBe('xoxb-new');
    expect(now?.generation).not.toBe(former?.generation);
  });

  test('takes new tokens and is claimed no longer, unless it was installed anew meanwhile', async () => {
    const { store } = openStore();
    await store.add(installation('T1', { expiresAt: 1 }));
    const first = await store.get('T1');
    if (!first) throw new Error('It is not there.');
    const claim = await store.claim('T1', 'renewing', { ms: HOUR_MS });
    expect(await store.replaceTokens(first, { bot: 'xoxb-2' }, undefined)).toBe(true);
    expect(await claim?.isHeld()).toBe(false);
    expect(await store.get('T1')).toMatchObject({ tokens: { bot: 'xoxb-2' }, generation: first.generation });
    expect(await store.get('T1')).not.toHaveProperty('expiresAt');
    await store.add(installation('T1', { tokens: { bot: 'xoxb-anew' } }));
    expect(await store.replaceTokens(first, { bot: 'xoxb-late' }, undefined)).toBe(false);
    expect((await store.get('T1'))?.tokens.bot).toBe('xoxb-anew');
  });

  test('is claimed by one at a time, until that one releases it, or the claim has expired', async () => {
    const { store } = openStore();
    await store.add(installation('T1'));
    const claim = await store.claim('T1', 'renewing', { ms: HOUR_MS });
    expect(await claim?.isHeld()).toBe(true);
    expect(await store.claim('T1', 'removing', { ms: HOUR_MS })).toBeUndefined();
    const waiting = store.claim('T1', 'removing', { ms: 0, waitMs: HOUR_MS });
    await claim?.release();
    expect(await claim?.isHeld()).toBe(false);
    const expired = await waiting;
    expect(await expired?.isHeld()).toBe(false);
    const next = await store.claim('T1', 'removing', { ms: HOUR_MS });
    await expired?.release();
    expect(await next?.isHeld()).toBe(true);
    expect(await store.get('T1')).toMatchObject({ tokens: { bot: 'xoxb-T1' } });
  });

  test('is not left claimed where the answer to the claim was lost', async () => {
    const { cipher, storage, store } = openStore();
    await store.add(installation('T1'));
    let isLost = true;
    const update: typeof storage.installations.update = async (...args) => {
      const written = await storage.installations.update(...args);
      if (!isLost) return written;
      isLost = false;
      throw new Error('the answer was lost');
    };
    const records = { ...storage.installations, update };
    const losing = createInstallationStore({ ...RUNTIME, cipher, records });
    await expect(losing.claim('T1', 'removing', { ms: HOUR_MS })).rejects.toThrow('the answer was lost');
    expect(await store.claim('T1', 'removing', { ms: HOUR_MS })).toBeDefined();
  });

  test('can replace one whose tokens are renewed, and waits while the data of a former one are removed', async () => {
    const { store } = openStore();
    await store.add(installation('T1'));
    await store.claim('T1', 'renewing', { ms: HOUR_MS });
    await store.add(installation('T1', { tokens: { bot: 'xoxb-2' } }));
    const removing = await store.claim('T1', 'removing', { ms: HOUR_MS });
    const adding = store.add(installation('T1', { tokens: { bot: 'xoxb-3' } }));
    expect(await store.standing('T1')).toBeUndefined();
    expect((await store.get('T1'))?.tokens.bot).toBe('xoxb-2');
    await store.forget('T1');
    await removing?.release();
    await adding;
    expect((await store.get('T1'))?.tokens.bot).toBe('xoxb-3');
  });

  test('leaves nothing of a claim once it is released, or its process has ended', async () => {
    const { store } = openStore();
    const claim = await store.claim('T1', 'removing', { ms: HOUR_MS });
    await store.claim('T2', 'removing', { ms: 0 });
    await store.sweep();
    expect(await Array.fromAsync(store.ids())).toEqual(['T1']);
    expect(await store.has('T1')).toBe(false);
    await claim?.release();
    expect(await Array.fromAsync(store.ids())).toEqual([]);
  });

  test('can be removed, and nothing is left of it', async () => {
    const { store } = openStore();
    await store.add(installation('T1'));
    await store.forget('T1');
    expect(await store.get('T1')).toBeUndefined();
    expect(await Array.fromAsync(store.ids())).toEqual([]);
  });
});

describe('an organization that serves a workspace beside its own installation', () => {
  test('leaves that in use, and does not count the workspace among its own', async () => {
    const { storage, store, installations } = openStore();
    for (const id of ['E1', 'T1']) await store.add(installation(id));
    const version = async () => (await storage.installations.get(installationRef('T1')))?.record.version;
    await installations.setOrganization('T1', 'E1');
    const written = await version();
    await installations.setOrganization('T1', 'E1');
    expect(await version()).toBe(written);
    expect(await installations.find('T1')).toMatchObject({ botToken: 'xoxb-T1' });
    for (const workspace of ['E1', 'T1'])
      expect((await installations.installed({ workspace }))?.workspaces).toEqual([]);
  });

  test('is not stored of a workspace without one, nor of one that cannot be read', async () => {
    const { storage, installations, organizations } = openStore();
    await installations.setOrganization('T1', 'E1');
    expect(await storage.installations.get(installationRef('T1'))).toBeUndefined();
    expect(await organizations.of('T1')).toBeUndefined();
    await storage.installations.create(installationEntry({ ...notInstalled('T2'), installed: {} as never }));
    await installations.setOrganization('T2', 'E1');
    expect(await organizations.of('T2')).toBeUndefined();
  });
});

describe('an org-wide installation', () => {
  test('serves each workspace that Slack has named with the organization, also once Slack names the organization no more', async () => {
    const { store, organizations, installations } = openStore();
    await store.add(installation('E1'));
    expect(await installations.find('T1')).toBeUndefined();
    const first = await installations.find('T1', 'E1');
    expect(first).toMatchObject({ workspace: 'T1', organization: 'E1', botToken: 'xoxb-E1' });
    expect(await installations.find('T1')).toEqual(first);
    expect(await installations.find('T9', 'E9')).toBeUndefined();
    await installations.find('T2', 'E1');
    expect(await Array.fromAsync(installations.workspacesOf('E1'))).toEqual(
      expect.arrayContaining(['T1', 'T2']),
    );
    await organizations.forget('T1');
    expect(await installations.find('T1')).toBeUndefined();
  });

  test('is not that of another company’s workspace, which Slack names beside the organization, with or without its own', async () => {
    const { store, organizations, installations } = openStore(async () => false);
    for (const id of ['E1', 'T1']) await store.add(installation(id));
    for (const workspace of ['T1', 'T2']) {
      expect(await installations.find(workspace, 'E1')).toBeUndefined();
      expect(await organizations.of(workspace)).toBeUndefined();
    }
    expect(await installations.find('T1')).toMatchObject({ botToken: 'xoxb-T1' });
    expect((await store.get('T1'))?.organization).toBeUndefined();
  });

  test('asks Slack once about a workspace, whether or not that has its own, and not at all about those that are known', async () => {
    const asked: string[] = [];
    const { store, installations } = openStore(async ({ id }, workspace, age) => {
      asked.push(`${id} ${workspace} ${age}`);
      return true;
    });
    await store.add(installation('E1'));
    await store.add(installation('T1'));
    await store.add(installation('T2', { organization: 'E1' }));
    for (const workspace of ['T1', 'T2', 'T3', 'T1', 'T2', 'T3']) await installations.find(workspace, 'E1');
    await installations.find('T4', 'E1', 'recent');
    expect(asked).toEqual(['E1 T1 now', 'E1 T3 now', 'E1 T4 recent']);
    expect(await installations.find('T1', 'E1')).toMatchObject({ botToken: 'xoxb-T1' });
    const known = await Array.fromAsync(installations.workspacesOf('E1'));
    expect(known.sort()).toEqual(['T1', 'T2', 'T3', 'T4']);
  });

  test('serves nobody if Slack names no workspace, and nothing is learnt from that', async () => {
    const { store, organizations, installations } = openStore();
    await store.add(installation('E1'));
    expect(await installations.find('', 'E1')).toBeUndefined();
    expect(await Array.fromAsync(organizations.workspaces('E1'))).toEqual([]);
  });

  test.each(['get', 'standing'] as const)(
    'is not found, and nothing is learnt of it, once it is removed while somebody looks (%s)',
    async (read) => {
      const { store, organizations, installationsOver } = openStore();
      await store.add(installation('E1'));
      const removedMeanwhile = installationsOver({
        ...store,
        async [read](id: string) {
          const found = await store[read](id);
          if (id === 'E1' && found) await store.forget('E1');
          return found;
        },
      });
      expect(await removedMeanwhile.find('T1', 'E1')).toBeUndefined();
      expect(await organizations.of('T1')).toBeUndefined();
    },
  );

  test('serves a workspace also while somebody else is about to remove it, and learns of it later', async () => {
    const { store, organizations, installations } = openStore();
    await store.add(installation('E1'));
    const claim = await store.claim('E1', 'removing', { ms: HOUR_MS });
    expect(await installations.find('T1', 'E1')).toMatchObject({ botToken: 'xoxb-E1' });
    expect(await organizations.of('T1')).toBeUndefined();
    await claim?.release();
    await installations.find('T1', 'E1');
    expect(await organizations.of('T1')).toBe('E1');
  });

  test('is asked for its workspaces, and whether anybody but one has the bot', async () => {
    const { store, installations } = openStore();
    await store.add(installation('T9'));
    expect(await installations.hasOthers('T9')).toBe(false);
    await store.add(installation('E1'));
    expect(await installations.hasOthers('T9')).toBe(false);
    await installations.find('T1', 'E1');
    expect(await installations.hasOthers('T9')).toBe(true);
    expect(await installations.hasOthers('T1')).toBe(true);
    expect(await Array.fromAsync(installations.workspacesOf('E1'))).toEqual(['T1']);
    expect(await Array.fromAsync(installations.workspacesOf('E2'))).toEqual([]);
  });

  test('is asked for its workspaces: also for those with their own, whether or not it is installed itself', async () => {
    const { store, installations } = openStore();
    await store.add(installation('T1', { organization: 'E1' }));
    const ofOrganization = async () => (await Array.fromAsync(installations.workspacesOf('E1'))).sort();
    await installations.find('T1');
    expect(await ofOrganization()).toEqual(['T1']);
    await store.add(installation('E1'));
    await installations.find('T2', 'E1');
    expect(await ofOrganization()).toEqual(['T1', 'T2']);
    await removeClaimed(installations, { workspace: 'E1' });
    await installations.find('T1');
    expect(await ofOrganization()).toEqual(['T1']);
    await removeClaimed(installations, { workspace: 'T1' });
    expect(await ofOrganization()).toEqual([]);
  });

  test.each(['get', 'standing'] as const)(
    'does not learn of a workspace whose own installation is removed while somebody looks (%s)',
    async (read) => {
      const { store, organizations, installationsOver } = openStore();
      await store.add(installation('T1', { organization: 'E1' }));
      const removedMeanwhile = installationsOver({
        ...store,
        async [read](id: string) {
          const found = await store[read](id);
          await store.forget(id);
          return found;
        },
      });
      expect(await removedMeanwhile.find('T1')).toMatchObject({ botToken: 'xoxb-T1' });
      expect(await organizations.of('T1')).toBeUndefined();
    },
  );

  test('learns of a workspace with its own only once nobody is about to remove that', async () => {
    const { store, organizations, installations } = openStore();
    await store.add(installation('T1', { organization: 'E1' }));
    const claim = await store.claim('T1', 'removing', { ms: HOUR_MS });
    expect(await installations.find('T1')).toMatchObject({ botToken: 'xoxb-T1' });
    expect(await organizations.of('T1')).toBeUndefined();
    await claim?.release();
    await installations.find('T1');
    expect(await organizations.of('T1')).toBe('E1');
  });

  test('gives way to a workspace’s own', async () => {
    const { store, installations } = openStore();
    await store.add(installation('E1'));
    await store.add(installation('T1'));
    expect(await installations.find('T1', 'E1')).toMatchObject({ botToken: 'xoxb-T1' });
  });

  test('does not take a workspace with it that has its own, nor the other way round', async () => {
    const { store, installations } = openStore();
    await store.add(installation('E1'));
    await installations.find('T1', 'E1');
    await installations.find('T2', 'E1');
    await store.add(installation('T2', { organization: 'E1' }));
    expect((await installations.installed({ workspace: 'E1' }))?.workspaces).toEqual(['T1']);
    expect((await installations.installed({ workspace: 'T2' }))?.workspaces).toEqual([]);
    await removeClaimed(installations, { workspace: 'T2' });
    expect(await installations.find('T2')).toMatchObject({ botToken: 'xoxb-E1' });
    expect(new Set((await installations.installed({ workspace: 'E1' }))?.workspaces)).toEqual(
      new Set(['T1', 'T2']),
    );
  });

  test('stays where the claim is gone under which it is to be removed, as after a failover', async () => {
    const { store, installations } = openStore();
    await store.add(installation('T1'));
    const claim = await installations.claimRemoval('T1', HOUR_MS);
    if (!claim) throw new Error('Somebody else has claimed it.');
    await claim.release();
    expect(await installations.removeInstallation({ workspace: 'T1' }, claim)).toBe(false);
    expect(await installations.find('T1')).toMatchObject({ botToken: 'xoxb-T1' });
    const next = await installations.claimRemoval('T1', HOUR_MS);
    expect(await installations.removeInstallation({ workspace: 'T1' }, claim)).toBe(false);
    expect(next && (await installations.removeInstallation({ workspace: 'T1' }, next))).toBe(true);
    expect(await installations.installed({ workspace: 'T1' })).toBeUndefined();
  });

  test('is known before a workspace’s own is removed, so that a crash in between leaves the workspace served', async () => {
    const { store, installations, installationsOver } = openStore();
    await store.add(installation('E1'));
    await store.add(installation('T2', { organization: 'E1' }));
    const crashing = installationsOver({
      ...store,
      async forget(...given) {
        await store.forget(...given);
        throw new Error('the process ended');
      },
    });
    await expect(removeClaimed(crashing, { workspace: 'T2' })).rejects.toThrow('ended');
    expect(await installations.find('T2')).toMatchObject({ botToken: 'xoxb-E1' });
  });

  test('is counted with its workspaces, though its tokens cannot be opened', async () => {
    const { storage, store, installations } = openStore();
    await store.add(installation('E1'));
    await installations.find('T1', 'E1');
    const { record } = (await storage.installations.get(installationRef('E1'))) ?? {};
    if (!record?.installed) throw new Error('It is not there.');
    const broken = { ...record, installed: { ...record.installed, sealed: 'broken' } };
    await storage.installations.update(installationEntry(broken), record.version);
    expect((await installations.installed({ workspace: 'E1' }))?.workspaces).toEqual(['T1']);
    await expect(installations.find('T1')).rejects.toThrow();
  });

  test('is counted without a workspace whose own installation cannot be read, so that it can be removed', async () => {
    const { storage, store, installations } = openStore();
    await store.add(installation('E1'));
    for (const workspace of ['T1', 'T2']) await installations.find(workspace, 'E1');
    await storage.installations.create(installationEntry({ ...notInstalled('T1'), installed: {} as never }));
    expect(await installations.installed({ workspace: 'E1' })).toMatchObject({ workspaces: ['T2'] });
    expect(await installations.installed({ workspace: 'T1', organization: 'E1' })).toBeUndefined();
  });

  test('is removed with all that is known of its workspaces', async () => {
    const { store, installations, organizations } = openStore();
    await store.add(installation('E1'));
    await installations.find('T1', 'E1');
    await removeClaimed(installations, { workspace: 'E1' });
    expect(await installations.installed({ workspace: 'E1' })).toBeUndefined();
    expect(await organizations.of('T1')).toBeUndefined();
  });

  test('leaves one of its workspaces: that is known no more, and the installation stays', async () => {
    const { store, installations, organizations } = openStore();
    await store.add(installation('E1'));
    for (const workspace of ['T1', 'T2']) await installations.find(workspace, 'E1');
    const left = { workspace: 'T1', organization: 'E1' };
    expect((await installations.installed(left))?.workspaces).toEqual(['T1']);
    await removeClaimed(installations, left);
    expect(await organizations.of('T1')).toBeUndefined();
    expect(await installations.find('T1')).toBeUndefined();
    expect(await installations.find('T2')).toMatchObject({ botToken: 'xoxb-E1' });
  });

  test('leaves nothing where a workspace has its own', async () => {
    const { store, installations } = openStore();
    await store.add(installation('E1'));
    await store.add(installation('T1', { organization: 'E1' }));
    expect(await installations.installed({ workspace: 'T1', organization: 'E1' })).toBeUndefined();
  });
});
