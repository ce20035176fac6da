import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket as WebSocketClient } from 'ws';
import type { Sight } from '../../page/view-model/sight.ts';
import { SEED } from '../../slack/world/seed/seed.ts';
import { SUPPORT } from '../support/slack-desk.ts';
import { follow } from './follow.ts';
import { messagesOf, openPageDesk } from './support.ts';

const texts = (sight: Sight) => messagesOf(sight).map(({ text }) => text);

describe('a live stream', () => {
  test.each([
    ['another page of the web', 'https://elsewhere.example', false],
    ['the page itself', undefined, true],
  ])('is for the page alone: %s', async (_, origin, isLetIn) => {
    const { page } = await openPageDesk();
    const url = `${page.origin.replace('http', 'ws')}/live/backstage`;
    const socket = new WebSocketClient(url, { origin: origin ?? page.origin });
    onTestFinished(() => socket.terminate());
    const opened = await new Promise((resolve) => {
      socket.on('open', () => resolve(true)).on('error', () => resolve(false));
    });
    expect(opened).toBe(isLetIn);
  });

  test('tells at once what is there, and then every change', async () => {
    const { workspace, slack } = await openPageDesk();
    const stream = await workspace('ana', SUPPORT);
    expect(texts((await stream.next<Sight>('sight')).data)).toEqual([]);
    const ben = slack.person('ben');
    const at = ben.say('Hello', { channel: '#support' });
    expect(texts((await stream.next<Sight>('sight')).data)).toEqual(['Hello']);
    slack.person('cara').react('+1', at);
    const { data } = await stream.next<Sight>('sight');
    expect(messagesOf(data)[0]?.reactions).toEqual([{ name: '+1', users: [SEED.users.cara] }]);
    ben.deleteMessage(at);
    expect(texts((await stream.next<Sight>('sight')).data)).toEqual([]);
  });

  test('tells changes that come at once together', async () => {
    const { workspace, slack } = await openPageDesk();
    const stream = await workspace('ana', SUPPORT);
    await stream.next('sight');
    const ben = slack.person('ben');
    for (const text of ['One', 'Two', 'Three']) ben.say(text, { channel: '#support' });
    expect(texts((await stream.next<Sight>('sight')).data)).toEqual(['One', 'Two', 'Three']);
    ben.say('Four', { channel: '#support' });
    expect(texts((await stream.next<Sight>('sight')).data)).toHaveLength(4);
  });

  test('repeats nothing that did not change', async () => {
    const { workspace, slack, control } = await openPageDesk();
    const stream = await workspace('gus');
    await stream.next('sight');
    await control('GET', '/slack/control/sockets');
    slack.person('ana').say('Not for Gus', { channel: '#support' });
    await control('GET', '/slack/control/sockets');
    slack.person('ana').say('For Gus', { channel: '#partners' });
    expect(texts((await stream.next<Sight>('sight')).data)).toEqual(['For Gus']);
  });

  test('shows each browser its own person', async () => {
    const { workspace, call } = await openPageDesk();
    const [ana, ben] = [await workspace('ana', SUPPORT), await workspace('ben', SUPPORT)];
    await call('chat.postEphemeral', { channel: SUPPORT, user: SEED.users.ana, text: 'Psst' });
    await call('chat.postMessage', { channel: SUPPORT, text: 'Hello' });
    const isSaid = (sight: Sight) => texts(sight).includes('Hello');
    expect(texts((await ana.until('sight', isSaid)).data)).toEqual(['Psst', 'Hello']);
    expect(texts((await ben.until('sight', isSaid)).data)).toEqual(['Hello']);
  });

  test('shows Ana to a browser that names nobody', async () => {
    const { page } = await openPageDesk();
    const stream = await follow(`${page.origin}/live/workspace`);
    expect((await stream.next<Sight>('sight')).data.me.name).toBe('ana');
  });

  test.each([
    ['/live/workspace?as=U0NOBODY01', 'There is no user U0NOBODY01.'],
    ['/live/elsewhere', 'There is nothing to look at under /live/elsewhere.'],
  ])('of what is not there is refused in words, for good: %s', async (path, sentence) => {
    const { page, watchers } = await openPageDesk();
    const socket = new WebSocket(page.origin.replace('http', 'ws') + path);
    const { code, reason } = await new Promise<CloseEvent>((resolve) => {
      socket.onclose = resolve;
    });
    expect([code, reason]).toEqual([4004, sentence]);
    expect(watchers()).toBe(0);
  });

  test('is watched over for as long as its browser is there', async () => {
    const { workspace, backstage, watchers, unwatched } = await openPageDesk();
    const streams = [await workspace('ana'), await workspace('ben'), await backstage()];
    expect(watchers()).toBe(3);
    streams[0]?.leave();
    await unwatched(2);
    streams[1]?.leave();
    streams[2]?.leave();
    await unwatched(0);
    expect(watchers()).toBe(0);
  });

  test('ends when the page closes', async () => {
    const { workspace, backstage, page, unwatched } = await openPageDesk();
    const streams = [await workspace('ana'), await backstage()];
    await page.close();
    await unwatched(0);
    for (const stream of streams) await expect(stream.next('nothing')).rejects.toThrow();
  });
});
