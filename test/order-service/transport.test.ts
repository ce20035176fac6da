/** The use of connections, seen from the other end of real sockets. */
import { constants } from 'node:crypto';
import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createOrderCalls, revoke } from '../../src/order-service/calls.ts';
import { createOrderService } from '../../src/order-service/client.ts';
import { type ClaimGuard, SILENT } from '../../src/outbox/ports.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { heldToken, TOKEN, tokens } from '../support/order-service/order-service.ts';
import { calling, HELD } from '../support/requests/records.ts';
import { PREFERS_HTTP2, tlsServer } from '../support/tls-server.ts';
import { answer, hostileService } from './hostile-service.ts';

const log = SILENT;
const { record } = calling();
const CANCELED = { type: 'said', status: 'canceled' };
const INTERRUPTED = { type: 'not_received', why: 'interrupted' };
const canceled = answer(201, { cancellationStatus: 'canceled' });

function clientOf(url: URL, deadlineMs = 10_000) {
  const client = createOrderService(url, { limits: { deadlineMs, maxBytes: 1_048_576 } });
  onTestFinished(() => client.close());
  return client;
}

/** The answers to the calls of a workspace that is connected with a token. */
function callsOf(client: ReturnType<typeof createOrderService>, token = TOKEN) {
  const held = tokens(async () => ({ ...heldToken(), token }));
  const { carryOut } = createOrderCalls({ service: client, tokens: held, log });
  return {
    carryOut: async (...call: Parameters<typeof carryOut>) => (await carryOut(...call)).answer,
  };
}

const keepingOpen = (socket: Socket) => socket.write(canceled);

describe('a POST', () => {
  test('is this, byte by byte', async () => {
    const { url, received } = await hostileService(keepingOpen);
    await callsOf(clientOf(url)).carryOut({ ...record, reason: 'zu spät \ud800' }, HELD);
    const body = '{"reason":"zu spät \\ud800"}';
    const lines = [
      'POST /orders/A-1001/cancel HTTP/1.1',
      `host: ${url.host}`,
      'connection: close',
      `authorization: Bearer ${TOKEN}`,
      'accept: application/json',
      'accept-encoding: identity',
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
    ];
    expect(received).toEqual([`${lines.join('\r\n')}\r\n\r\n${Buffer.from(body).toString('latin1')}`]);
  });

  test('without a body says so', async () => {
    const { url, received } = await hostileService(answer(200, { success: true }));
    await callsOf(clientOf(url)).carryOut({ ...record, kind: 'send_offer' }, HELD);
    expect(received[0]).toMatch(/^POST \/prod\/offers\/A-1001\/send .*content-length: 0\r\n\r\n$/s);
    expect(received[0]).not.toContain('content-type');
  });

  test('opens a connection of its own and ends it, though the service would keep it', async () => {
    const { url, received, open } = await hostileService(keepingOpen);
    const client = clientOf(url);
    for (const token of ['token-of-one', 'token-of-one', 'token-of-another'])
      expect(await callsOf(client, token).carryOut(record, HELD)).toEqual(CANCELED);
    expect(received).toHaveLength(3);
    await expect.poll(open).toBe(0);
  });

  test('is never answered by what the service had to say to another one', async () => {
    const answered = new WeakSet<Socket>();
    // As a gateway that answers the next call with its last answer.
    const { url } = await hostileService((socket) => {
      socket.write(answered.has(socket) ? answer(201, { cancellationStatus: 'denied' }) : canceled);
      answered.add(socket);
    });
    const client = clientOf(url);
    for (const token of ['token-of-one', 'token-of-another', 'token-of-one']) {
      expect(await callsOf(client, token).carryOut(record, HELD)).toEqual(CANCELED);
      // In this time a connection that is kept becomes free for the next call.
      await new Promise(setImmediate);
    }
  });

  test.each([
    ['speaks', (socket: Socket) => socket.write(canceled), ['disconnected']],
    ['hangs up', (socket: Socket) => socket.end(), ['disconnected']],
    // The system may report a connection that was reset at once as one that could not be made.
    ['resets', (socket: Socket) => socket.resetAndDestroy(), ['disconnected', 'unreachable']],
  ])('is not sent to a service that %s before it is asked', async (_how, greet, why) => {
    const greeted = Promise.withResolvers<void>();
    const { url, received } = await hostileService(canceled, (socket) => {
      greet(socket);
      setImmediate(greeted.resolve);
    });
    const isHeld = () => greeted.promise.then(() => true);
    const answered = await callsOf(clientOf(url)).carryOut(record, { ...HELD, isHeld });
    expect(answered).toEqual({ type: 'not_received', why: expect.toBeOneOf(why) });
    expect(received.join('')).toBe('');
  });

  test('ends with the client, and nobody can tell what came of it', async () => {
    const requested = Promise.withResolvers<void>();
    const { url } = await hostileService(() => requested.resolve());
    const client = clientOf(url);
    const answered = callsOf(client).carryOut(record, HELD);
    await requested.promise;
    await client.close();
    expect(await answered).toEqual({ type: 'no_answer', why: 'cut' });
  });
});

describe('the claim of a call', () => {
  test('is read once the connection stands', async () => {
    const connected = Promise.withResolvers<void>();
    const { url } = await hostileService(canceled, () => connected.resolve());
    // Asked any earlier, it would wait for ever.
    const isHeld = () => connected.promise.then(() => true);
    expect(await callsOf(clientOf(url)).carryOut(record, { ...HELD, isHeld })).toEqual(CANCELED);
  });

  test('is read before the connection is looked at: what the service has said by then is no answer', async () => {
    const connected = Promise.withResolvers<Socket>();
    const { url, received } = await hostileService(canceled, connected.resolve);
    const isHeld = async () => (await connected.promise).write(canceled);
    const answered = await callsOf(clientOf(url)).carryOut(record, { ...HELD, isHeld });
    expect(answered).toEqual({ type: 'not_received', why: 'disconnected' });
    expect(received.join('')).toBe('');
  });

  test.each<[string, Partial<ClaimGuard>]>([
    ['another process has taken over', { isHeld: async () => false }],
    ['it cannot be read', { isHeld: () => Promise.reject(new Error('the storage is away')) }],
    ['it has expired in the tick of the write', { inTime: () => false }],
  ])('stops it before its first byte where %s', async (_how, guard) => {
    const { url, received, open } = await hostileService(canceled);
    expect(await callsOf(clientOf(url)).carryOut(record, { ...HELD, ...guard })).toEqual(INTERRUPTED);
    expect(received.join('')).toBe('');
    await expect.poll(open).toBe(0);
  });

  test('is asked for its time once, and after it was read', async () => {
    const { url } = await hostileService(canceled);
    const requested: string[] = [];
    const inTime = () => requested.push('time') > 0;
    const isHeld = async () => requested.push('holder') > 0;
    await callsOf(clientOf(url)).carryOut(record, { inTime, isHeld });
    expect(requested).toEqual(['holder', 'time']);
  });

  test('is not waited for beyond the deadline of the call, and comes too late then', async () => {
    const { url, received } = await hostileService(canceled);
    const read = Promise.withResolvers<boolean>();
    const guard = { ...HELD, isHeld: () => read.promise };
    const answered = await callsOf(clientOf(url, 50)).carryOut(record, guard);
    expect(answered).toEqual(INTERRUPTED);
    read.resolve(true);
    await new Promise(setImmediate);
    expect(received.join('')).toBe('');
  });
});

/** As a process is that is stopped and goes on: no timer runs meanwhile. */
const freeze = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('a process that was frozen past its deadline sends nothing, though its claim should hold', async () => {
  const { url, received } = await hostileService(canceled);
  const isHeld = async () => {
    freeze(200);
    return true;
  };
  const answered = await callsOf(clientOf(url, 150)).carryOut(record, { ...HELD, isHeld });
  expect(answered).toEqual(INTERRUPTED);
  expect(received.join('')).toBe('');
});

test('a process that was frozen past its claim does not blame the service for it', async () => {
  const { url } = await hostileService(
    (socket) => socket.destroy(),
    (socket) => socket.destroy(),
  );
  const answered = await callsOf(clientOf(url)).carryOut(record, { ...HELD, inTime: () => false });
  expect(answered).toEqual(INTERRUPTED);
});

describe('a DELETE', () => {
  test('opens a connection of its own, and ends it', async () => {
    const { url, received, open } = await hostileService((socket) => socket.write('HTTP/1.1 204 X\r\n\r\n'));
    const client = clientOf(url);
    expect(await revoke(client, 'token-of-one', 'rest', HELD)).toEqual({ type: 'revoked' });
    expect(await revoke(client, 'token-of-another', 'rest', HELD)).toEqual({ type: 'revoked' });
    expect(received).toHaveLength(2);
    expect(received[0]).toMatch(/^DELETE \/token HTTP\/1\.1\r\n.*connection: close\r\n/s);
    expect(received[0]).not.toMatch(/content-(length|type)/);
    await expect.poll(open).toBe(0);
  });
});

test('a GET opens a connection of its own, and ends it', async () => {
  const { url, received, open } = await hostileService((socket) => socket.write(answer(200, [])));
  const client = clientOf(url);
  for (const token of ['token-of-one', 'token-of-one', 'token-of-another'])
    expect(await client.getSubBrands(token)).toEqual({ type: 'answered', value: [] });
  expect(received).toHaveLength(3);
  await expect.poll(open).toBe(0);
});

test('TLS sessions are resumed after a garbage collection, too, over connections of their own', async ({
  skip,
}) => {
  const resumed: boolean[] = [];
  const url = await tlsServer((socket) => {
    resumed.push(socket.isSessionReused());
    socket.once('data', () => socket.write(canceled));
  });
  if (!url) return skip('there is no openssl');
  const client = clientOf(url);
  for (let i = 0; i < 3; i++) {
    expect(await callsOf(client).carryOut(record, HELD)).toEqual(CANCELED);
    // In a turn of its own: what a weak reference has given in a turn lives until the turn ends.
    await new Promise(setImmediate);
    collectGarbage();
  }
  expect(resumed).toEqual([false, true, true]);
});

test('a TLS session that the service fails to resume is not offered again', async ({ skip }) => {
  const url = await tlsServer(
    (socket) => socket.once('data', () => socket.write(canceled)),
    { maxVersion: 'TLSv1.2', secureOptions: constants.SSL_OP_NO_TICKET },
    (server) => {
      const known = new Set<string>();
      server.on('newSession', (id, _data, done) => {
        known.add(id.toString('hex'));
        done();
      });
      server.on('resumeSession', (id, done) =>
        done(known.has(id.toString('hex')) ? new Error('The store of sessions is away.') : null),
      );
    },
  );
  if (!url) return skip('there is no openssl');
  const client = callsOf(clientOf(url));
  expect(await client.carryOut(record, HELD)).toEqual(CANCELED);
  expect(await client.carryOut(record, HELD)).toMatchObject({ type: 'not_received', why: 'unreachable' });
  expect(await client.carryOut(record, HELD)).toEqual(CANCELED);
});

test('a call is made by HTTP/1.1, also to a service that prefers HTTP/2', async ({ skip }) => {
  const protocols: unknown[] = [];
  const url = await tlsServer((socket) => {
    protocols.push(socket.alpnProtocol);
    socket.once('data', () => socket.write(canceled));
  }, PREFERS_HTTP2);
  if (!url) return skip('there is no openssl');
  expect(await callsOf(clientOf(url)).carryOut(record, HELD)).toEqual(CANCELED);
  expect(protocols).toEqual(['http/1.1']);
});
