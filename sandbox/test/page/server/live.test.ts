import { describe, expect, onTestFinished } from 'vitest';
import { WebSocket as WebSocketClient } from 'ws';
import type { WorkspaceViewModel } from '../../../page/view-model/workspace.ts';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { SUPPORT } from '../../support/slack-harness.ts';
import { follow } from '../support/follow.ts';
import { messagesOf, openPageHarness, test } from '../support/harness.ts';

const texts = (workspace: WorkspaceViewModel) => messagesOf(workspace).map(({ text }) => text);

describe('a live stream', () => {
  test.for([
    ['another page of the web', 'https://elsewhere.example', false],
    ['the page itself', undefined, true],
  ] as const)('is for the page alone: %s', async ([, origin, isLetIn], { page }) => {
    const url = `${page.origin.replace('http', 'ws')}/live/inspector`;
    const socket = new WebSocketClient(url, { origin: origin ?? page.origin });
    onTestFinished(() => socket.terminate());
    const opened = await new Promise((resolve) => {
      socket.on('open', () => resolve(true)).on('error', () => resolve(false));
    });
    expect(opened).toBe(isLetIn);
  });

  test('tells at once what is there, and then every change', async ({ workspace, slack }) => {
    const stream = await workspace('ana', SUPPORT);
    expect(texts((await stream.next<WorkspaceViewModel>('workspace')).data)).toEqual([]);
    const ben = slack.person('ben');
    const at = ben.say('Hello', { channel: '#support' });
    expect(texts((await stream.next<WorkspaceViewModel>('workspace')).data)).toEqual(['Hello']);
    slack.person('cara').react('+1', at);
    const { data } = await stream.next<WorkspaceViewModel>('workspace');
    expect(messagesOf(data)[0]?.reactions).toEqual([{ name: '+1', users: [SEED.users.cara] }]);
    ben.deleteMessage(at);
    expect(texts((await stream.next<WorkspaceViewModel>('workspace')).data)).toEqual([]);
  });

  test('tells changes that come at once together', async ({ workspace, slack }) => {
    const stream = await workspace('ana', SUPPORT);
    await stream.next('workspace');
    const ben = slack.person('ben');
    for (const text of ['One', 'Two', 'Three']) ben.say(text, { channel: '#support' });
    expect(texts((await stream.next<WorkspaceViewModel>('workspace')).data)).toEqual(['One', 'Two', 'Three']);
    ben.say('Four', { channel: '#support' });
    expect(texts((await stream.next<WorkspaceViewModel>('workspace')).data)).toHaveLength(4);
  });

  test('repeats nothing that did not change', async ({ workspace, slack, control }) => {
    const stream = await workspace('gus');
    await stream.next('workspace');
    await control('GET', '/slack/control/journal');
    slack.person('ana').say('Not for Gus', { channel: '#support' });
    await control('GET', '/slack/control/journal');
    slack.person('ana').say('For Gus', { channel: '#partners' });
    expect(texts((await stream.next<WorkspaceViewModel>('workspace')).data)).toEqual(['For Gus']);
  });

  test('shows each browser its own person', async ({ workspace, call }) => {
    const [ana, ben] = [await workspace('ana', SUPPORT), await workspace('ben', SUPPORT)];
    await call('chat.postEphemeral', { channel: SUPPORT, user: SEED.users.ana, text: 'Psst' });
    await call('chat.postMessage', { channel: SUPPORT, text: 'Hello' });
    const isSaid = (workspace: WorkspaceViewModel) => texts(workspace).includes('Hello');
    expect(texts((await ana.until('workspace', isSaid)).data)).toEqual(['Psst', 'Hello']);
    expect(texts((await ben.until('workspace', isSaid)).data)).toEqual(['Hello']);
  });

  test.for(['', '?as=U0NOBODY01'] as const)(
    'shows Ana to a browser that names nobody who is there: %s',
    async (query, { page }) => {
      const stream = await follow(`${page.origin}/live/workspace${query}`);
      expect((await stream.next<WorkspaceViewModel>('workspace')).data.me.name).toBe('ana');
    },
  );

  test('of what is not there is refused in words, for good', async ({ page, watchers }) => {
    const socket = new WebSocket(`${page.origin.replace('http', 'ws')}/live/elsewhere`);
    const { code, reason } = await new Promise<CloseEvent>((resolve) => {
      socket.onclose = resolve;
    });
    expect([code, reason]).toEqual([4004, 'There is nothing to look at under /live/elsewhere.']);
    expect(watchers()).toBe(0);
  });

  test('is watched over for as long as its browser is there', async () => {
    const { workspace, inspector, watchers, unwatched } = await openPageHarness();
    const streams = [await workspace('ana'), await workspace('ben'), await inspector()];
    expect(watchers()).toBe(3);
    streams[0]?.leave();
    await unwatched(2);
    streams[1]?.leave();
    streams[2]?.leave();
    await unwatched(0);
    expect(watchers()).toBe(0);
  });

  test('ends when the page closes', async ({ workspace, inspector, page, unwatched }) => {
    const streams = [await workspace('ana'), await inspector()];
    await page.close();
    await unwatched(0);
    for (const stream of streams) await expect(stream.next('nothing')).rejects.toThrow();
  });
});
