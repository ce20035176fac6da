import { connect, Server } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createHttpServer, type HttpRequest, json, type Route } from '../../src/http/server.ts';

async function serve(handle: Route['handle'], more: Partial<Route> = {}) {
  const logged: object[] = [];
  const note = (fields: object) => void logged.push(fields);
  const log = { debug: note, info: note, warn: note, error: note };
  const route: Route = { method: 'POST', path: '/in/*', maxBytes: 10, handle, ...more };
  const server = createHttpServer([route], { port: 0, host: '127.0.0.1', log });
  const port = await server.start();
  onTestFinished(() => server.stop());
  return { url: `http://127.0.0.1:${port}`, port, logged, server };
}

/** A server whose answers wait for `goOn`. `began`: once one does. */
async function serveHeld() {
  const began = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const served = await serve(async () => {
    began.resolve();
    await goOn.promise;
    return { status: 200 };
  });
  return { ...served, began, goOn };
}

const echo = async ({ body, parameter }: HttpRequest) => json(200, { parameter, body: body.toString() });
const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers });

describe('the server', () => {
  test('hands a route its open segment and its body', async () => {
    const { url } = await serve(echo);
    expect(await (await post(`${url}/in/a-b?q=1`, 'hello')).json()).toEqual({
      parameter: 'a-b',
      body: 'hello',
    });
  });

  test('reads an encoded tilde as a tilde', async () => {
    const { url } = await serve(echo);
    for (const tilde of ['~', '%7E', '%7e'])
      expect(await (await post(`${url}/in/T1${tilde}a`, '')).json()).toMatchObject({ parameter: 'T1~a' });
  });

  test.each(['/', '/in', '/in/', '/in/a/b', '/in/..', '/in/%2e', '/in/%7', '/other'])(
    'does not know %s',
    async (path) => {
      const { port } = await serve(echo);
      expect(await rawStatus(port, `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`)).toBe(
        404,
      );
    },
  );

  test('goes on after connections that the system could not accept, and logs each', async () => {
    const listen = vi.spyOn(Server.prototype, 'listen');
    const { url, logged } = await serve(echo);
    const [server] = listen.mock.contexts;
    listen.mockRestore();
    const errors = [new Error('accept ENOMEM'), new Error('accept ENOBUFS')];
    for (const error of errors) (server as Server).emit('error', error);
    expect((await post(`${url}/in/a`, 'hello')).status).toBe(200);
    expect(logged).toEqual(errors.map((err) => ({ err })));
  });

  test('says which method it takes', async () => {
    const { url } = await serve(echo);
    const response = await fetch(`${url}/in/a`);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('refuses a body that says it is too large before it comes, and logs that', async () => {
    const { port, logged } = await serve(echo);
    expect(await rawStatus(port, 'POST /in/a HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n')).toBe(413);
    expect(logged).toEqual([{ route: '/in/*', reason: 'too_large' }]);
  });

  test('refuses a body that turns out to be too large', async () => {
    const { port, logged } = await serve(echo);
    const chunked =
      'POST /in/a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n12345678901\r\n';
    expect(await rawStatus(port, chunked)).toBe(413);
    expect(logged).toEqual([{ route: '/in/*', reason: 'too_large' }]);
  });

  test('refuses a request with more than a hundred headers', async () => {
    const { url } = await serve(echo);
    const headers = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, '']));
    expect((await post(`${url}/in/a`, '', headers(50))).status).toBe(200);
    expect((await post(`${url}/in/a`, '', headers(101))).status).toBe(431);
  });

  test('answers a fault with a reference that is in the log, and goes on', async () => {
    const { url, logged } = await serve(async ({ parameter }) => {
      if (parameter === 'bad') throw new Error('secret detail');
      return { status: 204 };
    });
    const response = await post(`${url}/in/bad`, '');
    const { reference, ...rest } = (await response.json()) as Record<string, string>;
    expect([response.status, rest]).toEqual([500, { error: 'internal' }]);
    expect(logged).toMatchObject([{ reference }]);
    expect((await post(`${url}/in/good`, '')).status).toBe(204);
  });

  test('logs of a fault the pattern of its route: what stands in an address may be a secret', async () => {
    const { url, logged } = await serve(() => Promise.reject(new Error('away')));
    expect((await post(`${url}/in/an-endpoint?code=a-code&state=a-state`, '')).status).toBe(500);
    expect(logged).toMatchObject([{ route: '/in/*' }]);
    expect(JSON.stringify(logged)).not.toMatch(/an-endpoint|a-code|a-state/);
  });

  test('survives a sender that hangs up in the middle, and garbage', async () => {
    const { url, port, logged } = await serve(echo);
    const socket = connect(port, '127.0.0.1');
    socket.write('POST /in/a HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n123');
    socket.end();
    await new Promise((resolve) => socket.once('close', resolve).resume());
    expect(await rawStatus(port, '\u0000\u0001 garbage\r\n\r\n')).toBe(400);
    expect((await post(`${url}/in/a`, 'x')).status).toBe(200);
    expect(logged).toEqual([]);
  });

  test('keeps an idle connection for 65 s, longer than the 60 s of common load balancers', async () => {
    const { url } = await serve(echo);
    expect((await post(`${url}/in/a`, 'x')).headers.get('keep-alive')).toBe('timeout=65');
  });

  test('lets an answer under way finish before it stops', async () => {
    const { url, server, began, goOn } = await serveHeld();
    const answer = post(`${url}/in/a`, '');
    await began.promise;
    const stopped = server.stop();
    goOn.resolve();
    const { status, headers } = await answer;
    // Otherwise the client would keep the connection open, and the stop would last until it cuts all connections.
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
    await stopped;
    await expect(post(`${url}/in/a`, '')).rejects.toThrow();
  });

  test('is idle once no request is worked on, also one whose connection is closed', async () => {
    const { url, server, began, goOn } = await serveHeld();
    const leaving = new AbortController();
    const left = fetch(`${url}/in/a`, { method: 'POST', signal: leaving.signal }).catch(() => 'left');
    await began.promise;
    leaving.abort();
    expect(await left).toBe('left');
    await server.stop();
    const idle = server.idle().then(() => 'idle');
    expect(await Promise.race([idle, nextTurn('at work')])).toBe('at work');
    goOn.resolve();
    expect(await idle).toBe('idle');
  });
});

/** The status that a raw request gets; fetch would tidy it up. */
function rawStatus(port: number, request: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      if (!status) return;
      resolve(Number(status));
      socket.destroy();
    });
    socket.on('error', reject);
  });
}
