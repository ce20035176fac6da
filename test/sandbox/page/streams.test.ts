import { describe, expect, test } from 'vitest';
import type { Sight } from '../../../sandbox/page/sight.ts';
import { SEED } from '../../../sandbox/slack/world/seed.ts';
import { SUPPORT } from '../support/slack-desk.ts';
import { follow } from './follow.ts';
import { messagesOf, openPageDesk } from './support.ts';

const texts = (sight: Sight) => messagesOf(sight).map(({ text }) => text);

describe('a live stream', () => {
  test('is one that browsers follow and nobody keeps', async () => {
    const { workspace } = await openPageDesk();
    const { headers } = await workspace('ana');
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
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

  test('of somebody who does not exist is refused in words', async () => {
    const { page, watchers } = await openPageDesk();
    const response = await fetch(`${page.origin}/live/workspace?as=U0NOBODY01`);
    expect(response.ok).toBe(false);
    expect(await response.text()).toContain('There is no user U0NOBODY01.');
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
