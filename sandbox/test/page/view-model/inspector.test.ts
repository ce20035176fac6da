import { describe, expect } from 'vitest';
import type { JournalEntry } from '../../../lib/http/journal.ts';
import { SEED_TOKENS } from '../../../order-service/world/seed.ts';
import type { InspectorViewModel, PageFault } from '../../../page/view-model/inspector.ts';
import { connectSocketApp, openConnection } from '../../support/socket-app.ts';
import type { Stream } from '../support/follow.ts';
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

  test('where events go, and not how they are signed', async ({ inspector, service, bot }) => {
    const secret = 'a-secret-of-a-subscription';
    service.subscribe({ url: bot.url, secret });
    const { data, json } = await (await inspector()).next<InspectorViewModel>('inspector');
    expect(acmeIn(data)?.subscriptions).toMatchObject([{ url: bot.url }]);
    expect(json).not.toContain(secret);
  });
});

describe('how Slack reaches the bot', () => {
  test('is updated when a connection opens, and when it closes', async () => {
    const { inspector, slack } = await openPageHarness({ transport: 'socket' });
    slack.connectApp({ socketMode: true });
    const stream = await inspector();
    const app = await connectSocketApp((await openConnection(slack)).url);
    const has = (count: number) =>
      stream.until<InspectorViewModel>('inspector', ({ sockets }) => sockets === count);
    await has(1);
    app.close();
    await has(0);
  });
});

/** The status or the error of a call, whether its order is cancelled, and what the journal has of the call. */
test.for<[PageFault, answer: unknown, isDone: boolean, entry: object | undefined]>([
  // Longer than the three seconds that Slack waits.
  [
    'slow',
    undefined,
    true,
    { ended: 'client_gone', processed: true, fault: { type: 'delay_answer', ms: 4_000 } },
  ],
  ['down', 'ECONNREFUSED', false, undefined],
  ['error', 500, false, { processed: false }],
  ['rate_limited', 429, false, { processed: false, fault: { type: 'rate_limit', retryAfterSeconds: 5 } }],
  ['unanswered', 'UND_ERR_SOCKET', true, { ended: 'unanswered', processed: true }],
])('an order service with the fault %s, switched on and off, twice each', async (row, { harness }) => {
  const [fault, answer, isDone, entry] = row;
  const { control, cancel, service, journal } = harness;
  const set = (isOn: boolean) => control('POST', '/orders/control/faults', { fault, isOn });
  const ask = (id: string) => {
    const leaving = new AbortController();
    if (fault === 'slow') journal.onBegin(() => leaving.abort());
    return cancel(id, { signal: leaving.signal }).then(
      ({ status }) => status,
      ({ cause }) => cause?.code,
    );
  };
  for (const isOn of [true, true]) expect((await set(isOn)).status).toBe(200);
  for (const id of ['A-1001', 'A-1002']) {
    const after = journal.entries().length;
    expect(await ask(id)).toBe(answer);
    if (entry) await journal.waitFor({ name: 'cancel_order' }, { after });
    expect(service.organization().orders.get(id)?.requests.cancel_order?.status).toBe(
      isDone ? 'canceled' : undefined,
    );
  }
  expect(journal.entries({ name: 'cancel_order' })).toMatchObject(entry ? [entry, entry] : []);
  for (const isOn of [false, false]) expect((await set(isOn)).status).toBe(200);
  expect((await cancel('A-1003')).status).toBe(201);
});

test('a fault is shown to everyone who has the inspector open', async ({ control, inspector }) => {
  const stream = await inspector();
  const none = { slow: false, down: false, error: false, rate_limited: false, unanswered: false };
  const next = async () => (await stream.next<InspectorViewModel>('inspector')).data.faults;
  expect(await next()).toEqual(none);
  for (const fault of ['down', 'slow'])
    await control('POST', '/orders/control/faults', { fault, isOn: true });
  expect([await next(), await next()]).toEqual([
    { ...none, down: true },
    { ...none, down: true, slow: true },
  ]);
  await control('POST', '/orders/control/faults', { fault: 'down', isOn: false });
  expect(await next()).toEqual({ ...none, slow: true });
  await control('POST', '/orders/control/faults', { fault: 'slow', isOn: false });
  expect(await next()).toEqual(none);
});

type Harness = Awaited<ReturnType<typeof openPageHarness>>;
type Begun = Pick<JournalEntry, 'kind' | 'name' | 'request'>;

const say = ({ slack }: Harness, text: string) => slack.person('ana').say(text, { channel: '#support' });
const traffic = (stream: Stream) => stream.next<JournalEntry[]>('traffic');
const told = (entries: JournalEntry[]) => entries.map(({ request }) => (request as { text: string }).text);

describe('the traffic', () => {
  test('begins with all earlier entries, and goes on with new ones', async ({ harness }) => {
    say(harness, 'One');
    say(harness, 'Two');
    const stream = await harness.inspector();
    const first = await traffic(stream);
    expect(told(first.data)).toEqual(['One', 'Two']);
    say(harness, 'Three');
    const next = await traffic(stream);
    expect(told(next.data)).toEqual(['Three']);
  });

  test('never contains a secret', async ({ harness }) => {
    const { slack, service, bot, journal, post, inspector } = harness;
    const secret = 'a-secret-of-a-subscription';
    service.subscribe({ url: bot.url, secret });
    const issued = service.issueToken();
    const secrets = [
      slack.installation().token,
      slack.signingSecret,
      slack.appToken,
      SEED_TOKENS.acme.rest,
      secret,
      issued,
    ];
    await post({ text: 'Hello' });
    await slack.person('ana').command(`/cancel-order ${issued}`, { channel: '#support' });
    await harness.cancel('A-2001');
    await harness.cancel('A-1001', { token: issued });
    await journal.waitFor({ kind: 'service_event' });
    say(harness, `The secrets are ${secrets.join(', ')}.`);
    const { json, data } = await (await inspector()).until<JournalEntry[]>('traffic', (entries) =>
      entries.some(({ name }) => name === 'say'),
    );
    expect(data.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['web_api', 'command', 'order_service', 'service_event', 'person']),
    );
    for (const each of secrets) expect(json).not.toContain(each);
    expect(json).toContain(`***${secret.slice(-4)}`);
  });
});

describe('what is under way', () => {
  test('is listed from its beginning to its end, without its secrets', async ({ harness }) => {
    const hold = harness.service.faults.schedule({
      on: 'cancel_order',
      fault: { type: 'hold', when: 'before' },
    });
    const stream = await harness.inspector();
    expect((await stream.next<Begun[]>('underway')).data).toEqual([]);
    const answer = harness.cancel('A-1001');
    const { data, json } = await stream.next<Begun[]>('underway');
    expect(data).toMatchObject([{ kind: 'order_service', name: 'cancel_order', request: { id: 'A-1001' } }]);
    expect(json).not.toContain(SEED_TOKENS.acme.rest);
    hold.release();
    expect((await stream.next<Begun[]>('underway')).data).toEqual([]);
    expect((await traffic(stream)).data).toMatchObject([{ name: 'cancel_order', ended: 'answered' }]);
    await answer;
  });
});
