import { createHmac } from 'node:crypto';
import { App, webApi } from '@slack/bolt';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHttpServer } from '../../../src/http/server.ts';
import { SILENT } from '../../../src/outbox/ports.ts';
import { TokenDeadError, TokenRefusedError } from '../../../src/slack/client/access.ts';
import { boltLogger } from '../../../src/slack/client/clients.ts';
import { createReceiver, untilReached } from '../../../src/slack/transport/receiver.ts';
import { NotConnectedError } from '../../../src/slack/transport/socket-connection.ts';

const SECRET = 'signing secret';

async function start(register: (app: App) => void) {
  const logged: object[] = [];
  const note = (fields: object) => void logged.push(fields);
  const log = { debug() {}, info() {}, warn: note, error: note };
  const receiver = createReceiver({ signingSecret: SECRET, log, now: Date.now });
  const authorize = async () => ({ botToken: 'xoxb-1', botUserId: 'U0' });
  const app = new App({ receiver, authorize, logger: boltLogger(log), convoStore: false });
  app.error((error) => Promise.reject(error));
  register(app);
  const server = createHttpServer(receiver.routes, { port: 0, host: '127.0.0.1', log });
  const port = await server.start();
  onTestFinished(() => server.stop());
  const send = (body: string, contentType: string) => {
    const timestamp = `${Math.floor(Date.now() / 1_000)}`;
    const digest = createHmac('sha256', SECRET).update(`v0:${timestamp}:${body}`).digest('hex');
    const headers = {
      'content-type': contentType,
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${digest}`,
    };
    return fetch(`http://127.0.0.1:${port}/slack/events`, { method: 'POST', body, headers });
  };
  const event = () =>
    send(
      JSON.stringify({
        type: 'event_callback',
        team_id: 'T1',
        event: { type: 'app_mention', channel: 'C1', user: 'U1' },
      }),
      'application/json',
    );
  const command = () =>
    send(
      new URLSearchParams({ command: '/c', team_id: 'T1', user_id: 'U1' }).toString(),
      'application/x-www-form-urlencoded',
    );
  return { event, command, send, receiver, logged };
}

describe('an event of Slack', () => {
  test('is answered once its listener is done, not before', async () => {
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const order: string[] = [];
    const { event, command } = await start((app) => {
      app.event('app_mention', async () => {
        begun.resolve();
        await gate.promise;
        order.push('recorded');
      });
      app.command('/c', ({ ack }) => ack());
    });
    const answer = event().then(({ status }) => order.push(`answered ${status}`));
    await begun.promise;
    // An answer given before the listener is done would arrive before the command's.
    await command();
    expect(order).toEqual([]);
    gate.resolve();
    await answer;
    expect(order).toEqual(['recorded', 'answered 200']);
  });

  test('that could not be recorded is answered with 503, so that Slack delivers it again', async () => {
    let tries = 0;
    const { event, logged } = await start((app) =>
      app.event('app_mention', async () => {
        tries += 1;
        if (tries === 1) throw new Error('storage away');
      }),
    );
    const first = await event();
    const { reference } = (await first.json()) as { reference: string };
    expect([first.status, (await event()).status]).toEqual([503, 200]);
    expect(logged).toEqual(expect.arrayContaining([expect.objectContaining({ reference })]));
  });

  test('whose body is no event is refused, logged and counted', async () => {
    const { send, logged } = await start(() => {});
    expect((await send('[]', 'application/json')).status).toBe(400);
    expect(logged).toEqual([
      { event: 'request_refused', from: 'slack', reason: 'malformed', route: '/slack/events' },
    ]);
  });

  test('that nobody listens to is fine', async () => {
    const { event } = await start(() => {});
    expect((await event()).status).toBe(200);
  });
});

describe('an interaction of Slack', () => {
  test.each([
    ['nothing', undefined, ''],
    ['a text', 'hello', 'hello'],
    ['an object', { text: 'hello' }, '{"text":"hello"}'],
  ])('is answered with %s by its ack, while the listener goes on', async (_name, answer, body) => {
    const gate = Promise.withResolvers<void>();
    let done = false;
    const { command, receiver } = await start((app) =>
      app.command('/c', async ({ ack }) => {
        await ack(answer as string);
        await gate.promise;
        done = true;
      }),
    );
    const response = await command();
    expect([response.status, await response.text(), done]).toEqual([200, body, false]);
    const idle = receiver.idle();
    gate.resolve();
    await idle;
    expect(done).toBe(true);
  });

  test('that nobody answers is 404, and one whose listener fails is 500 with a reference', async () => {
    expect((await (await start(() => {})).command()).status).toBe(404);
    const failing = await start((app) => app.command('/c', () => Promise.reject(new Error('broken'))));
    const response = await failing.command();
    expect([response.status, Object.keys((await response.json()) as object)]).toEqual([500, ['reference']]);
  });
});

describe('a start without Slack', () => {
  /** Fails once. @returns the waits, in milliseconds */
  async function startAfter(error: Error): Promise<number[]> {
    const waits: number[] = [];
    const sleep = async (ms: number) => void waits.push(ms);
    const failures = [error];
    const connect = async () => {
      for (const failure of failures.splice(0)) throw failure;
    };
    const { signal } = new AbortController();
    await untilReached(connect, { log: SILENT, signal, random: () => 1, sleep });
    return waits;
  }

  test.each<[string, Error, number]>([
    ['allows no more calls for now', new webApi.WebAPIRateLimitedError(30), 30_000],
    ['opens no more connections for now', new NotConnectedError('too many', 30_000), 30_000],
    ['answers with an error of HTTP', new webApi.WebAPIHTTPError(503, 'Service Unavailable', {}), 1_000],
    ['has a fault', new webApi.WebAPIPlatformError({ ok: false, error: 'internal_error' }), 1_000],
    ['has suspended the workspace, which may come back', new TokenDeadError('inactive'), 1_000],
  ])('waits if Slack %s', async (_why, error, ms) => {
    expect(await startAfter(error)).toEqual([ms]);
  });

  test.each([new TokenRefusedError('invalid_auth'), new TypeError('a fault of our own')])(
    'ends if waiting is useless: %s',
    async (error) => {
      await expect(startAfter(error)).rejects.toBe(error);
    },
  );
});
