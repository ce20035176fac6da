/** `countermand events send`, `disconnect`, `pause` and `forget-person`. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { byId, SETTINGS_ID } from '../../../src/outbox/record-store.ts';
import { FORGOTTEN, TERMINAL } from '../../../src/requests/model/audit-entry.ts';
import { POLICY } from '../../support/e2e/approvals.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';
import { besideBot, failedRequest, IN } from '../../support/e2e/terminal.ts';
import { isTold } from '../../support/e2e/told.ts';
import { queued, restingEntry } from '../../support/requests/records.ts';

const { ana, ben, olga } = SEED.users;

const KEY_IS_LOST = expect.stringMatching(
  /^The key "\w+" of this secret is not among SECRET_KEYS\. Put back the key that sealed it .*, or connect the workspace again\.\n$/,
);

describe('countermand events send', () => {
  test('proves the way of an event without changing anything, and stands in the audit trail', async () => {
    const { run, id } = await failedRequest();
    const send = (...more: string[]) => run(['events', 'send', ...IN, ...more]);
    expect(await send()).toMatchObject({
      code: 0,
      output: 'The bot took the test event, and changed nothing.\n',
    });
    expect(JSON.parse((await send('--json')).output)).toEqual({ status: 200, result: 'ignored' });
    expect((await run(['requests', 'show', id, ...IN])).output).toContain('Refused');
    expect((await run(['audit', ...IN])).output).toMatch(/ {2}terminal {2}sent_event {2}-> test {2}taken\n/);
    const other = { SECRET_KEYS: `k:${'A'.repeat(43)}=` };
    expect(await run(['events', 'send', ...IN], other)).toMatchObject({ code: 1, output: KEY_IS_LOST });
    const away = await run(['events', 'send', ...IN], { PUBLIC_URL: 'http://127.0.0.1:1' });
    expect(away).toMatchObject({ code: 1, output: expect.stringContaining('Nothing answers at http://127') });
    expect((await run(['audit', ...IN])).output).toMatch(/-> test {2}unreachable\n/);
    const elsewhere = await run(['events', 'send', ...IN], { EVENTS_SIGNATURE_HEADERS: 'x-other' });
    expect(elsewhere).toMatchObject({ code: 1, output: expect.stringContaining('refused (HTTP 401)') });
    expect((await run(['audit', ...IN])).output).toMatch(/-> test {2}refused\n/);
  });

  test.each([
    ['everything', 'Welcome'],
    ['everything with a word of its own, which never reaches the terminal', '{"result":"\\u001b[2J"}'],
  ])('does not take another server, which answers 200 to %s, for the bot', async (_what, welcome) => {
    const { run } = await besideBot();
    const asked: unknown[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.end(welcome);
    });
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const PUBLIC_URL = `http://127.0.0.1:${port}/base`;
    const { code, output } = await run(['events', 'send', ...IN], { PUBLIC_URL });
    expect(code).toBe(1);
    expect(asked).toEqual([expect.stringMatching(/^\/base\/events\/T/)]);
    expect(output).toContain('Something else than the bot answered');
    expect(output).not.toContain('\u001b');
    expect((await run(['audit', ...IN])).output).toMatch(/-> test {2}not_the_bot\n/);
  });

  test.each([
    ['is lost', (_request: IncomingMessage, response: ServerResponse) => response.destroy()],
    [
      'comes from a load balancer that waits no longer',
      (_request: IncomingMessage, response: ServerResponse) => response.writeHead(504).end(),
    ],
    [
      'comes from one that did not see the whole event in time',
      (_request: IncomingMessage, response: ServerResponse) => response.writeHead(408).end(),
    ],
    [
      'says that the bot could not write it, or confirm the write',
      (_request: IncomingMessage, response: ServerResponse) => response.writeHead(503).end(),
    ],
  ])(
    'says that an event may count, and that a test may be sent again, whose answer %s',
    async (_how, answer) => {
      const { run } = await besideBot();
      const server = createServer((request, response) =>
        request.resume().on('end', () => void answer(request, response)),
      );
      onTestFinished(() => void server.close());
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      const send = (...about: string[]) =>
        run(['events', 'send', ...IN, ...about], { PUBLIC_URL: `http://127.0.0.1:${port}` });
      const sent = await send('--order', 'A-1001', '--status', 'approved');
      expect(sent).toMatchObject({ code: 1, output: expect.stringMatching(/not known.* may count/) });
      expect((await run(['audit', ...IN])).output).toMatch(/-> A-1001 approved {2}unknown\n/);
      const tested = await send();
      expect(tested).toMatchObject({
        code: 1,
        output: expect.stringMatching(/test event.* send it again\.\n$/),
      });
      expect(tested.output).not.toMatch(/may count|requests show/);
    },
  );

  test('sends one about an order, which counts like one of the order service', async () => {
    const { run, slack, service } = await besideBot();
    const body = { cancellationStatus: 'pending' };
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 201, body } });
    const person = slack.person('ana');
    await person.command('/cancel-order A-1001 Ordered twice', { channel: '#support' });
    await person.waitForModal();
    await person.submit();
    await slack.waitForMessage({ channel: '#support', text: /^Cancel order A-1001.*reviewing/s });
    const send = async (status: string) =>
      (await run(['events', 'send', ...IN, '--order', 'A-1001', '--status', status])).output;
    expect(await send('approved')).toBe('The bot took the event: applied.\n');
    await slack.waitForMessage({ channel: '#support', text: /is cancelled/ });
    // Each has a time of its own, so the last one is no repeat of the first.
    for (const status of ['denied', 'approved'])
      expect(await send(status)).toBe('The bot took the event: applied.\n');
  });

  test('names what it does not understand, and a workspace that is not connected', async () => {
    const { run } = await besideBot();
    for (const args of [
      [],
      ['receive'],
      ['send', ...IN, '--order', 'A'],
      ['send', ...IN, '--order', 'A', '--status', 'x'],
      ['send', ...IN, '--order', '', '--status', 'approved'],
      ['send', ...IN, '--order', 'A'.repeat(256), '--status', 'approved'],
    ])
      expect(await run(['events', ...args])).toMatchObject({ code: 2 });
    expect((await run(['audit', ...IN])).output).not.toContain('sent_event');
    const mistyped = ['--workspace', 'T0OTHER'];
    for (let twice = 0; twice < 2; twice++)
      expect(await run(['events', 'send', ...mistyped])).toMatchObject({
        code: 1,
        output: expect.stringContaining('stores nothing about T0OTHER'),
      });
    expect(await run(['requests', 'list', ...mistyped])).toMatchObject({ code: 1 });
  });

  test('is refused without an entry in the audit trail where nothing is connected', async () => {
    const { run, withStorage } = await besideBot({ connected: false });
    await withStorage(({ settings }) => settings.pause(SEED.team, { by: ana }));
    expect(await run(['events', 'send', ...IN])).toMatchObject({
      code: 1,
      output: expect.stringContaining('is not connected'),
    });
    expect((await run(['audit', ...IN])).output).not.toContain('sent_event');
  });
});

test('countermand disconnect says that the key of the token is lost before it shows a plan', async () => {
  const { run } = await besideBot();
  for (const more of [[], ['--yes']])
    expect(await run(['disconnect', ...IN, ...more], { SECRET_KEYS: `k:${'A'.repeat(43)}=` })).toMatchObject({
      code: 1,
      output: KEY_IS_LOST,
    });
});

describe('countermand pause', () => {
  test('keeps a bot that starts later from sending, until an admin resumes sending', async () => {
    const { run, withStorage, restart, slack, ana: agent } = await besideBot();
    const notificationsChannel = SEED.channels.approvals;
    await withStorage(({ settings }) => settings.change(SEED.team, { notificationsChannel }));
    await restart(undefined, async () => {
      expect(await run(['pause', ...IN])).toMatchObject({
        code: 0,
        output: expect.stringMatching(/^Sending is paused\. No request is sent .* until an admin resumes/),
      });
    });
    await slack.waitForMessage({ channel: '#approvals', text: /The operator paused sending/ });
    expect((await run(['pause', ...IN])).output).toMatch(/^Sending was paused already: the operator paused/);
    expect((await run(['audit', ...IN])).output).toMatch(/ {2}terminal {2}paused\n/);
    await isTold(agent, '/cancel-order A-1001', 'The operator paused sending');
  });

  test('pauses each workspace that is connected or has requests, and doctor says in which it is paused', async () => {
    const { run, withStorage } = await besideBot();
    expect((await run(['doctor'])).output).not.toContain('paused');
    const elsewhere = restingEntry(queued({ workspace: 'T0OTHER' }));
    await withStorage(({ storage }) => storage.requests.create(elsewhere));
    const { code, output } = await run(['pause', '--all']);
    const lines = [SEED.team, 'T0OTHER'].map((workspace) =>
      expect.stringMatching(`^${workspace}: Sending is paused\\. No request is sent`),
    );
    expect([code, output.trim().split('\n').toSorted()]).toEqual([0, lines.toSorted()]);
    for (const workspace of [SEED.team, 'T0OTHER'])
      expect(await withStorage(({ settings }) => settings.read(workspace))).toHaveProperty('paused');
    expect((await run(['doctor'])).output).toMatch(
      /^warning sending: Sending is paused in T0\w+, T0\w+\. An admin resumes it in \/countermand settings\.$/m,
    );
  });

  test('pauses the others where it cannot pause one, and says so', async () => {
    const { run, withStorage } = await besideBot();
    await withStorage(async ({ storage }) => {
      await storage.requests.create(restingEntry(queued({ workspace: 'T0OTHER' })));
      const unreadable = { workspace: 'T0OTHER', id: SETTINGS_ID, settings: 'x' };
      await storage.settings.create(byId(unreadable as never));
    });
    expect(await run(['pause', '--all'])).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /^T0ACME\w+: Sending is paused\.(?:.|\n)*Sending may not be paused in T0OTHER: A stored record/,
      ),
    });
    expect((await run(['doctor'])).output).toMatch(
      /^problem sending: Nothing is sent in T0OTHER: its settings cannot be read\. A stored record/m,
    );
  });

  test('names a workspace that it does not know', async () => {
    const { run } = await besideBot();
    expect(await run(['pause', '--workspace', 'T0OTHER'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('stores nothing about T0OTHER'),
    });
  });
});

describe('countermand forget-person', () => {
  test('replaces the id everywhere in the past, and says what it cannot reach', async () => {
    const { run, id, withStorage } = await failedRequest(`For <@${ana}>`);
    await withStorage(({ settings }) => settings.pause(SEED.team, { by: ana }));
    const policies = { cancel_order: { ...POLICY, setBy: ana } };
    await withStorage(({ settings }) => settings.change(SEED.team, { policies }));
    const forget = (...more: string[]) => run(['forget-person', ana, ...IN, ...more]);
    // Refused, without any change, until all is delivered to Slack.
    let forgotten = await forget();
    await expect
      .poll(async () => {
        if (forgotten.code !== 0) forgotten = await forget();
        return forgotten.code;
      })
      .toBe(0);
    const { output, logged } = forgotten;
    expect(output).toMatch(/^The id is replaced in requests \(1\), in the audit trail \(2\)/);
    expect(output).toContain('messages in Slack');
    expect(output).toContain('other workspaces of the organization');
    expect(output + JSON.stringify(logged)).not.toContain(ana);
    const left = await withStorage(async ({ storage, settings }) =>
      JSON.stringify([
        await storage.requests.list(SEED.team, { limit: 9 }),
        await storage.auditEntries.list(SEED.team, { limit: 9 }),
        await storage.recentRequests.list(SEED.team, { limit: 9 }),
        await settings.read(SEED.team),
      ]),
    );
    expect(left).not.toContain(ana);
    expect(left).toContain(`"requester":"${FORGOTTEN}"`);
    expect((await run(['requests', 'show', id, ...IN])).output).toContain('Requested by a removed person');
    expect((await run(['audit', ...IN])).output).toMatch(
      new RegExp(`  ${TERMINAL}  forgot_person  forgotten\n`),
    );
    expect(JSON.parse((await forget('--json')).output)).toEqual({
      requests: 0,
      auditEntries: 0,
      settings: 0,
    });
  });

  test('is refused, with links, while an open request or a policy names the person', async () => {
    const { run, slack, withStorage, service, id } = await failedRequest();
    const body = { cancellationStatus: 'pending' };
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 201, body } });
    const person = slack.person('ben');
    await person.command('/cancel-order A-1002 Mine', { channel: '#support' });
    await person.waitForModal();
    await person.submit();
    await slack.waitForMessage({ channel: '#support', text: /^Cancel order A-1002.*reviewing/s });
    const refused = await run(['forget-person', ben, ...IN]);
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(
      /^Nothing was changed, .*\n {2}request \w{12}: https:\/\/acme-support\.slack/,
    );
    const approvers = { type: 'people' as const, people: [olga] };
    const policies = { cancel_order: { ...POLICY, approvers } };
    await withStorage(({ settings }) => settings.change(SEED.team, { policies }));
    const named = await run(['forget-person', olga, ...IN]);
    expect(named.output).toContain(
      '  the approval policy of cancel_order: change it with /countermand settings',
    );
    expect((await run(['requests', 'show', id, ...IN])).output).toContain(ana);
    expect((await run(['audit', ...IN])).output).not.toContain('forgot_person');
  });

  test('ends only once the Slack token whose renewal it began is stored', async () => {
    const { run, withStorage, ...harness } = await besideBot({
      installing: 'oauth',
      slack: { tokenRotation: true },
    });
    const { slack, service, journal } = harness;
    await openBrowser(harness).install();
    await harness.connect();
    const body = { cancellationStatus: 'pending' };
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 201, body } });
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /reviewing/);
    const token = () =>
      withStorage(async ({ installations }) => (await installations.get(SEED.team))?.tokens.bot);
    const first = await token();
    // A bot that runs could renew the token itself.
    await harness.restart(undefined, async () => {
      await withStorage(async ({ installations }) => {
        const stored = await installations.get(SEED.team);
        if (stored) await installations.replaceTokens(stored, stored.tokens, Date.now() + 3_600_000);
      });
      const held = slack.faults.schedule({ on: 'oauth.v2.access', fault: { type: 'hold', when: 'after' } });
      const after = journal.entries().at(-1)?.n ?? 0;
      const forgotten = run(['forget-person', ana, ...IN]);
      await held.reached;
      // It looks for the address of the workspace, for its links.
      await journal.waitFor({ name: 'auth.test' }, { after });
      expect(await token()).toBe(first);
      held.release();
      expect(await forgotten).toMatchObject({ code: 1, output: expect.stringContaining('still needed') });
      expect(await token()).toBe(slack.installation().token);
      expect(await token()).not.toBe(first);
    });
  });

  test('says that nothing names an id that was mistyped, and enters nothing in the audit trail', async () => {
    const { run } = await besideBot();
    const { code, output, logged } = await run(['forget-person', `${ana}X`, ...IN]);
    expect([code, logged]).toEqual([0, []]);
    expect(output).toMatch(
      `The requests, the audit trail and the settings of ${SEED.team} do not name ${ana}X. Check the id.\nIt may still stand`,
    );
    expect((await run(['audit', ...IN])).output).not.toContain('forgot_person');
  });

  test('names what is no person, and a workspace that it does not know', async () => {
    const { run } = await besideBot();
    for (const args of [[], ['ana'], [ana, ben]])
      expect(await run(['forget-person', ...args, ...IN])).toMatchObject({ code: 2 });
    expect(await run(['forget-person', ana, '--workspace', 'T0OTHER'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('stores nothing about T0OTHER'),
    });
  });
});
