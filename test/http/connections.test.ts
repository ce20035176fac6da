import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ConnectionLimits } from '../../src/http/connections.ts';
import { createHttpServer, json, type Route } from '../../src/http/server.ts';

const LIMITS: ConnectionLimits = { connections: 4, freeBytes: 1_000, sharedBytes: 10_000, requestsOfOne: 5 };

type Options = { limits?: ConnectionLimits; stalledMs?: number } & Partial<Route>;

/** A server whose route answers with the length of the body, once `gate` opens. */
async function serve({ limits = LIMITS, stalledMs = 60_000, ...more }: Options = {}) {
  const gate = Promise.withResolvers<void>();
  const handled: number[] = [];
  const [read, held] = [async ({ body }: { body: Buffer }) => json(200, { bytes: body.length }), gate];
  const routes: Route[] = [
    { method: 'POST', path: '/in', maxBytes: 1_000_000, handle: read, ...more },
    {
      method: 'POST',
      path: '/slow',
      maxBytes: 1_000_000,
      async handle({ body }) {
        handled.push(body.length);
        await held.promise;
        return json(200, { bytes: body.length });
      },
    },
  ];
  const warned: object[] = [];
  const log = { debug() {}, info() {}, warn: (fields: object) => void warned.push(fields), error() {} };
  const server = createHttpServer(routes, { port: 0, host: '127.0.0.1', log, limits, stalledMs });
  const port = await server.start();
  onTestFinished(async () => {
    gate.resolve();
    await server.stop();
  });
  return { open: () => open(port), gate, handled, warned };
}

/** A connection of somebody who writes what they like. */
async function open(port: number) {
  const socket: Socket = connect(port, '127.0.0.1');
  let [text, isClosed] = ['', false];
  socket
    .on('error', () => {})
    .on('data', (chunk) => {
      text += chunk;
    });
  socket.on('close', () => {
    isClosed = true;
  });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return {
    send: (part: string) => new Promise<void>((resolve) => socket.write(part, () => resolve())),
    text: () => text,
    statuses: () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
    isClosed: () => isClosed,
    end: () => void socket.end(),
    /** Reads nothing any more. */
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
  };
}

/** @returns the next connection that a server of this process accepts, as the server sees it */
function acceptedSocket(): Promise<Socket> {
  const { promise, resolve } = Promise.withResolvers<Socket>();
  const onSocket = (message: unknown) => resolve((message as { socket: Socket }).socket);
  subscribe('net.server.socket', onSocket);
  onTestFinished(() => void unsubscribe('net.server.socket', onSocket));
  return promise;
}

const head = (bytes: number, path = '/in') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`;
const request = (bytes: number, path?: string) => head(bytes, path) + 'x'.repeat(bytes);

type Client = Awaited<ReturnType<typeof open>>;

/** The server has seen everything that was sent before: it answers in order, one connection after the other. */
async function answered(client: Client, n = 1) {
  await expect.poll(client.statuses).toHaveLength(n);
}

describe('when as many connections are open as may be', () => {
  test('the oldest incomplete request gives way, and then the next', async () => {
    const { open, warned } = await serve();
    const stalled: Client[] = [];
    for (let n = 0; n < 4; n++) {
      const each = await open();
      // It makes no difference that a connection has had an answer before.
      if (n < 2) {
        await each.send(request(3));
        await answered(each);
      }
      await each.send(head(500));
      stalled.push(each);
    }
    const closed = () => stalled.map((each) => each.isClosed());
    const late = await open();
    await late.send(request(3));
    await answered(late);
    expect([late.statuses(), closed()]).toEqual([[200], [true, false, false, false]]);
    const later = await open();
    await later.send(request(3));
    await answered(later);
    await expect.poll(closed).toEqual([true, true, false, false]);
    expect(warned).toEqual([{ full: 'connections' }, { full: 'connections' }]);
  });

  test('a connection that has said nothing gives way like half a request', async () => {
    const { open } = await serve();
    const silent = [await open(), await open(), await open(), await open()];
    const late = await open();
    await late.send(request(3));
    await answered(late);
    expect(silent.map((each) => each.isClosed())).toEqual([true, false, false, false]);
  });

  test('idle connections give way after incomplete requests, the one that has been idle longest first', async () => {
    const { open } = await serve();
    const idle = [await open(), await open(), await open()];
    for (const each of [...idle].reverse()) {
      await each.send(request(3));
      await answered(each);
    }
    const stalled = await open();
    await stalled.send(head(500));
    // Each keeps its place once it is answered, and so becomes idle, too.
    const late = await open();
    await late.send(request(3));
    await answered(late);
    expect([...idle, stalled].map((each) => each.isClosed())).toEqual([false, false, false, true]);
  });

  test('with every connection idle the one that has been idle longest gives way, and whoever comes is answered', async () => {
    const { open, warned } = await serve();
    const idle = [await open(), await open(), await open(), await open()];
    for (const n of [2, 0, 3, 1]) {
      await idle[n]?.send(request(3));
      await answered(idle[n] as Client);
    }
    const closed = () => idle.map((each) => each.isClosed());
    for (const expected of [
      [false, false, true, false],
      [true, false, true, false],
    ]) {
      const late = await open();
      await late.send(request(3));
      await answered(late);
      expect(late.statuses()).toEqual([200]);
      await expect.poll(closed).toEqual(expected);
    }
    expect(warned).toEqual([{ full: 'connections' }, { full: 'connections' }]);
  });

  test('an idle connection on which the next request has begun is no longer idle', async () => {
    const { open } = await serve();
    const clients = [await open(), await open(), await open(), await open()];
    for (const each of clients) {
      await each.send(request(3));
      await answered(each);
    }
    await clients[2]?.send('POST /in HT');
    await clients[0]?.send(request(3));
    await answered(clients[0] as Client, 2);
    const late = await open();
    await late.send(request(3));
    await answered(late);
    await expect.poll(() => clients.map((each) => each.isClosed())).toEqual([false, false, true, false]);
  });

  test('connections that their clients have closed do not count', async () => {
    const { open, warned } = await serve();
    const clients = [await open(), await open(), await open(), await open()];
    for (const each of clients) {
      await each.send(request(3));
      await answered(each);
      each.end();
      await expect.poll(each.isClosed).toBe(true);
    }
    const late = await open();
    await late.send(request(3));
    await answered(late);
    expect(warned).toEqual([]);
  });

  test('no request that is complete gives way, however long it takes', async () => {
    const { open, gate, handled } = await serve();
    const working = [await open(), await open(), await open(), await open()];
    for (const each of working) await each.send(request(3, '/slow'));
    await expect.poll(() => handled).toHaveLength(4);
    const late = await open();
    await expect.poll(late.isClosed).toBe(true);
    gate.resolve();
    for (const each of working) await answered(each);
    expect(working.map((each) => each.statuses())).toEqual([[200], [200], [200], [200]]);
  });
});

describe('when bodies hold as much as they may', () => {
  const limits = { ...LIMITS, connections: 100 };

  test('the oldest incomplete request that holds some of it gives way', async () => {
    const { open, warned } = await serve({ limits });
    const small = await open();
    await small.send(head(700) + 'x'.repeat(600));
    const large = [await open(), await open()];
    for (const each of large) {
      await each.send(head(9_000) + 'x'.repeat(5_500));
      // Answered by the same event loop, after what was sent before.
      const after = await open();
      await after.send(request(3));
      await answered(after);
    }
    const late = await open();
    await late.send(request(4_000));
    await answered(late);
    expect(late.statuses()).toEqual([200]);
    await expect.poll(() => large.map((each) => each.isClosed())).toEqual([true, false]);
    await small.send('x'.repeat(100));
    await large[1]?.send('x'.repeat(3_500));
    await answered(small);
    expect([small.statuses(), large[1]?.isClosed()]).toEqual([[200], false]);
    expect(warned).toEqual([{ full: 'bodies' }]);
  });

  test('what was answered holds nothing any more', async () => {
    const { open, warned } = await serve({ limits });
    const client = await open();
    for (let n = 1; n <= 30; n++) {
      await client.send(request(9_000));
      await answered(client, n);
    }
    expect([new Set(client.statuses()), warned]).toEqual([new Set([200]), []]);
  });

  test('a body of many small pieces is counted as what the pieces cost', async () => {
    const { open, warned } = await serve({ limits });
    const client = await open();
    await client.send('POST /in HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    await client.send('1\r\nx\r\n'.repeat(1_000));
    await expect.poll(client.isClosed).toBe(true);
    expect(warned).toEqual([{ full: 'bodies' }]);
  });

  test('complete requests keep theirs, and the one that comes gives way', async () => {
    const { open, gate, handled } = await serve({ limits });
    const working = await open();
    await working.send(request(9_500, '/slow'));
    await expect.poll(() => handled).toEqual([9_500]);
    const late = await open();
    await late.send(head(9_500) + 'x'.repeat(9_000));
    await expect.poll(late.isClosed).toBe(true);
    gate.resolve();
    await answered(working);
    expect(working.statuses()).toEqual([200]);
  });
});

/** Opens connections until one has had an answer: on a busy machine the first request may come so late that it is cut off. */
async function answeredInTime(open: () => Promise<Client>): Promise<Client> {
  for (;;) {
    const client = await open();
    await client.send(request(3));
    await expect.poll(() => client.isClosed() || client.statuses().length > 0).toBe(true);
    if (!client.isClosed()) return client;
  }
}

describe('a request that stalls', () => {
  test.each([
    ['before its first byte', ''],
    ['in its headers', 'POST /in HTTP/1.1\r\nHost:'],
    ['in its body', `${head(10)}x`],
  ])('is cut off %s, while an idle connection is kept', async (_where, part) => {
    const { open } = await serve({ stalledMs: 50 });
    const idle = await answeredInTime(open);
    const stalled = await open();
    await stalled.send(part);
    await expect.poll(stalled.isClosed).toBe(true);
    await idle.send(request(3));
    await answered(idle, 2);
    await idle.send('POST /in');
    await expect.poll(idle.isClosed).toBe(true);
  });

  test('may not leave its answer unread for ever', async () => {
    const { open } = await serve({
      stalledMs: 50,
      handle: async () => ({ status: 200, body: 'x'.repeat(20_000_000) }),
    });
    const accepted = acceptedSocket();
    const client = (await open()) as Client;
    client.pause();
    await client.send(request(3));
    const socket = await accepted;
    await expect.poll(() => socket.destroyed).toBe(true);
  });

  test('is not cut off any more once its answer was read, however late', async () => {
    const { open } = await serve({ handle: async () => ({ status: 200, body: 'x'.repeat(12_000_000) }) });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const client = await open();
    client.pause();
    await client.send(request(3));
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    client.resume();
    await expect.poll(() => vi.getTimerCount()).toBe(0);
    expect(client.isClosed()).toBe(false);
  });
});

test('a request that its headers rule out is answered before its body comes', async () => {
  const refuse: Route['refuse'] = ({ headers }) =>
    headers['x-signed'] ? undefined : json(401, { error: 'signature' });
  const { open } = await serve({ refuse });
  const unsigned = await open();
  await unsigned.send(head(900_000));
  await answered(unsigned);
  expect(unsigned.statuses()).toEqual([401]);
  await expect.poll(unsigned.isClosed).toBe(true);
});

describe('a connection that sends requests without waiting for their answers', () => {
  test('is closed once as many are under way as may be', async () => {
    const { open, handled, warned } = await serve();
    const client = await open();
    await client.send(request(3, '/slow').repeat(8));
    await expect.poll(client.isClosed).toBe(true);
    expect(handled).toHaveLength(5);
    expect(warned.filter((fields) => 'full' in fields)).toEqual([{ full: 'requests' }]);
  });

  test('is answered as long as fewer are', async () => {
    const { open, gate } = await serve();
    const client = await open();
    await client.send(request(3, '/slow').repeat(5));
    gate.resolve();
    await answered(client, 5);
    await client.send(request(3).repeat(5));
    await answered(client, 10);
    expect(new Set(client.statuses())).toEqual(new Set([200]));
  });
});
