import { describe, expect } from 'vitest';
import { SEED_TOKENS } from '../../../order-service/world/seed.ts';
import type { InspectorViewModel } from '../../../page/view-model/inspector.ts';
import { connectSocketApp } from '../../support/socket-app.ts';
import { openPageHarness, test } from '../support/harness.ts';

const acmeIn = ({ organizations }: InspectorViewModel) => organizations.find(({ id }) => id === 'acme');
const statusOf = (seen: InspectorViewModel, orderId: string) =>
  acmeIn(seen)?.orders.find(({ id }) => id === orderId)?.requests.cancel_order?.status;

describe('the back office sees', () => {
  test('each customer with their orders, offers and tokens', async ({ inspector }) => {
    const { data } = await (await inspector()).next<InspectorViewModel>('inspector');
    expect(data.organizations.map(({ name }) => name)).toEqual(['Acme Furniture', 'Globex Trading']);
    expect(acmeIn(data)?.orders).toHaveLength(20);
    expect(acmeIn(data)?.offers.map(({ id }) => id)).toEqual(['O-3001', 'O-3002', 'O-3003']);
    expect(acmeIn(data)?.tokens).toContainEqual({ kind: 'rest', token: SEED_TOKENS.acme.rest });
  });

  test('where a cancellation stands, and what became of its events', async () => {
    const { inspector, service, bot, cancel } = await openPageHarness();
    service.subscribe({ url: bot.url, secret: 'a-secret-of-a-subscription' });
    const stream = await inspector();
    await cancel('A-2001');
    const isDelivered =
      (count: number) =>
      ({ deliveries }: InspectorViewModel) =>
        deliveries.filter(({ state }) => state === 'delivered').length === count;
    const asked = (await stream.until('inspector', isDelivered(1))).data;
    expect(statusOf(asked, 'A-2001')).toBe('pending');
    expect(asked.deliveries).toMatchObject([
      { state: 'delivered', attempts: [200], orderId: 'A-2001', status: 'pending' },
    ]);
    service.approve('A-2001');
    const approved = (await stream.until('inspector', isDelivered(2))).data;
    expect(statusOf(approved, 'A-2001')).toBe('approved');
  });

  test('what an event’s receiver answered, each time', async ({ inspector, service, bot, cancel }) => {
    bot.answer(() => ({ status: bot.received.length === 1 ? 503 : 200 }));
    service.subscribe({ url: bot.url, secret: 'a-secret-of-a-subscription' });
    const stream = await inspector();
    await cancel('A-2001');
    const { data } = await stream.until<InspectorViewModel>(
      'inspector',
      ({ deliveries }) => deliveries[0]?.attempts.length === 2,
    );
    expect(data.deliveries[0]?.attempts).toEqual([503, 200]);
  });

  test('where events go, and not how they are signed', async ({ inspector, service, bot }) => {
    const secret = 'a-secret-of-a-subscription';
    service.subscribe({ url: bot.url, secret });
    const { data, json } = await (await inspector()).next<InspectorViewModel>('inspector');
    expect(acmeIn(data)?.subscriptions).toMatchObject([{ url: bot.url }]);
    expect(json).not.toContain(secret);
  });
});

describe('how Slack reaches the bot', () => {
  test('is told anew when a connection opens, and when it closes', async () => {
    const { inspector, slack } = await openPageHarness({ transport: 'socket' });
    slack.connectApp({ socketMode: true });
    const stream = await inspector();
    const headers = { authorization: `Bearer ${slack.appToken}` };
    const opened = await fetch(`${slack.apiUrl}apps.connections.open`, { method: 'POST', headers });
    const app = await connectSocketApp(((await opened.json()) as { url: string }).url);
    const has = (count: number) =>
      stream.until<InspectorViewModel>('inspector', ({ sockets }) => sockets === count);
    await has(1);
    app.close();
    await has(0);
  });
});
