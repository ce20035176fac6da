import { describe, expect, test } from 'vitest';
import { copied } from '../../../sandbox/connect.ts';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { cara, changePolicy, dev, policyLines, submitPolicy } from '../../support/e2e/policy-modal.ts';
import { isTold } from '../../support/e2e/told.ts';

async function openConnect() {
  const harness = await startHarness({ connected: false });
  await harness.openConnect();
  const seen = (text: string) => harness.olga.waitForModal({ text });
  return { ...harness, seen };
}

async function disconnect({ olga }: Harness) {
  await olga.command('/countermand disconnect', { channel: '#support' });
  await olga.waitForModal({ callback: 'disconnect' });
  await olga.submit();
  await olga.waitForModal({ text: 'is disconnected' });
  await olga.closeModal();
}

describe('/countermand connect', () => {
  test('shows the events URL and the secret once, in the modal, and nowhere else', async () => {
    const harness = await startHarness();
    const { eventsUrl = '', secret = '' } = harness.endpoint ?? {};
    expect(eventsUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/events\/T0ACME0001~[\w-]{32}$/);
    const posted = harness.journal.entries(
      ({ name }) => name.startsWith('chat.') || name.startsWith('response'),
    );
    expect(JSON.stringify(posted)).not.toContain(secret);
    expect(harness.olga.modal()).toBeUndefined();
  });

  test('asks the service something that changes nothing', async () => {
    const harness = await startHarness({ connected: false });
    await harness.connect();
    expect(harness.service.calls().map(({ operation }) => operation)).toEqual(['get_sub_brands']);
  });

  test('shows at once that it is asking', async () => {
    const harness = await openConnect();
    const held = harness.service.faults.schedule({
      on: 'get_sub_brands',
      fault: { type: 'hold', when: 'before' },
    });
    const { outcome, modal } = await harness.olga.submit({ token: SEED_TOKENS.acme.rest });
    expect(outcome).toBe('updated');
    expect(JSON.stringify(modal)).toContain('Asking the order service');
    held.release();
    await harness.seen('is connected');
  });

  test('shows the secret also where the bot is told to stop while it asks: nobody can be shown it later', async () => {
    const harness = await openConnect();
    const fault = { type: 'hold', when: 'before' } as const;
    const held = harness.service.faults.schedule({ on: 'get_sub_brands', fault });
    await harness.olga.submit({ token: SEED_TOKENS.acme.rest });
    await held.reached;
    const restarted = harness.restart();
    // The bot's server is closed, and its metrics, which end after all calls to Slack, are still served.
    await expect.poll(() => fetch(`${harness.url}/healthz`).catch(() => 'closed')).toBe('closed');
    expect(await harness.metrics()).toContain('countermand_build_info');
    held.release();
    await restarted;
    const { view } = await harness.seen('is connected');
    expect(copied(view)).toHaveLength(2);
  });

  test('refuses a token that the service refuses, at its field, and saves nothing', async () => {
    const harness = await openConnect();
    await harness.olga.submit({ token: 'no-such-token' });
    const { values } = await harness.seen('did not accept the token you sent');
    expect(values['token']).toBeNull();
    await isTold(harness.ana, '/cancel-order A-1001 x', 'This workspace is not connected');
    await harness.olga.submit({ token: SEED_TOKENS.acme.rest });
    await harness.seen('is connected');
  });

  test.each([
    ['two words', 'A token is one word without spaces. Copy it again from the developer portal.'],
    ['1234567', 'A token has at least 8 characters. Copy it again from the developer portal.'],
    [
      'xoxb-123-abc',
      'This is a token of Slack. Copy the API token from the developer portal of the order service.',
    ],
  ])('helps at the field with a token that can be none: %s', async (token, sentence) => {
    const harness = await openConnect();
    const { outcome, errors } = await harness.olga.submit({ token });
    expect(outcome).toBe('errors');
    expect(errors).toEqual({ token: `${sentence} Nothing was saved.` });
    expect(harness.service.calls()).toEqual([]);
  });

  test('keeps what was chosen when the token has to be pasted again', async () => {
    const harness = await openConnect();
    harness.service.faults.schedule({ on: 'get_sub_brands', fault: { type: 'drop' } });
    await harness.olga.submit({
      token: SEED_TOKENS.acme.graphql,
      token_kind: 'graphql',
      exclusive: ['exclusive'],
    });
    const { values } = await harness.seen(
      'The order service gave no answer, so the token could not be checked.',
    );
    expect(values).toMatchObject({ token_kind: 'graphql', exclusive: ['exclusive'] });
  });

  test('again keeps what was chosen for the former token and the secret when the token has to be pasted again', async () => {
    const harness = await startHarness();
    await harness.openConnect();
    const chosen = { revoke_former: ['revoke_former'], events_secret: 'replace' };
    await harness.olga.submit({ token: 'no-such-token', ...chosen });
    const { values } = await harness.olga.waitForModal({ text: 'did not accept the token you sent' });
    expect(values).toMatchObject(chosen);
    await harness.olga.submit({ token: harness.service.issueToken() });
    await harness.olga.waitForModal({ text: 'The former one works for another day.' });
  });

  test('again can end a former events secret at once', async () => {
    const harness = await startHarness();
    await harness.openConnect();
    await harness.olga.submit({ token: harness.service.issueToken(), events_secret: 'end' });
    await harness.olga.waitForModal({ text: 'signed with the former one are refused from now on' });
    const { connections } = await harness.terminal();
    const connection = await connections.find(SEED.team);
    const secrets = connection ? connections.secrets(connection) : [];
    expect(secrets).toHaveLength(1);
    expect(secrets).not.toContain(harness.endpoint?.secret);
  });

  test('is tried again with another token though Slack has not said yet that it shows what was wrong', async () => {
    const harness = await openConnect();
    const late = harness.slack.faults.schedule({
      on: 'views.update',
      fault: { type: 'hold', when: 'after' },
    });
    await harness.olga.submit({ token: 'no-such-token' });
    await late.reached;
    await harness.seen('did not accept the token you sent');
    await harness.olga.submit({ token: SEED_TOKENS.acme.rest });
    late.release();
    await harness.seen('is connected');
  });

  test('saves nothing where the service gives no answer', async () => {
    const harness = await openConnect();
    harness.service.faults.schedule({ on: 'get_sub_brands', fault: { type: 'drop' } });
    await harness.olga.submit({ token: SEED_TOKENS.acme.rest });
    await harness.seen('The order service gave no answer, so the token could not be checked.');
  });

  test.each([
    ['SUB_BRANDS_NOT_FOUND', 404, ''],
    ['FORBIDDEN', 403, 'did not allow the check (FORBIDDEN)'],
    [
      'INTERNAL_SERVER_ERROR',
      500,
      'could not be checked: the order service gave no usable answer (INTERNAL_SERVER_ERROR)',
    ],
  ])('passes when the service answers %s', async (code, status, warning) => {
    const harness = await openConnect();
    const body = { code, message: code };
    harness.service.faults.schedule({ on: 'get_sub_brands', fault: { type: 'status', status, body } });
    await harness.olga.submit({ token: SEED_TOKENS.acme.rest });
    const { view } = await harness.seen('is connected');
    expect(JSON.stringify(view).includes(':warning:')).toBe(warning !== '');
    expect(JSON.stringify(view)).toContain(warning);
  });

  test('warns that the support of GraphQL tokens is being withdrawn', async () => {
    const harness = await openConnect();
    await harness.olga.submit({ token: SEED_TOKENS.acme.graphql, token_kind: 'graphql' });
    const { view } = await harness.seen('is connected');
    expect(JSON.stringify(view)).toContain('the order service is ending that support');
  });

  test('takes a GraphQL token that the check refuses, with a warning: an operation may accept it', async () => {
    const harness = await openConnect();
    const { tokens } = harness.service.organization();
    const graphql = tokens.find(({ kind }) => kind === 'graphql');
    if (graphql) graphql.acceptedBy = ['cancel_order'];
    await harness.olga.submit({ token: SEED_TOKENS.acme.graphql, token_kind: 'graphql' });
    const { view } = await harness.seen('is connected');
    expect(JSON.stringify(view)).toContain('refused the check of this GraphQL token');
    await harness.olga.closeModal();
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
  });

  test('again shows what was chosen for the token, and never the token', async () => {
    const harness = await startHarness({ connected: false });
    await harness.connect({
      token: SEED_TOKENS.acme.graphql,
      token_kind: 'graphql',
      exclusive: ['exclusive'],
    });
    const { values, view } = await harness.openConnect();
    expect(values).toMatchObject({ token: null, token_kind: 'graphql', exclusive: ['exclusive'] });
    expect(JSON.stringify(view)).not.toContain(SEED_TOKENS.acme.graphql);
  });

  test('after a disconnect that left the endpoint for a review can still make a secret to see', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    await disconnect(harness);
    const again = await harness.connect({ events_secret: 'replace' });
    expect(again.eventsUrl).toBe(harness.endpoint?.eventsUrl);
    expect(again.secret).not.toBe(harness.endpoint?.secret);
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /confirmed it after a review/);
  });

  test('after a disconnect that left the endpoint speaks of no token that it replaces', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    await disconnect(harness);
    const ofThePresent = /Connect again|Keep the connection|A new token replaces|The former token/;
    const { view } = await harness.openConnect();
    expect(JSON.stringify(view)).not.toMatch(ofThePresent);
    await harness.olga.submit({ token: 'no-such-token' });
    const refused = await harness.olga.waitForModal({ text: 'did not accept the token you sent' });
    expect(JSON.stringify(refused.view)).not.toMatch(ofThePresent);
    expect(refused.values).toHaveProperty('events_secret');
  });

  test('after a disconnect whose last outcome has come shows a new URL and a secret', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    await disconnect(harness);
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /confirmed it after a review/);
    const { view } = await harness.openConnect();
    expect(JSON.stringify(view)).not.toContain('Make a new events secret');
    await harness.olga.closeModal();
    const again = await harness.connect();
    expect(again.eventsUrl).not.toBe(harness.endpoint?.eventsUrl);
    expect(again.secret).toMatch(/^[\w-]{43}$/);
  });

  test('again leaves the URL and the secret as they are', async () => {
    const harness = await startHarness();
    await harness.openConnect();
    await harness.olga.submit({ token: SEED_TOKENS.acme.graphql });
    const { view } = await harness.olga.waitForModal({ text: 'have not changed' });
    expect(JSON.stringify(view)).toContain(harness.endpoint?.eventsUrl);
    expect(JSON.stringify(view)).not.toContain(harness.endpoint?.secret);
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /confirmed it after a review/);
  });

  test('with a new secret keeps the URL, and the former secret works on for a while', async () => {
    const harness = await startHarness();
    const first = harness.endpoint;
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    const second = await harness.connect({ events_secret: 'replace' });
    expect(second.eventsUrl).toBe(first?.eventsUrl);
    expect(second.secret).not.toBe(first?.secret);
    harness.service.unsubscribe('acme-1');
    harness.service.subscribe({ url: second.eventsUrl, secret: first?.secret ?? '' });
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /confirmed it after a review/);
  });

  test('asks for everything about the connection and for no setting', async () => {
    const harness = await startHarness({ connected: false });
    const { values } = await harness.openConnect();
    expect(Object.keys(values).sort()).toEqual(['exclusive', 'token', 'token_kind']);
  });

  test('leaves alone what another admin sets while its form is open', async () => {
    const harness = await startHarness({ connected: false });
    await harness.openConnect();
    const { settings } = await harness.terminal();
    const set = { requesters: SEED.groups.agents, notificationsChannel: SEED.channels.support };
    await settings.change(SEED.team, set);
    await harness.olga.submit({ token: SEED_TOKENS.acme.rest });
    await harness.olga.waitForModal({ text: 'is connected' });
    expect(await settings.inForce(SEED.team)).toEqual({ settings: set, version: expect.any(Number) });
  });

  test('leads to the settings, in which an approval can be set, and back to the secret', async () => {
    const harness = await openConnect();
    const { olga } = harness;
    await olga.submit({ token: SEED_TOKENS.acme.rest });
    await harness.seen('is connected');
    await olga.click('Open settings');
    await harness.seen('What an order id looks like');
    await changePolicy(olga, 'cancel_order');
    const { text } = await submitPolicy(harness, { approvers: 'people', approver_people: [cara, dev] });
    expect(text).toContain('Saved.');
    await olga.waitForModal(() => policyLines(harness).some((line) => line.includes('needs 1 approval')));
    await olga.submit({ order_id_pattern: 'A-####' });
    await olga.closeModal();
    const { view } = await harness.seen('is connected');
    expect(JSON.stringify(view)).toContain('The secret is shown only now');
    expect(JSON.stringify(view)).not.toContain('The former one works');
    const { settings } = await harness.terminal();
    expect(await settings.read(SEED.team)).toMatchObject({
      orderIdPattern: 'A-####',
      policies: { cancel_order: { quorum: 1 } },
    });
  });

  test('is for admins and owners, when it is opened and when it is submitted', async () => {
    const harness = await startHarness({ connected: false });
    await isTold(harness.ana, '/countermand connect', 'Only admins and owners');
    const oscar = harness.slack.person('oscar');
    await oscar.command('/countermand connect', { channel: '#support' });
    await oscar.waitForModal({ callback: 'connect' });
    expect(harness.service.calls()).toEqual([]);
  });

  test('that is closed in the middle tells the admin directly, and loses no secret', async () => {
    const harness = await openConnect();
    const held = harness.service.faults.schedule({
      on: 'get_sub_brands',
      fault: { type: 'hold', when: 'before' },
    });
    await harness.olga.submit({ token: SEED_TOKENS.acme.rest });
    await harness.olga.closeModal();
    held.release();
    const notice = await harness.olga.waitForDirectMessage();
    // Slack may have shown them, and its answer may be lost.
    expect(notice.text).toMatch(/is connected.*If no window showed you .*choose “Make a new events secret”/);
    const { secret } = await harness.connect({ events_secret: 'replace' });
    expect(secret).toMatch(/^[\w-]{43}$/);
  });

  test('that is closed in the middle tells the admin directly what is in doubt, too', async () => {
    const harness = await openConnect();
    const held = harness.service.faults.schedule({
      on: 'get_sub_brands',
      fault: { type: 'hold', when: 'before' },
    });
    const { tokens } = harness.service.organization();
    const graphql = tokens.find(({ kind }) => kind === 'graphql');
    if (graphql) graphql.acceptedBy = ['cancel_order'];
    await harness.olga.submit({ token: SEED_TOKENS.acme.graphql, token_kind: 'graphql' });
    await harness.olga.closeModal();
    held.release();
    const notice = await harness.olga.waitForDirectMessage();
    expect(notice.text).toMatch(/is connected.*ending that support.*refused the check of this GraphQL token/);
  });

  test('whose outcome Slack does not show tells the admin directly', async () => {
    const harness = await openConnect();
    harness.slack.faults.schedule({ on: 'views.update', fault: { type: 'status', status: 500 } });
    await harness.olga.submit({ token: 'no-such-token' });
    const notice = await harness.olga.waitForDirectMessage();
    expect(notice.text).toMatch(
      /^The token was not connected\. The order service did not accept the token you sent/,
    );
  });
});
