import { describe, expect, test } from 'vitest';
import { installation, NOW, openStore } from './installation-stores.ts';

const LOCK = { ttlMs: 1_000, timeoutMs: 0 };

describe('an installation', () => {
  test('is found by its workspace, with its token, and by no other', async () => {
    const { store, installations } = openStore();
    await store.add(installation('T1'));
    await store.add(installation('T2'));
    expect(await installations.find('T1')).toEqual({
      workspace: 'T1',
      botToken: 'xoxb-T1',
      botId: 'B1',
      botUserId: 'U1',
    });
    expect(await store.get('T1')).toMatchObject({ installedBy: 'UOLGA', installedAt: NOW });
    expect(await installations.find('T3')).toBeUndefined();
    expect(await Array.fromAsync(store.ids())).toEqual(['T1', 'T2']);
  });

  test('holds no token in clear, and opens for its own workspace alone', async () => {
    const { store, keyv, installations } = openStore();
    await store.add(installation('T1', { tokens: { bot: 'xoxb-secret', refresh: 'xoxe-secret' } }));
    const row = await keyv.get('T1');
    expect(JSON.stringify(row)).not.toContain('secret');
    await keyv.set('T2', { ...row, id: 'T2' });
    await expect(installations.find('T2')).rejects.toThrow('sealed for another workspace');
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

  test('takes new tokens, unless it was installed anew meanwhile', async () => {
    const { store } = openStore();
    await store.add(installation('T1', { expiresAt: NOW + 1 }));
    const first = await store.get('T1');
    if (!first) throw new Error('It is not there.');
    await store.withLock('T1', LOCK, () => store.replaceTokens(first, { bot: 'xoxb-2' }, undefined));
    expect(await store.get('T1')).toMatchObject({ tokens: { bot: 'xoxb-2' }, generation: first.generation });
    expect(await store.get('T1')).not.toHaveProperty('expiresAt');
    await store.add(installation('T1', { tokens: { bot: 'xoxb-anew' } }));
    await store.replaceTokens(first, { bot: 'xoxb-late' }, undefined);
    expect((await store.get('T1'))?.tokens.bot).toBe('xoxb-anew');
  });

  test('can be removed, and nothing is left of it', async () => {
    const { store } = openStore();
    await store.add(installation('T1'));
    await store.forget('T1');
    expect(await store.get('T1')).toBeUndefined();
    expect(await Array.fromAsync(store.ids())).toEqual([]);
  });
});

describe('an org-wide installation', () => {
  test('is that of each workspace that Slack has named with the organization, also when it names it no more', async () => {
    const { store, organizations, installations } = openStore();
    await store.add(installation('E1'));
    expect(await installations.find('T1')).toBeUndefined();
    const first = await installations.find('T1', 'E1');
    expect(first).toMatchObject({ workspace: 'T1', organization: 'E1', botToken: 'xoxb-E1' });
    expect(await installations.find('T1')).toEqual(first);
    expect(await installations.find('T9', 'E9')).toBeUndefined();
    await installations.find('T2', 'E1');
    expect(await Array.fromAsync(installations.workspaces())).toEqual(expect.arrayContaining(['T1', 'T2']));
    await organizations.forget('T1');
    expect(await installations.find('T1')).toBeUndefined();
  });

  test('is nobody’s where Slack names no workspace, and nothing is learnt of that', async () => {
    const { store, organizations, installations } = openStore();
    await store.add(installation('E1'));
    expect(await installations.find('', 'E1')).toBeUndefined();
    expect(await Array.fromAsync(organizations.workspaces('E1'))).toEqual([]);
  });

  test('is not found, and nothing is learnt of it, once it is removed while somebody looks', async () => {
    const { store, organizations, installationsOver } = openStore();
    await store.add(installation('E1'));
    const removedMeanwhile = installationsOver({
      ...store,
      async get(id) {
        const found = await store.get(id);
        if (id === 'E1' && found) await store.forget('E1');
        return found;
      },
    });
    expect(await removedMeanwhile.find('T1', 'E1')).toBeUndefined();
    expect(await organizations.of('T1')).toBeUndefined();
  });

  test('serves a workspace also while somebody else is at work on it, and learns of it later', async () => {
    const { store, organizations, installations } = openStore();
    await store.add(installation('E1'));
    await store.withLock('E1', LOCK, async () => {
      expect(await installations.find('T1', 'E1')).toMatchObject({ botToken: 'xoxb-E1' });
      expect(await organizations.of('T1')).toBeUndefined();
    });
    await installations.find('T1', 'E1');
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
    await installations.remove({ workspace: 'T2' });
    expect(await installations.find('T2')).toMatchObject({ botToken: 'xoxb-E1' });
    expect(new Set((await installations.installed({ workspace: 'E1' }))?.workspaces)).toEqual(
      new Set(['T1', 'T2']),
    );
  });

  test('is known before a workspace’s own is removed, so that a crash in between leaves the workspace served', async () => {
    const { store, installations, installationsOver } = openStore();
    await store.add(installation('E1'));
    await store.add(installation('T2', { organization: 'E1' }));
    const crashing = installationsOver({
      ...store,
      async forget(id) {
        await store.forget(id);
        throw new Error('the process ended');
      },
    });
    await expect(crashing.remove({ workspace: 'T2' })).rejects.toThrow('ended');
    expect(await installations.find('T2')).toMatchObject({ botToken: 'xoxb-E1' });
  });

  test('is counted with its workspaces, though its tokens cannot be opened', async () => {
    const { store, keyv, installations } = openStore();
    await store.add(installation('E1'));
    await installations.find('T1', 'E1');
    await keyv.set('E1', { ...(await keyv.get('E1')), sealed: 'broken' });
    expect(await Array.fromAsync(installations.workspaces())).toContain('T1');
    expect((await installations.installed({ workspace: 'E1' }))?.workspaces).toEqual(['T1']);
    await expect(installations.find('T1')).rejects.toThrow();
  });

  test('is removed with all that is known of its workspaces', async () => {
    const { store, installations, organizations } = openStore();
    await store.add(installation('E1'));
    await installations.find('T1', 'E1');
    await installations.remove({ workspace: 'E1' });
    expect(await installations.installed({ workspace: 'E1' })).toBeUndefined();
    expect(await organizations.of('T1')).toBeUndefined();
  });

  test('leaves one of its workspaces: that is known no more, and the installation stays', async () => {
    const { store, installations, organizations } = openStore();
    await store.add(installation('E1'));
    for (const workspace of ['T1', 'T2']) await installations.find(workspace, 'E1');
    const left = { workspace: 'T1', organization: 'E1' };
    expect((await installations.installed(left))?.workspaces).toEqual(['T1']);
    await installations.remove(left);
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
