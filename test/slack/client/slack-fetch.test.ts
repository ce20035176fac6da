/** The calls of the Web API client on their way to Slack, over real sockets. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  createSlackAgent,
  createSlackFetch,
  NotSentError,
  type SlackFetchOptions,
  sendOver,
} from '../../../src/slack/client/slack-fetch.ts';
import { PREFERS_HTTP2, tlsServer } from '../../support/tls-server.ts';

const TIMEOUT_MS = 2_000;
const ADMITTED = { admit: async () => {}, inTime: () => true };

function fetchWith(options: Partial<SlackFetchOptions> = {}) {
  const dispatcher = createSlackAgent();
  onTestFinished(() => dispatcher.destroy());
  const send = createSlackFetch({ send: sendOver(dispatcher), timeoutMs: TIMEOUT_MS, ...options });
  return (url: string, body = 'channel=C1&text=hello') => send(url, { method: 'POST', headers: {}, body });
}

/** @param answer undefined: nothing is ever answered */
async function slackAt(
  answer: { status: number; headers?: Record<string, string>; body: string; breaksOff?: boolean } | undefined,
) {
  const bodies: string[] = [];
  const server: Server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(`${request.url} ${body}`);
    if (!answer) return;
    response.writeHead(answer.status, answer.headers);
    if (answer.breaksOff) response.write(answer.body, () => response.destroy());
    else response.end(answer.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/chat.postMessage`;
  return { url, bodies };
}

const OK = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"ok":true}' };

describe('a call', () => {
  test('is answered with what Slack says', async () => {
    const { url, bodies } = await slackAt(OK);
    const response = await fetchWith()(url);
    expect([response.status, await response.text()]).toEqual([200, '{"ok":true}']);
    expect(bodies).toEqual(['/api/chat.postMessage channel=C1&text=hello']);
  });

  test('is made by HTTP/1.1, also to a Slack that prefers HTTP/2', async ({ skip }) => {
    const protocols: unknown[] = [];
    const url = await tlsServer((socket) => {
      protocols.push(socket.alpnProtocol);
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{"ok":true}'));
    }, PREFERS_HTTP2);
    if (!url) return skip('there is no openssl');
    expect((await fetchWith()(`${url}api/chat.postMessage`)).status).toBe(200);
    expect(protocols).toEqual(['http/1.1']);
  });

  test('that must not be written any more never leaves, also on a connection that stands', async () => {
    const { url, bodies } = await slackAt(OK);
    let inTime = true;
    const send = fetchWith({ admission: () => ({ ...ADMITTED, inTime: () => inTime }) });
    await send(url, 'n=1');
    inTime = false;
    await expect(send(url, 'n=2')).rejects.toMatchObject({ name: 'NotSentError', code: 'too_late' });
    inTime = true;
    await send(url, 'n=3');
    expect(bodies).toEqual(['/api/chat.postMessage n=1', '/api/chat.postMessage n=3']);
  });

  test('is asked about in the tick in which it is written: not before its connection stands', async () => {
    const { url } = await slackAt(OK);
    const asked: string[] = [];
    const admission = {
      admit: async () => void asked.push('admit'),
      inTime: () => {
        asked.push('inTime');
        return true;
      },
    };
    const send = fetchWith({ admission: () => admission });
    const sent = send(url);
    await Promise.resolve();
    expect(asked).toEqual(['admit']);
    await sent;
    expect(asked).toEqual(['admit', 'inTime']);
  });

  test('was not sent where nobody listens', async () => {
    const { url } = await slackAt(OK);
    const nowhere = url.replace(/:\d+/, ':1');
    await expect(fetchWith()(nowhere)).rejects.toBeInstanceOf(NotSentError);
  });

  test('is in doubt where no answer comes in time, and where the answer breaks off', async () => {
    const silent = await slackAt(undefined);
    await expect(fetchWith({ timeoutMs: 1_000 })(silent.url)).rejects.toMatchObject({ name: 'TimeoutError' });
    const cut = await slackAt({ ...OK, headers: { 'content-length': '99' }, breaksOff: true });
    await expect(fetchWith({ timeoutMs: 10_000 })(cut.url)).rejects.not.toBeInstanceOf(NotSentError);
  });

  test('is answered with nothing that somebody wrote, where the answer is not all there', async () => {
    const { url } = await slackAt({ ...OK, body: '{"ok":true,"messages":[{"text":"I am Jane' });
    const text = await (await fetchWith()(url)).text();
    expect(JSON.parse(text)).toEqual({ ok: false, error: '(unreadable)' });
  });

  test('tells its method, its channel and its answer, also if that is a rate limit', async () => {
    const { url } = await slackAt({ status: 429, headers: { 'retry-after': '7' }, body: '' });
    const answers: unknown[] = [];
    const send = fetchWith({ onAnswer: async (...told) => void answers.push(told) });
    expect((await send(url)).status).toBe(429);
    const headers = expect.objectContaining({ 'retry-after': '7' });
    expect(answers).toEqual([
      [
        { method: 'chat.postMessage', channel: 'C1' },
        { status: 429, headers, body: '' },
      ],
    ]);
  });
});

test('a rate limit lasts at most an hour, whatever a proxy writes into its answer', async () => {
  const { url } = await slackAt({ status: 429, headers: { 'retry-after': '999999999' }, body: '' });
  const told: unknown[] = [];
  const send = fetchWith({ onAnswer: async (_call, { headers }) => void told.push(headers['retry-after']) });
  const { headers } = await send(url);
  expect([headers.get('retry-after'), ...told]).toEqual(['3600', '3600']);
});

describe('a process that was frozen for longer than it waits for an answer', () => {
  const workers: Worker[] = [];
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.terminate()));
  });

  /** A Slack in a thread of its own, which answers while this one stands still. `answered`: set once it has. */
  async function slackElsewhere(answered: Int32Array): Promise<string> {
    const worker = new Worker(
      `const { createServer } = require('node:http');
       const { parentPort, workerData: answered } = require('node:worker_threads');
       const server = createServer((request, response) => {
         request.resume().on('end', () => {
           response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}', () => {
             Atomics.store(answered, 0, 1);
             Atomics.notify(answered, 0);
           });
         });
       }).listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
      { eval: true, workerData: answered },
    );
    workers.push(worker);
    const [port] = await once(worker, 'message');
    return `http://127.0.0.1:${port}/api/chat.postMessage`;
  }

  test('takes the answer that has arrived meanwhile', async () => {
    const answered = new Int32Array(new SharedArrayBuffer(8));
    const url = await slackElsewhere(answered);
    const timeoutMs = 1_000;
    const freeze = () => {
      Atomics.wait(answered, 0, 0);
      // Past the deadline, too, which began before: the second number never changes.
      Atomics.wait(answered, 1, 0, timeoutMs);
    };
    const inTime = () => {
      // Once the request is out.
      setImmediate(freeze);
      return true;
    };
    const send = fetchWith({ timeoutMs, admission: () => ({ ...ADMITTED, inTime }) });
    const response = await send(url);
    expect(await response.text()).toBe('{"ok":true}');
  });
});
