import { App } from '@slack/bolt';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createJournal } from '../../../sandbox/lib/http/journal.ts';
import type { SlackOptions } from '../../../sandbox/slack/options.ts';
import { startSlack } from '../../../sandbox/slack/start.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { boltLogger } from '../../../src/slack/client/bolt-logger.ts';
import { createSocketReceiver } from '../../../src/slack/transport/receiver.ts';
import type { SocketOptions } from '../../../src/slack/transport/socket-connection.ts';
import { LINK_TIMINGS, type LinkTimings } from '../../../src/slack/transport/socket-link.ts';

/** Nothing is waited for as long as in real life. */
const TIMINGS: LinkTimings = { ...LINK_TIMINGS, backoffMs: 10, longestBackoffMs: 20 };

type Options = {
  slack?: Partial<SlackOptions>;
  receiver?: Partial<SocketOptions & { timings: LinkTimings }>;
};

/** An event is sent again until somebody is there, however long a slow machine takes to be there. */
const REDELIVERIES = Array(500).fill(20);

/** A Slack on Socket Mode, and a bot of nothing but the receiver, which is not started yet. */
async function open(register: (app: App) => void, options: Options = {}) {
  const journal = createJournal();
  const slack = await startSlack({ journal, redeliveryDelaysMs: REDELIVERIES, ...options.slack });
  slack.connectApp({ socketMode: true });
  const logged: { level: string; message: string; fields: object }[] = [];
  const note = (level: string) => (fields: object, message: string) =>
    void logged.push({ level, message, fields });
  const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
  const receiver = createSocketReceiver({
    appToken: slack.appToken,
    apiUrl: new URL(slack.apiUrl),
    logger: boltLogger(log),
    log,
    timings: TIMINGS,
    ...options.receiver,
  });
  const authorize = async () => ({ botToken: 'xoxb-1', botId: 'B1', botUserId: 'U0' });
  const app = new App({ receiver, authorize, logger: boltLogger(log), convoStore: false });
  app.error((error) => Promise.reject(error));
  register(app);
  onTestFinished(async () => {
    await receiver.stop();
    await slack.close();
    expect(JSON.stringify(logged)).not.toContain(slack.appToken);
  });

  const event = (text = 'Hello') =>
    slack.events.send(slack.installation(), { type: 'app_mention', channel: 'C1', user: 'U1', text });
  return {
    slack,
    journal,
    receiver,
    logged,
    event,
    command: () =>
      slack.sendCustom({ kind: 'command', body: { command: '/c', team_id: SEED.team, user_id: 'U1' } }),
    isReachable: receiver.isReachable,
    /** Resolves once a connection was greeted that was begun after this. */
    connected: (after: number) =>
      journal.waitFor(({ kind, name, processed }) => kind === 'socket' && name === 'connect' && !!processed, {
        after,
      }),
  };
}

async function start(register: (app: App) => void = () => {}, options?: Options) {
  const harness = await open(register, options);
  await harness.receiver.start();
  return harness;
}

describe('an event over Socket Mode', () => {
  test('is acknowledged once its listener is done, not before', async () => {
    const gate = Promise.withResolvers<void>();
    const order: string[] = [];
    const { event } = await start((app) =>
      app.event('app_mention', async () => {
        await gate.promise;
        order.push('recorded');
      }),
    );
    const delivery = event();
    const settled = delivery.settled.then(() => order.push(delivery.state));
    gate.resolve();
    await settled;
    expect(order).toEqual(['recorded', 'delivered']);
    expect(delivery.attempts).toEqual([200]);
  });

  test('that could not be recorded is not acknowledged, so that Slack delivers it again', async () => {
    const received: unknown[] = [];
    const register = (app: App) =>
      app.event('app_mention', async ({ context }) => {
        received.push([context.retryNum, context.retryReason]);
        if (received.length === 1) throw new Error('storage away');
      });
    const { event, logged } = await start(register, { slack: { ackTimeoutMs: 50 } });
    const delivery = event();
    await delivery.settled;
    expect(delivery.attempts).toEqual(['timeout', 200]);
    expect(received).toEqual([
      [undefined, undefined],
      [1, 'timeout'],
    ]);
    expect(logged).toContainEqual(
      expect.objectContaining({ fields: expect.objectContaining({ reference: expect.any(String) }) }),
    );
  });

  test('that nobody listens to is fine', async () => {
    const { event } = await start();
    const delivery = event();
    await delivery.settled;
    expect(delivery.attempts).toEqual([200]);
  });
});

describe('an interaction over Socket Mode', () => {
  test.each([
    ['nothing', undefined, ''],
    ['an empty text', '', ''],
    ['a text', 'hello', '{"text":"hello"}'],
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
    expect([await command(), done]).toMatchObject([{ status: 200, body }, false]);
    const idle = receiver.idle();
    gate.resolve();
    await idle;
    expect(done).toBe(true);
  });

  test('is answered by its first ack; a second one, or a failure after it, changes nothing', async () => {
    const { command, logged, receiver, journal } = await start((app) =>
      app.command('/c', async ({ ack }) => {
        await ack('one');
        await ack('two');
        throw new Error('broken');
      }),
    );
    expect(await command()).toMatchObject({ body: '{"text":"one"}' });
    await receiver.idle();
    expect(logged).toContainEqual(expect.objectContaining({ message: 'fault' }));
    expect(await command()).toMatchObject({ body: '{"text":"one"}' });
    expect(journal.entries({ kind: 'socket', name: 'unmatched' })).toEqual([]);
  });

  test.each([
    ['nobody answers', () => {}],
    ['fails', (app: App) => app.command('/c', () => Promise.reject(new Error('broken')))],
  ])('that %s is left without an acknowledgement', async (_name, register) => {
    const { command } = await start(register, { slack: { ackTimeoutMs: 50 } });
    expect(await command()).toMatchObject({ ended: 'timeout' });
  });

  test('whose connection is gone by its ack is finished all the same', async () => {
    const gate = Promise.withResolvers<void>();
    let done = false;
    const { command, slack, receiver, logged } = await start((app) =>
      app.command('/c', async ({ ack }) => {
        slack.sockets.drop();
        await gate.promise;
        await ack();
        done = true;
      }),
    );
    expect(await command()).toMatchObject({ ended: 'no_connection' });
    await expect
      .poll(() => logged.some(({ message }) => message.startsWith('replacing the connection')))
      .toBe(true);
    gate.resolve();
    await receiver.idle();
    expect(done).toBe(true);
    expect(logged).toContainEqual(expect.objectContaining({ message: 'acknowledgement not sent' }));
  });
});

describe('what is no envelope', () => {
  const envelope = (type: string, payload: unknown) =>
    JSON.stringify({ envelope_id: 'e1', type, payload, accepts_response_payload: true });

  test.each([
    ['nothing', ''],
    ['no JSON', 'hello'],
    ['null', 'null'],
    ['a list', '[1]'],
    ['an envelope without an id', JSON.stringify({ type: 'events_api', payload: {} })],
    ['an unknown type', envelope('workflow', {})],
    ['a type that the SDK listens to itself', envelope('ws_message', {})],
    ['a type that means closing to the SDK', envelope('close', {})],
    ['a type that is none', envelope({} as string, {})],
    ['an event that is none', envelope('events_api', { type: 'app_rate_limited' })],
    ['an event of a hostile type', envelope('events_api', { event: { type: 'ws_message' } })],
    ['a command without a name', envelope('slash_commands', {})],
    ['an interaction that is none', envelope('interactive', 'x')],
    ['an interaction of an unknown type', envelope('interactive', { type: 'dance' })],
    ['bytes', Buffer.from([0, 255, 1])],
    ['two megabytes', envelope('interactive', { type: 'x'.repeat(2_000_000) })],
  ])('does no harm: %s', async (_name, frame) => {
    const { slack, event, journal } = await start();
    slack.sockets.sendFrame(frame);
    const delivery = event();
    await delivery.settled;
    expect(delivery.attempts).toEqual([200]);
    expect(journal.entries({ kind: 'socket', name: 'connect' })).toHaveLength(1);
  });

  test('does no harm: a text that is no UTF-8 ends the connection, and the next one is opened', async () => {
    const { slack, journal, connected, event } = await start();
    const { n } = await journal.waitFor({ kind: 'socket', name: 'connect' });
    slack.sockets.sendFrame(Buffer.from([0xff, 0xfe]), { binary: false });
    await connected(n);
    const delivery = event();
    await delivery.settled;
    expect(delivery.state).toBe('delivered');
  });
});

describe('the connection', () => {
  test.each([
    ['invalid_auth', 'xapp-wrong', {}],
    ['not_allowed_token_type', 'the bot token', {}],
    ['token_revoked', undefined, { type: 'error' as const, code: 'token_revoked' }],
  ])('is refused at the start with %s: one sentence, one attempt', async (code, given, fault) => {
    const harness = await open(() => {});
    if ('type' in fault) harness.slack.faults.order({ on: 'apps.connections.open', fault });
    const appToken = given === 'the bot token' ? harness.slack.installation().token : given;
    const receiver = createSocketReceiver({
      appToken: appToken ?? harness.slack.appToken,
      apiUrl: new URL(harness.slack.apiUrl),
      logger: boltLogger({ debug() {}, info() {}, warn() {}, error() {} }),
      log: { debug() {}, info() {}, warn() {}, error() {} },
      timings: TIMINGS,
    });
    await expect(receiver.start()).rejects.toThrow(
      `Slack does not accept SLACK_APP_TOKEN (${code}): it must be an app-level token with the scope connections:write.`,
    );
    expect(receiver.isReachable()).toBe(false);
    await receiver.stop();
    expect(harness.journal.entries({ name: 'apps.connections.open' })).toHaveLength(1);
  });

  test.each([
    [
      'no URL is to be had',
      'apps.connections.open',
      { type: 'status', status: 503 },
      'could not be reached over Socket Mode',
    ],
    [
      'there were too many',
      'apps.connections.open',
      { type: 'rate_limit', retryAfterSeconds: 1 },
      'no more connections',
    ],
    [
      'it is not enabled',
      'apps.connections.open',
      { type: 'error', code: 'forbidden_team' },
      '(forbidden_team)',
    ],
    [
      'the WebSocket is refused',
      'socket.connect',
      { type: 'status', status: 500 },
      'closed before the greeting',
    ],
    ['the WebSocket is dropped', 'socket.connect', { type: 'drop' }, 'closed before the greeting'],
    ['nobody greets', 'socket.connect', { type: 'hold', when: 'after' }, 'did not open a connection within'],
  ] as const)('is not made at the start, and a sentence says why: %s', async (_name, on, fault, text) => {
    // Only where nobody greets does it have to pass.
    const connectMs = fault.type === 'hold' ? 1_000 : 10_000;
    const { receiver, slack, isReachable } = await open(() => {}, { receiver: { connectMs } });
    slack.faults.order({ on, fault });
    await expect(receiver.start()).rejects.toThrow(text);
    expect([isReachable(), slack.sockets.count()]).toEqual([false, 0]);
  });

  test('that drops is opened again, and nothing that was acknowledged is heard twice, nothing else lost', async () => {
    const received: string[] = [];
    const { slack, event, connected, journal, isReachable } = await start((app) =>
      app.event('app_mention', async ({ event: { text } }) => void received.push(text)),
    );
    await event('one').settled;
    const { n } = await journal.waitFor({ kind: 'socket', name: 'connect' });
    slack.sockets.drop();
    const two = event('two');
    await connected(n);
    await two.settled;
    expect(isReachable()).toBe(true);
    expect([two.state, received]).toEqual(['delivered', ['one', 'two']]);
  });

  test('that drops before the acknowledgement has come through brings the event again', async () => {
    const received: unknown[] = [];
    const { slack, event } = await start((app) =>
      app.event('app_mention', async ({ body }) => void received.push(body.event_id)),
    );
    slack.faults.order({ on: 'socket.envelope', fault: { type: 'unanswered' } });
    const delivery = event();
    await delivery.settled;
    expect(delivery.state).toBe('delivered');
    expect(received).toEqual([delivery.event_id, delivery.event_id]);
  });

  test('is tried again and again while Slack refuses, and we are not ready meanwhile', async () => {
    const { slack, connected, journal, isReachable, logged } = await start(undefined, {
      receiver: { timings: { ...TIMINGS, downMs: 0 } },
    });
    expect(isReachable()).toBe(true);
    const { n } = await journal.waitFor({ kind: 'socket', name: 'connect' });
    const away = slack.faults.order({
      on: 'apps.connections.open',
      fault: { type: 'error', code: 'invalid_auth' },
      times: 100,
    });
    slack.sockets.drop();
    await expect.poll(() => away.remaining).toBeLessThan(97);
    expect(isReachable()).toBe(false);
    expect(logged).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'no connection to Slack' }),
    );
    away.cancel();
    await connected(n);
    await expect.poll(isReachable).toBe(true);
  });

  test('that is open and never greeted is given up', async () => {
    const { receiver, slack, journal } = await open(() => {}, { receiver: { connectMs: 1_000 } });
    slack.faults.order({ on: 'socket.connect', fault: { type: 'hold', when: 'after' } });
    await expect(receiver.start()).rejects.toThrow('Slack did not open a connection within 2 s.');
    expect(await journal.waitFor({ kind: 'socket', name: 'connect' })).toMatchObject({
      ended: 'client_gone',
    });
  });

  test('is opened again no sooner than Slack asks for', async () => {
    const { slack, logged } = await start();
    const fault = { type: 'rate_limit', retryAfterSeconds: 30 } as const;
    slack.faults.order({ on: 'apps.connections.open', fault });
    slack.sockets.drop();
    await expect
      .poll(() => logged)
      .toContainEqual(
        expect.objectContaining({
          message: 'no connection to Slack',
          fields: expect.objectContaining({ nextInMs: 30_000 }),
        }),
      );
  });

  test.each([
    ['at once after one that has lasted', 0, [0, 0, 0]],
    ['later and later after ones that have not', 60_000, [10, 20, 20]],
  ])('is opened again %s', async (_name, stableMs, most) => {
    const { slack, logged, journal } = await start(undefined, {
      receiver: { timings: { ...TIMINGS, stableMs } },
    });
    for (const _ of most) {
      const { n } = journal.entries({ kind: 'socket', name: 'connect' }).at(-1) as { n: number };
      slack.sockets.drop();
      await journal.waitFor({ kind: 'socket', name: 'connect' }, { after: n });
    }
    const waits = logged.flatMap(({ message, fields }) =>
      message.startsWith('replacing the connection') ? [(fields as { nextInMs: number }).nextInMs] : [],
    );
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeLessThanOrEqual(most[index] ?? 0);
      expect(wait).toBeGreaterThanOrEqual((most[index] ?? 0) * 0.75 - 0.5);
    }
    expect(waits).toHaveLength(3);
  });

  test('may be down for a moment, and we are still ready', async () => {
    const { slack, isReachable, journal } = await start();
    const held = slack.faults.order({ on: 'socket.connect', fault: { type: 'hold', when: 'before' } });
    slack.sockets.drop();
    await held.reached;
    expect([slack.sockets.count(), isReachable()]).toEqual([0, true]);
    expect(journal.entries({ kind: 'socket', name: 'close' })).toHaveLength(1);
  });

  test.each(['warning', 'refresh_requested', 'too_many_websockets', 'link_disabled'] as const)(
    'is replaced before it is left when Slack says %s',
    async (reason) => {
      const gate = Promise.withResolvers<void>();
      const { slack, command, connected, journal } = await start((app) =>
        app.command('/c', async ({ ack }) => {
          await gate.promise;
          await ack('still there');
        }),
      );
      const { n } = await journal.waitFor({ kind: 'socket', name: 'connect' });
      const answer = command();
      slack.sockets.askToLeave(reason);
      await connected(n);
      expect(slack.sockets.count()).toBe(2);
      gate.resolve();
      expect(await answer).toMatchObject({ body: '{"text":"still there"}' });
      await journal.waitFor({ kind: 'socket', name: 'close', from: 'bot' });
      expect(slack.sockets.count()).toBe(1);
    },
  );

  test('that has gone silent is noticed, and replaced', async () => {
    const { slack, journal, connected } = await start(undefined, { receiver: { pongMs: 60 } });
    const { n } = await journal.waitFor({ kind: 'socket', name: 'connect' });
    slack.sockets.stall();
    await connected(n);
  });
});

describe('a stop', () => {
  test('lets what is under way be answered, and what comes meanwhile, and closes the connection', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let received = 0;
    const reported: string[] = [];
    const { command, event, receiver, slack, journal } = await start((app) => {
      app.command('/c', async ({ ack }) => {
        const n = received++;
        await gates[n]?.promise;
        await ack(`done ${n}`);
      });
      app.event('app_mention', async ({ event: { text } }) => void reported.push(text));
    });
    const first = command();
    await expect.poll(() => received).toBe(1);
    const stopped = receiver.stop();
    const second = command();
    await expect.poll(() => received).toBe(2);
    gates[0]?.resolve();
    expect(await first).toMatchObject({ body: '{"text":"done 0"}' });
    await event('meanwhile').settled;
    expect([reported, slack.sockets.count()]).toEqual([['meanwhile'], 1]);
    gates[1]?.resolve();
    expect(await second).toMatchObject({ body: '{"text":"done 1"}' });
    await stopped;
    await journal.waitFor({ kind: 'socket', name: 'close', from: 'bot' });
    expect(slack.sockets.count()).toBe(0);
  });

  test('does not wait for ever for an instant in which nothing is unanswered', async () => {
    const { command, receiver, slack } = await start(
      (app) => app.command('/c', () => new Promise(() => {})),
      { receiver: { drainMs: 50 } },
    );
    const answer = command();
    await receiver.stop();
    expect(await answer).toMatchObject({ ended: 'no_connection' });
    expect(slack.sockets.count()).toBe(0);
  });

  test('does not wait for what goes on after its answer; idle() does', async () => {
    const gate = Promise.withResolvers<void>();
    let done = false;
    const { command, receiver, journal } = await start((app) =>
      app.command('/c', async ({ ack }) => {
        await ack();
        await gate.promise;
        done = true;
      }),
    );
    await command();
    await receiver.stop();
    await journal.waitFor({ kind: 'socket', name: 'close', from: 'bot' });
    expect(done).toBe(false);
    const idle = receiver.idle();
    gate.resolve();
    await idle;
    expect(done).toBe(true);
  });

  test('does not depend on Slack to close its side, too', async () => {
    const { receiver, slack } = await start();
    slack.sockets.stall();
    await receiver.stop();
    // Sending to a connection that is gone reveals that it is.
    const sending = () => {
      slack.sockets.sendFrame('Is anybody there?');
      return slack.sockets.count();
    };
    await expect.poll(sending).toBe(0);
  });

  test('ends the attempts to connect again', async () => {
    const { slack, receiver, journal } = await start();
    const held = slack.faults.order({ on: 'socket.connect', fault: { type: 'hold', when: 'before' } });
    slack.sockets.drop();
    await held.reached;
    await receiver.stop();
    held.release();
    await journal.waitFor({ kind: 'socket', name: 'close', from: 'bot' });
    expect(slack.sockets.count()).toBe(0);
  });
});
