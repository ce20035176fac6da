import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, onTestFinished } from 'vitest';
import { WebSocket as WebSocketClient } from 'ws';
import type { WorkspaceViewModel } from '../../../page/view-model/workspace.ts';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { SUPPORT } from '../../support/slack-harness.ts';
import { follow } from '../support/follow.ts';
import { CODE, MENU, messagesOf, openPageHarness, test } from '../support/harness.ts';

describe('the files of the page', () => {
  test.for([
    ['/', 'text/html; charset=utf-8', '<div id="root">'],
    ['/?as=U0ANA00001&conversation=C0SUPPORT1', 'text/html; charset=utf-8', '<div id="root">'],
    ['/style.css', 'text/css; charset=utf-8', '{'],
    ['/client.js', 'text/javascript; charset=utf-8', CODE],
    ['/menu.json', 'application/json', JSON.stringify(MENU)],
  ] as const)('%s is there, as what it is', async ([path, type, content], { page }) => {
    const response = await fetch(page.origin + path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect(await response.text()).toContain(content);
  });

  test('refer to nothing that is not there', async ({ page }) => {
    const html = await (await fetch(page.origin)).text();
    const paths = [...html.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, path]) => path);
    expect(paths).toEqual(['/style.css', '/client.js']);
    const css = await (await fetch(`${page.origin}/style.css`)).text();
    expect(css).not.toMatch(/@import|url\((?!data:)/);
  });

  test.for([
    '/nowhere',
    '/client/main.tsx',
    '/server.ts',
    '/live/nowhere',
    '/control/state',
    '/style.css/',
  ] as const)('%s is not among them', async (path, { page }) => {
    expect((await fetch(page.origin + path)).status).toBe(404);
  });
});

describe('the control APIs behind the page', () => {
  test('let a person act in Slack', async ({ control, slack }) => {
    const said = await control('POST', '/slack/control/people/ana/say', { text: 'Hello', channel: SUPPORT });
    expect(said).toMatchObject({ status: 200, body: { text: 'Hello' } });
    expect(slack.messages('#support')).toMatchObject([{ text: 'Hello', user: SEED.users.ana }]);
    const journal = await control('GET', '/slack/control/journal?kind=person');
    expect(journal.body).toMatchObject([{ n: 1, name: 'say', from: 'ana' }]);
    expect((await control('GET', '/slack/control/journal?after=1')).body).toEqual([]);
  });

  test('let the back office decide', async ({ control, cancel }) => {
    await cancel('A-2001');
    await control('POST', '/orders/control/orders/A-2001/deny');
    const { body } = await control('GET', '/orders/control/organizations/acme');
    expect(body.orders['A-2001'].requests.cancel_order.status).toBe('denied');
  });

  test.for([
    ['the page', (own: string) => ({ host: own, origin: `http://${own}` }), 200],
    ['the page, by another name', (own: string) => ({ host: own.replace('127.0.0.1', 'localhost') }), 200],
    ['another page of the web', (own: string) => ({ host: own, origin: 'https://elsewhere.example' }), 403],
    ['a document without an origin', (own: string) => ({ host: own, origin: 'null' }), 403],
    [
      'a page whose name leads here',
      () => ({ host: 'elsewhere.example', origin: 'http://elsewhere.example' }),
      403,
    ],
  ] as const)('are for the page and programs alone: %s', async ([, headersFor, status], { page, slack }) => {
    const headers = headersFor(new URL(page.origin).host);
    const act = request(`${page.origin}/slack/control/people/ana/say`, { method: 'POST', headers });
    act.end(JSON.stringify({ text: 'Hello', channel: SUPPORT }));
    const [response] = (await once(act, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(status);
    expect(slack.messages('#support')).toHaveLength(status === 200 ? 1 : 0);
  });

  test.for([
    ['/slack/control/people/nobody/say', { text: 'a', channel: 'b' }, 'there is nobody called nobody'],
    ['/slack/control/people/ana/say', { channel: '#support' }, 'text'],
    ['/slack/control/people/gina/say', { text: 'a', channel: '#partners' }, 'gina is not in #partners'],
    ['/orders/control/orders/A-1001/approve', {}, 'A-1001 of acme has nothing to review'],
    ['/orders/control/faults', { fault: 'flood', isOn: true }, 'fault'],
  ] as const)('explain a mistake in a sentence: %s %j', async ([path, body, sentence], { control }) => {
    const answer = await control('POST', path, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(sentence);
  });

  test('answer a body that is not JSON with 400', async ({ page }) => {
    const url = `${page.origin}/slack/control/people/ana/say`;
    expect((await fetch(url, { method: 'POST', body: '{' })).status).toBe(400);
  });

  test.for([
    ['GET', '/slack/control/faults'],
    ['GET', '/orders/control/faults'],
  ] as const)('have no route %s %s', async ([method, path], { control }) => {
    const answer = await control(method, path);
    expect(answer.status).toBe(404);
    expect(answer.body.error).toContain(`there is no route ${method} ${path.replace(/^\/\w+/, '')}`);
  });
});

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

  test('sends the current state at once, and then every change', async ({ workspace, slack }) => {
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

  test('sends changes of one moment together', async ({ workspace, slack }) => {
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

  test.for([
    ['', 'ana'],
    ['?as=U0NOBODY01', 'ana'],
    ['?as=cara', 'cara'],
  ] as const)(
    'shows the person in the query, or Ana if there is no such person: %s',
    async ([query, name], { page }) => {
      const stream = await follow(`${page.origin}/live/workspace${query}`);
      expect((await stream.next<WorkspaceViewModel>('workspace')).data.me.name).toBe(name);
    },
  );

  test('of an unknown path is refused with a final code and a reason', async ({ page, watchers }) => {
    const socket = new WebSocket(`${page.origin.replace('http', 'ws')}/live/elsewhere`);
    const { code, reason } = await new Promise<CloseEvent>((resolve) => {
      socket.onclose = resolve;
    });
    expect([code, reason]).toEqual([4004, 'There is nothing to look at under /live/elsewhere.']);
    expect(watchers()).toBe(0);
  });

  test('watches for changes only while its browser is connected', async () => {
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
