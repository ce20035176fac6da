import { describe, expect } from 'vitest';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { SUPPORT } from '../../support/slack-harness.ts';
import { CODE, MENU, test } from '../support/harness.ts';

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
    const read = await control('GET', `/slack/control/channels/${SUPPORT}/text?as=ben`);
    expect(read.body.text).toContain('Hello');
  });

  test('let the back office decide', async ({ control, service }) => {
    const added = await control('POST', '/orders/control/orders', { id: 'A-9001', reviewed: true });
    expect(added.status).toBe(200);
    const now = new Date().toISOString();
    const request = { status: 'pending', reason: 'Late', createdAt: now, updatedAt: now } as const;
    Object.assign(service.organization().orders.get('A-9001')?.requests ?? {}, { cancel_order: request });
    await control('POST', '/orders/control/orders/A-9001/deny');
    const { body } = await control('GET', '/orders/control/organizations/acme');
    expect(body.orders['A-9001'].requests.cancel_order.status).toBe('denied');
  });

  test.for([
    ['/slack/control/people/nobody/say', { text: 'a', channel: 'b' }, 'there is nobody called nobody'],
    ['/slack/control/people/ana/say', { channel: '#support' }, 'text'],
    ['/slack/control/people/ana/say', { text: 'a', channel: '#nowhere' }, 'there is no channel #nowhere'],
    ['/slack/control/people/gina/say', { text: 'a', channel: '#partners' }, 'gina is not in #partners'],
    ['/slack/control/people/ana/submit', {}, 'ana has no modal open'],
    ['/orders/control/orders/A-1001/approve', {}, 'A-1001 of acme has nothing to review'],
    ['/orders/control/troubles', { trouble: 'flood', isOn: true }, 'trouble'],
    ['/orders/control/troubles', { trouble: 'slow' }, 'isOn'],
  ] as const)('tell of a mistake in a sentence: %s %j', async ([path, body, sentence], { control }) => {
    const answer = await control('POST', path, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(sentence);
  });

  test('take a body that is no JSON for a mistake', async ({ page }) => {
    const url = `${page.origin}/slack/control/people/ana/say`;
    expect((await fetch(url, { method: 'POST', body: '{' })).status).toBe(400);
  });

  test.for([
    ['GET', '/slack/control/troubles'],
    ['GET', '/orders/control/people/ana'],
    ['POST', '/slack/nowhere'],
    ['GET', '/orders/control/troubles'],
  ] as const)('know no %s %s', async ([method, path], { control }) => {
    const answer = await control(method, path);
    expect(answer.status).toBe(404);
    expect(answer.body.error).toContain(`there is no route ${method} ${path.replace(/^\/\w+/, '')}`);
  });
});
