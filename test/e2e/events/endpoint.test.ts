import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { noticesPosted } from '../../support/e2e/refused-token.ts';
import { endpointOf, post } from '../../support/e2e/service-events.ts';
import { withRequests } from '../../support/storage/with-requests.ts';

describe('the events endpoint answers', () => {
  const event = { topic: 'order.cancellationrequest.updated', data: { orderId: 'A-1', status: 'approved' } };

  test('404 for an endpoint that is nobody’s', async () => {
    const harness = await startHarness();
    for (const id of ['x', 'T0ACME0001', 'T0ACME0001~', 'T0ACME0001~x', 'a'.repeat(5_000)]) {
      expect((await post({ eventsUrl: `${harness.url}/events/${id}`, secret: 'x' }, event)).status).toBe(404);
    }
  });

  test('401 without a signature, or with a wrong one', async () => {
    const harness = await startHarness();
    for (const signature of ['', 'sha256=', 'sha256=00', 'x'.repeat(1_000), `sha256=${'0'.repeat(64)}`]) {
      const response = await post(endpointOf(harness), event, {
        headers: { 'x-sibi-signature-256': signature },
      });
      expect(response.status).toBe(401);
    }
    const other = await post(endpointOf(harness), event, {
      headers: { 'x-sibi-signature-256': '', 'x-signature': 'y' },
    });
    expect(other.status).toBe(401);
  });

  test('400 for a signed body that is malformed', async () => {
    const harness = await startHarness();
    for (const body of ['', '{', '[]', 'null', '{"topic":1}', `{"topic":"${event.topic}","data":{}}`]) {
      expect((await post(endpointOf(harness), undefined, { body })).status).toBe(400);
    }
  });

  test('405 and 413', async () => {
    const harness = await startHarness();
    expect((await fetch(endpointOf(harness).eventsUrl)).status).toBe(405);
    const large = await post(endpointOf(harness), { ...event, padding: 'x'.repeat(256 * 1024) });
    expect(large.status).toBe(413);
  });

  test('a signed event alike, whatever media type its header names', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    const body = { ...event, data: { ...event.data, orderId: 'A-2001' } };
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect((await post(endpointOf(harness), body, form)).status).toBe(202);
    await harness.reply('A-2001', /after a review/);
  });

  test('503 while the storage is away: the service sends it again, and nothing is lost', async () => {
    let away = false;
    const sometimesAway = (store: RequestStore): RequestStore => ({
      ...store,
      update: (entry, expected) =>
        away ? Promise.reject(new Error('storage away')) : store.update(entry, expected),
    });
    const harness = await startHarness({ overrides: { storage: withRequests(sometimesAway) } });
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    away = true;
    const { deliveries, settled } = harness.service.approve('A-2001');
    await harness.journal.waitFor(
      ({ kind, response }) => kind === 'service_event' && response?.status === 503,
    );
    expect(harness.logged.text()).toContain('"route":"/events/*"');
    away = false;
    await settled;
    expect(deliveries[0]?.attempts.at(-1)).toBe(202);
    await harness.reply('A-2001', /confirmed it after a review/);
  });

  test('signatures in whatever header is configured', async () => {
    const harness = await startHarness({ env: { EVENTS_SIGNATURE_HEADERS: 'X-Hub-Signature-256' } });
    const { eventsUrl, secret } = endpointOf(harness);
    const body = JSON.stringify(event);
    const signature = createHmac('sha256', secret).update(body).digest('base64');
    const send = (name: string) =>
      fetch(eventsUrl, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', [name]: signature },
      });
    expect((await send('x-hub-signature-256')).status).toBe(200);
    expect((await send('x-sibi-signature-256')).status).toBe(401);
  });
});

describe('a wrong events secret', () => {
  const UNSIGNED = /Events of the order service had no valid signature/;

  test('is told to the admins after the third event, once', async () => {
    const harness = await startHarness();
    const wrong = { ...endpointOf(harness), secret: 'another one' };
    for (let i = 0; i < 5; i++) expect((await post(wrong, { n: i })).status).toBe(401);
    for (const admin of ['olga', 'oscar']) {
      const { text } = await harness.slack
        .person(admin)
        .waitForDirectMessage((each) => UNSIGNED.test(each.text));
      expect(text).toContain('/countermand connect');
    }
    await noticesPosted(harness, 2);
    const notices = harness.olga.directMessages().filter(({ text }) => UNSIGNED.test(text));
    expect(notices).toHaveLength(1);
  });

  test('is told though the bot is started again between the events', async () => {
    const harness = await startHarness();
    const wrong = { ...endpointOf(harness), secret: 'another one' };
    for (let i = 0; i < 2; i++) expect((await post(wrong, { n: i })).status).toBe(401);
    await harness.restart();
    expect((await post({ ...wrong, eventsUrl: endpointOf(harness).eventsUrl }, { n: 2 })).status).toBe(401);
    await harness.olga.waitForDirectMessage((each) => UNSIGNED.test(each.text));
  });

  test.each([
    ['no signature', ''],
    ['a malformed one', 'sha256=00'],
  ])('is told where events have %s', async (_name, signature) => {
    const harness = await startHarness();
    const headers = { 'x-sibi-signature-256': signature };
    for (let i = 0; i < 3; i++)
      expect((await post(endpointOf(harness), { n: i }, { headers })).status).toBe(401);
    await harness.olga.waitForDirectMessage((each) => UNSIGNED.test(each.text));
  });

  test.each([
    ['a signature', {}],
    ['no signature', { 'x-sibi-signature-256': '' }],
  ])('is not told because of somebody who does not know the events URL, with %s', async (_name, headers) => {
    const harness = await startHarness();
    const { eventsUrl, secret } = endpointOf(harness);
    for (let i = 0; i < 5; i++) await post({ eventsUrl: `${eventsUrl}x`, secret }, { n: i }, { headers });
    const { storage } = await harness.terminal();
    expect(await storage.notices.list(SEED.team, { limit: 5 })).toEqual([]);
  });
});
