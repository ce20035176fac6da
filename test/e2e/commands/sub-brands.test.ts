import { describe, expect, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import type { Person } from '../../../sandbox/slack/people/person.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { SCOPES } from '../../../src/slack/client/access.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { isTold } from '../../support/e2e/told.ts';

async function open(count: number, line = '/sub-brands') {
  const harness = await startHarness();
  harness.service.organization().subBrands = Array.from({ length: count }, (_, i) => ({
    id: `sb-${i + 1}`,
    name: `Brand <${i + 1}>`,
  }));
  await harness.ana.command(line, { channel: '#support' });
  const seen = (text: string) => harness.ana.waitForModal({ text });
  return { ...harness, seen };
}

describe('/sub-brands', () => {
  test('opens at once, loading, and fills', async () => {
    const harness = await startHarness();
    const held = harness.service.faults.schedule({
      on: 'get_sub_brands',
      fault: { type: 'hold', when: 'before' },
    });
    await harness.ana.command('/sub-brands', { channel: '#support' });
    await harness.ana.waitForModal({ text: 'Asking the order service' });
    held.release();
    await harness.ana.waitForModal({ text: 'Acme Home' });
  });

  test('lists one, and as many as there are, page by page', async () => {
    const { view } = await (await open(1)).seen('1 in all');
    expect(JSON.stringify(view)).not.toContain('page 1');
    const harness = await open(5_000);
    await harness.seen('5,000 in all · page 1 of 200');
    await harness.ana.click('Next');
    const second = await harness.seen('page 2 of 200');
    expect(JSON.stringify(second.view)).toContain('Brand &lt;26&gt; · `sb-26`');
    await harness.ana.click('Previous');
    await harness.seen('page 1 of 200');
  });

  test('searches, by what was typed with the command or in the modal', async () => {
    const harness = await open(5_000, '/sub-brands <4999>');
    await harness.seen('1 of 5,000');
    await harness.ana.submit({ sub_brands: 'brand <50' });
    await harness.seen('12 of 5,000');
    await harness.ana.submit({ sub_brands: 'nothing like it' });
    await harness.seen('No sub-brands match');
  });

  test('finds what has & < or > in its name, which Slack escapes in the text of a command', async () => {
    const harness = await startHarness();
    harness.service.organization().subBrands = [
      { id: 'sb-1', name: 'Smith & Sons' },
      { id: 'sb-2', name: 'Jones' },
    ];
    await harness.ana.command('/sub-brands smith & sons', { channel: '#support' });
    const { view } = await harness.ana.waitForModal({ text: '1 of 2' });
    expect(JSON.stringify(view)).toContain('"initial_value":"smith & sons"');
  });

  test('says plainly that there are none (SUB_BRANDS_NOT_FOUND)', async () => {
    await (await open(0)).seen('Your organization has no sub-brands.');
  });

  test.each([
    [401, 'UNAUTHORIZED', "no longer accepts this workspace's token"],
    [403, 'FORBIDDEN', "“FORBIDDEN” (FORBIDDEN). This workspace's token does not allow this: ask an admin"],
    [403, 'OTHER', 'refused to list the sub-brands: “OTHER” (OTHER). Try again in a while.'],
    // A gateway's answer has neither a code nor a message.
    [404, undefined, 'refused to list the sub-brands: it gave no reason (HTTP 404). Try again in a while.'],
  ])('says what to do about %s %s', async (status, code, text) => {
    const harness = await startHarness();
    const body = code ? { code, message: code } : '<html></html>';
    harness.service.faults.schedule({ on: 'get_sub_brands', fault: { type: 'status', status, body } });
    await harness.ana.command('/sub-brands', { channel: '#support' });
    await harness.ana.waitForModal({ text });
  });

  test.each([
    ['fails', { type: 'status' as const, status: 500 }],
    ['answers what cannot be read', { type: 'garbage' as const }],
  ])('shows a reference that is in the log where the service %s', async (_name, fault) => {
    const harness = await startHarness();
    harness.service.faults.schedule({ on: 'get_sub_brands', fault, times: 2 });
    await harness.ana.command('/sub-brands', { channel: '#support' });
    const { view } = await harness.ana.waitForModal({ text: 'gave no usable answer. ' });
    const [, reference = '-'] = /reference: ([A-Z0-9]+)/.exec(JSON.stringify(view)) ?? [];
    expect(harness.logged.text()).toContain(`"reference":"${reference}"`);
  });

  test.each([
    ['result', (ana: Person) => ana.submit({ sub_brands: 'brand' })],
    ['other page', (ana: Person) => ana.click('Next')],
  ])('tells its person directly, where Slack shows no %s', async (_name, act) => {
    const harness = await open(30);
    await harness.seen('page 1 of 2');
    const fault = { type: 'error', code: 'fatal_error' } as const;
    harness.slack.faults.schedule({ on: 'views.update', fault, times: 2 });
    await act(harness.ana);
    const { text } = await harness.ana.waitForDirectMessage(() => true);
    expect(text).toMatch(/reference: [A-Z0-9]{8}/);
  });

  test('shows a reference in its search, too', async () => {
    const harness = await open(30);
    await harness.seen('page 1 of 2');
    await harness.restart();
    harness.service.faults.schedule({
      on: 'get_sub_brands',
      fault: { type: 'status', status: 502 },
      times: 2,
    });
    await harness.ana.submit({ sub_brands: 'brand' });
    const { view } = await harness.seen('gave no usable answer');
    expect(JSON.stringify(view)).toMatch(/reference: [A-Z0-9]{8}/);
  });

  test('says when to ask again, where the service has had too many requests', async () => {
    const harness = await startHarness();
    harness.service.faults.schedule({
      on: 'get_sub_brands',
      fault: { type: 'rate_limit', retryAfterSeconds: 30 },
    });
    await harness.ana.command('/sub-brands', { channel: '#support' });
    const { view } = await harness.ana.waitForModal({ text: 'too many requests' });
    expect(JSON.stringify(view)).toContain('in 30 seconds');
  });

  test('says that the service cannot be reached, with a reference', async () => {
    const harness = await startHarness();
    await harness.service.close();
    await harness.ana.command('/sub-brands', { channel: '#support' });
    const { view } = await harness.ana.waitForModal({ text: 'could not be reached' });
    expect(JSON.stringify(view)).toMatch(/reference: [A-Z0-9]{8}/);
  });

  test('does not put a page over what was searched for meanwhile', async () => {
    const harness = await open(60);
    await harness.seen('page 1 of 3');
    const held = harness.slack.faults.schedule({
      on: 'views.update',
      fault: { type: 'hold', when: 'before' },
    });
    await harness.ana.click('Next');
    await held.reached;
    await harness.ana.submit({ sub_brands: '<60>' });
    await harness.seen('1 of 60');
    held.release();
    await harness.journal.waitFor(
      ({ name, request }) => name === 'views.update' && JSON.stringify(request).includes('page 2 of 3'),
    );
    expect(JSON.stringify(harness.ana.modal())).toContain('1 of 60');
  });

  test('explains a GraphQL token that is refused', async () => {
    const harness = await startHarness({ connected: false });
    await harness.connect({ token: SEED_TOKENS.acme.graphql, token_kind: 'graphql' });
    harness.service.faults.schedule({ on: 'get_sub_brands', fault: { type: 'status', status: 401 } });
    await harness.ana.command('/sub-brands', { channel: '#support' });
    await harness.ana.waitForModal({ text: "refused this workspace's GraphQL token" });
  });

  test('is not for guests, and not before the workspace is connected', async () => {
    const harness = await startHarness({ connected: false });
    await isTold(harness.ana, '/sub-brands', 'so its sub-brands cannot be listed. An admin can connect it');
    const told = await isTold(harness.slack.person('gina'), '/sub-brands', 'Guests cannot use');
    expect(told).not.toContain('sent');
  });

  test('posts nothing, so it is listed where the bot may not post', async () => {
    const harness = await startHarness();
    harness.slack.admin.setScopes(
      SEED.team,
      SCOPES.filter((scope) => scope !== 'chat:write'),
    );
    await harness.ana.command('/sub-brands', { channel: '#support' });
    await harness.ana.waitForModal({ text: 'Acme Home' });
  });

  test.each([
    ['to search', (who: Person) => who.submit({ sub_brands: 'brand' })],
    ['to turn the page', (who: Person) => who.click('Next')],
  ])('asks %s, too, who may request: an open window outlives a right', async (_name, act) => {
    const harness = await open(50);
    await harness.seen('page 1 of 2');
    const { settings } = await harness.terminal();
    await settings.change(SEED.team, { requesters: SEED.groups.approvers });
    await act(harness.ana);
    await harness.seen(
      `Only members of <!subteam^${SEED.groups.approvers}> can make requests here. Sub-brands are listed only for people who can make requests. Ask an admin to add you.`,
    );
  });

  test('leaves a modal alone that the person has closed', async () => {
    const harness = await startHarness();
    const held = harness.service.faults.schedule({
      on: 'get_sub_brands',
      fault: { type: 'hold', when: 'before' },
    });
    await harness.ana.command('/sub-brands', { channel: '#support' });
    await harness.ana.waitForModal();
    await harness.ana.closeModal();
    held.release();
    await harness.journal.waitFor(
      ({ name, response }) => name === 'views.update' && JSON.stringify(response).includes('not_found'),
    );
    expect(harness.ana.modal()).toBeUndefined();
  });
});
