import { describe, expect, test } from 'vitest';
import { SEED_TOKENS } from '../../order-service/world/seed.ts';
import type { Backstage } from '../../page/view-model/backstage.ts';
import { connectSocketApp } from '../support/socket-app.ts';
import { openPageDesk } from './support.ts';

const acmeIn = ({ organizations }: Backstage) => organizations.find(({ id }) => id === 'acme');
const statusOf = (seen: Backstage, orderId: string) =>
  acmeIn(seen)?.orders.find(({ id }) => id === orderId)?.cancellation?.status;

const subscribed = (count: number) => (seen: Backstage) => acmeIn(seen)?.subscriptions.length === count;

describe('the back office sees', () => {
  test('each customer with their orders, offers and tokens', async () => {
    const { backstage } = await openPageDesk();
    const { data } = await (await backstage()).next<Backstage>('backstage');
    expect(data.organizations.map(({ name }) => name)).toEqual(['Acme Furniture', 'Globex Trading']);
    expect(acmeIn(data)?.orders).toHaveLength(20);
    expect(acmeIn(data)?.offers.map(({ id }) => id)).toEqual(['O-3001', 'O-3002', 'O-3003']);
    expect(acmeIn(data)?.tokens).toContainEqual({ kind: 'rest', token: SEED_TOKENS.acme.rest });
  });

  test('where a cancellation stands, and what became of its events', async () => {
    const { backstage, service, bot, cancel } = await openPageDesk();
    service.subscribe({ url: bot.url, secret: 'a-secret-of-a-subscription' });
    const stream = await backstage();
    await cancel('A-2001');
    const isDelivered =
      (count: number) =>
      ({ deliveries }: Backstage) =>
        deliveries.filter(({ state }) => state === 'delivered').length === count;
    const asked = (await stream.until('backstage', isDelivered(1))).data;
    expect(statusOf(asked, 'A-2001')).toBe('pending');
    expect(asked.deliveries).toMatchObject([
      { state: 'delivered', attempts: [200], orderId: 'A-2001', status: 'pending' },
    ]);
    service.approve('A-2001');
    const approved = (await stream.until('backstage', isDelivered(2))).data;
    expect(statusOf(approved, 'A-2001')).toBe('approved');
  });

  test('what an event’s receiver answered, each time', async () => {
    const { backstage, service, bot, cancel } = await openPageDesk();
    bot.answer(() => ({ status: bot.received.length === 1 ? 503 : 200 }));
    service.subscribe({ url: bot.url, secret: 'a-secret-of-a-subscription' });
    const stream = await backstage();
    await cancel('A-2001');
    const { data } = await stream.until<Backstage>(
      'backstage',
      ({ deliveries }) => deliveries[0]?.attempts.length === 2,
    );
    expect(data.deliveries[0]?.attempts).toEqual([503, 200]);
  });

  test('where events go, and not how they are signed', async () => {
    const { backstage, service, bot } = await openPageDesk();
    const secret = 'a-secret-of-a-subscription';
    service.subscribe({ url: bot.url, secret });
    const { data, json } = await (await backstage()).next<Backstage>('backstage');
    expect(acmeIn(data)?.subscriptions).toMatchObject([{ url: bot.url }]);
    expect(json).not.toContain(secret);
  });
});

describe('what the back office does is told at once:', () => {
  const acts: [string, string, object | undefined, (seen: Backstage) => boolean][] = [
    ['POST', 'orders', { id: 'A-9001' }, (seen) => acmeIn(seen)?.orders.length === 21],
    ['POST', 'offers', { id: 'O-9001' }, (seen) => acmeIn(seen)?.offers.length === 4],
    ['POST', 'tokens', { kind: 'rest' }, (seen) => acmeIn(seen)?.tokens.length === 3],
    ['POST', 'subscriptions', { url: 'http://127.0.0.1:9/', secret: 'another-secret' }, subscribed(2)],
    ['DELETE', 'subscriptions/acme-1', undefined, subscribed(0)],
  ];
  test.each(acts)('%s %s', async (method, path, body, isMeant) => {
    const { backstage, control, service, bot } = await openPageDesk();
    service.subscribe({ url: bot.url, secret: 'a-secret-of-a-subscription' });
    const stream = await backstage();
    const { data } = await stream.next<Backstage>('backstage');
    expect(isMeant(data)).toBe(false);
    expect((await control(method, `/orders/control/${path}`, body)).status).toBe(200);
    expect(isMeant((await stream.next<Backstage>('backstage')).data)).toBe(true);
  });
});

describe('how Slack reaches the bot', () => {
  test('is told as the sandbox was started', async () => {
    for (const transport of ['http', 'socket'] as const) {
      const { backstage } = await openPageDesk({ transport });
      const { data } = await (await backstage()).next<Backstage>('backstage');
      expect(data).toMatchObject({ transport, sockets: 0 });
    }
  });

  test('is told anew when a connection opens, and when it closes', async () => {
    const { backstage, slack } = await openPageDesk({ transport: 'socket' });
    slack.connectApp({ socketMode: true });
    const stream = await backstage();
    const headers = { authorization: `Bearer ${slack.appToken}` };
    const opened = await fetch(`${slack.apiUrl}apps.connections.open`, { method: 'POST', headers });
    const app = await connectSocketApp(((await opened.json()) as { url: string }).url);
    const has = (count: number) => stream.until<Backstage>('backstage', ({ sockets }) => sockets === count);
    await has(1);
    app.close();
    await has(0);
  });
});
