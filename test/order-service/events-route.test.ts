import { createHmac, createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { repeatKey } from '../../src/log.ts';
import { type Endpoint, eventsRoute } from '../../src/order-service/events-route.ts';

const SECRET = 'a secret';

/** The route of a bot to which one endpoint belongs. */
function setUp(recordUnsigned?: () => Promise<void>, recordArrival: () => Promise<void> = async () => {}) {
  const clock = { now: 0 };
  const looked: string[] = [];
  const existing = new Set(['mine']);
  const counted: string[] = [];
  const warnings: Record<string, unknown>[] = [];
  const infos: object[] = [];
  const mine: Endpoint = {
    workspace: 'T1',
    generation: 'g1',
    secrets: [createSecretKey(SECRET, 'utf8')],
    sanitize: (text, longest) => text.replace('token-4711', '[token]').slice(0, longest),
  };
  const route = eventsRoute({
    endpoint: async (id) => {
      looked.push(id);
      return existing.has(id) ? mine : undefined;
    },
    recordArrival,
    record: async () => ({ result: 'unmatched' }),
    recordUnsigned: recordUnsigned ?? (async ({ workspace }) => void counted.push(workspace)),
    unsignedTold: 3,
    signatureHeaders: ['x-former-signature', 'x-signature'],
    monotonic: () => clock.now,
    log: {
      debug() {},
      info: (fields, message) => void infos.push({ ...fields, message }),
      error() {},
      warn: (fields, message) => void warnings.push({ ...fields, message }),
    },
  });
  const refuse = (parameter: string, signature?: string) =>
    route.refuse?.({
      url: `/events/${parameter}`,
      parameter,
      headers: signature === undefined ? {} : { 'x-signature': signature },
    });
  const send = async (text: string, secret = SECRET, { parameter = 'mine', topic = '' } = {}) => {
    const body = Buffer.from(text);
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const headers = { 'x-signature': signature, topic };
    return route.handle({ url: `/events/${parameter}`, parameter, headers, body });
  };
  const reasons = () => warnings.map(({ reason }) => reason);
  return { refuse, send, clock, looked, existing, counted, reasons, warnings, infos };
}

test('an event without a signature is refused by its headers, and counts where its endpoint exists', async () => {
  const { refuse, counted, reasons } = setUp();
  expect(refuse('mine')?.status).toBe(401);
  expect(refuse('mine', 'sha256=00')?.status).toBe(401);
  expect(refuse('nobodys')?.status).toBe(401);
  await expect.poll(() => counted).toEqual(['T1', 'T1']);
  expect(reasons()).toEqual(['no_signature', 'no_signature', 'no_signature']);
});

test('metrics tell an event with a wrong signature from one without any', async () => {
  const { send, reasons } = setUp();
  expect((await send('{}', 'another secret')).status).toBe(401);
  expect(reasons()).toEqual(['wrong_signature']);
});

test('the log names no address, because it is a secret, and shows the topic of a malformed event without the token', async () => {
  const { send, warnings } = setUp();
  expect((await send('{}', SECRET, { parameter: 'nobodys' })).status).toBe(404);
  expect((await send('{}', SECRET, { topic: 'of token-4711' })).status).toBe(400);
  expect(warnings).toEqual([
    {
      event: 'request_refused',
      from: 'order_service',
      reason: 'unknown_endpoint',
      route: '/events/*',
      message: expect.stringContaining('unknown endpoint'),
    },
    expect.objectContaining({ workspace: 'T1', topic: 'of [token]' }),
  ]);
});

test.each<[string, () => Promise<void>]>([
  ['cannot be', () => Promise.reject(new Error('The storage is down.'))],
  ['is not yet', () => new Promise(() => {})],
])('an event is recorded and answered though the time of its arrival %s recorded', async (_how, arrival) => {
  const { send } = setUp(undefined, arrival);
  const data = { orderId: 'A-1', status: 'approved', updatedAt: '2026-01-01T00:00:00Z' };
  const answer = await send(JSON.stringify({ topic: 'order.cancellationrequest.updated', data }));
  expect(answer).toMatchObject({ status: 200, body: expect.stringContaining('unmatched') });
});

test('a signed event that cannot be read is refused, counted, and shows that events arrive', async () => {
  let arrivals = 0;
  const { send, reasons } = setUp(undefined, async () => {
    arrivals += 1;
  });
  expect((await send('{}')).status).toBe(400);
  expect([reasons(), arrivals]).toEqual([['malformed'], 1]);
});

test('a test of the operator is answered, and is no event of the order service', async () => {
  let arrivals = 0;
  const { send, infos } = setUp(undefined, async () => {
    arrivals += 1;
  });
  const answer = await send(JSON.stringify({ topic: 'countermand.test' }));
  expect(answer).toMatchObject({ status: 200, body: expect.stringContaining('ignored') });
  expect([arrivals, infos]).toEqual([0, [{ workspace: 'T1', message: 'test event received' }]]);
});

test('a flood of them costs sixty look-ups a minute', () => {
  const { refuse, clock, looked } = setUp();
  for (let i = 0; i < 5_000; i++) refuse(`x${i}`);
  expect(looked).toHaveLength(60);
  clock.now = 60_000;
  refuse('mine');
  expect(looked).toHaveLength(61);
});

test('a flood of made-up addresses hides no endpoint that is known', async () => {
  const { refuse, send, clock, looked, counted } = setUp();
  await send('{}');
  for (let i = 0; i < 5_000; i++) refuse(`x${i}`);
  for (let i = 0; i < 3; i++) refuse('mine');
  await expect.poll(() => counted).toEqual(['T1', 'T1', 'T1']);
  // Nor does a flood of its own cost more.
  for (let i = 0; i < 5_000; i++) refuse('mine');
  expect(looked).toHaveLength(1 + 60 + 3);
  clock.now = 60_000;
  refuse('mine');
  await expect.poll(() => counted).toHaveLength(4);
});

test('a flood of events for a known endpoint hides no other one', async () => {
  const { refuse, looked } = setUp();
  refuse('mine');
  await new Promise(setImmediate);
  for (let i = 0; i < 5_000; i++) refuse('mine');
  refuse('another');
  expect(looked.at(-1)).toBe('another');
});

test('an endpoint that no longer exists is like a made-up address', async () => {
  const { refuse, send, existing, looked } = setUp();
  await send('{}');
  existing.clear();
  refuse('mine');
  await new Promise(setImmediate);
  for (let i = 0; i < 5_000; i++) refuse(i % 2 === 0 ? 'mine' : 'x');
  expect(looked).toHaveLength(2 + 60);
});

test('an event with a wrong signature is answered only once it is counted: the admins may have to hear of it', async () => {
  const [asked, counted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { send } = setUp(() => {
    asked.resolve();
    return counted.promise;
  });
  let isAnswered = false;
  const sending = send('{}', 'another secret').then((response) => {
    isAnswered = true;
    return response;
  });
  await asked.promise;
  await new Promise(setImmediate);
  expect(isAnswered).toBe(false);
  counted.resolve();
  expect((await sending).status).toBe(401);
});

test('the log names the times of an event that cannot be read, and is silent about those that can', async () => {
  const { send, warnings } = setUp();
  const at = '2026-11-24T10:00:00Z';
  const said = (updatedAt: string) =>
    JSON.stringify({
      topic: 'order.cancellationrequest.updated',
      data: { orderId: 'A-1001', status: 'pending', createdAt: at, updatedAt },
    });
  expect((await send(said(at))).status).toBe(200);
  expect(warnings).toEqual([]);
  expect((await send(said('soon'))).status).toBe(200);
  expect(warnings).toMatchObject([{ workspace: 'T1', fields: ['updatedAt'] }]);
});

test('warnings that differ by what events say are repeats: the log collapses only so many different lines', async () => {
  const { send, warnings } = setUp();
  const said = (orderId: string) => {
    const data = { orderId, status: 'pending', updatedAt: 'soon' };
    return JSON.stringify({ topic: 'order.cancellationrequest.updated', data });
  };
  for (const id of ['A-1', 'A-2']) {
    await send(`{"id":"${id}"}`, SECRET, { topic: `of ${id}` });
    await send(said(id));
  }
  expect(warnings).toHaveLength(4);
  expect(new Set(warnings.map((fields) => repeatKey(40, fields, []))).size).toBe(2);
});
