import { describe, expect, test } from 'vitest';
import { SILENT } from '../../../src/outbox/ports.ts';
import { boltLogger } from '../../../src/slack/client/clients.ts';
import { createSocketReceiver } from '../../../src/slack/transport/socket-receiver.ts';
import { open, start, TIMINGS } from './socket-harness.ts';

/** A bot without a connection counts as unreachable at once. */
const AT_ONCE = { ...TIMINGS, downMs: 0 };

describe('the connection', () => {
  test.each([
    ['invalid_auth', 'xapp-wrong', {}],
    ['not_allowed_token_type', 'the bot token', {}],
    ['token_revoked', undefined, { type: 'error' as const, code: 'token_revoked' }],
    ['missing_scope', undefined, { type: 'error' as const, code: 'missing_scope' }],
    ['no_permission', undefined, { type: 'error' as const, code: 'no_permission' }],
  ])('is refused at the start with %s: one sentence, one attempt', async (code, given, fault) => {
    const harness = await open(() => {});
    if ('type' in fault) harness.slack.faults.schedule({ on: 'apps.connections.open', fault });
    const appToken = given === 'the bot token' ? harness.slack.installation().token : given;
    const receiver = createSocketReceiver({
      appToken: appToken ?? harness.slack.appToken,
      apiUrl: new URL(harness.slack.apiUrl),
      logger: boltLogger(SILENT),
      log: SILENT,
      timings: AT_ONCE,
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
  ] as const)('is not made at the start, and a sentence says why: %s', async (_name, on, fault, text) => {
    const { receiver, slack, isReachable } = await open(() => {}, {
      receiver: { connectMs: 10_000, timings: AT_ONCE },
    });
    slack.faults.schedule({ on, fault });
    await expect(receiver.start()).rejects.toThrow(text);
    expect([isReachable(), slack.sockets.count()]).toEqual([false, 0]);
  });

  test('that is yet to be made does not count as lost before its time, lest each start looks like an outage', async () => {
    const { receiver, slack, isReachable } = await open(() => {}, {
      receiver: { timings: { ...TIMINGS, downMs: 600_000 } },
    });
    expect(isReachable()).toBe(true);
    slack.faults.schedule({ on: 'apps.connections.open', fault: { type: 'drop' } });
    await expect(receiver.start()).rejects.toThrow('could not be reached');
    expect(isReachable()).toBe(true);
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
    slack.faults.schedule({ on: 'socket.envelope', fault: { type: 'unanswered' } });
    const delivery = event();
    await delivery.settled;
    expect(delivery.state).toBe('delivered');
    expect(received).toEqual([delivery.event_id, delivery.event_id]);
  });

  test('is tried again and again while Slack refuses, which is one error in the log, and we are not ready meanwhile', async () => {
    const { slack, connected, journal, isReachable, logged } = await start(undefined, {
      receiver: { timings: AT_ONCE },
    });
    expect(isReachable()).toBe(true);
    const { n } = await journal.waitFor({ kind: 'socket', name: 'connect' });
    const away = slack.faults.schedule({
      on: 'apps.connections.open',
      fault: { type: 'error', code: 'invalid_auth' },
      times: 100,
    });
    slack.sockets.drop();
    await expect.poll(() => away.remaining).toBeLessThan(97);
    expect(isReachable()).toBe(false);
    const told = logged.filter(({ message }) => message === 'no connection to Slack');
    expect(told.slice(0, 3).map(({ level }) => level)).toEqual(['error', 'debug', 'debug']);
    away.cancel();
    await connected(n);
    await expect.poll(isReachable).toBe(true);
  });

  test('that is open and never greeted is given up at the start, and a sentence says why', async () => {
    const { receiver, slack, journal, isReachable } = await open(() => {}, {
      receiver: { connectMs: 1_000, timings: AT_ONCE },
    });
    slack.faults.schedule({ on: 'socket.connect', fault: { type: 'hold', when: 'after' } });
    await expect(receiver.start()).rejects.toThrow('Slack did not open a connection within 2 s.');
    expect([isReachable(), slack.sockets.count()]).toEqual([false, 0]);
    expect(await journal.waitFor({ kind: 'socket', name: 'connect' })).toMatchObject({
      ended: 'client_gone',
    });
  });

  test.each([
    ['no sooner than Slack asks for', 30, 30],
    ['within an hour, whatever a proxy asks for', 999_999_999, 3_600],
  ])('is opened again %s', async (_name, retryAfterSeconds, waited) => {
    const { slack, logged } = await start();
    const fault = { type: 'rate_limit', retryAfterSeconds } as const;
    slack.faults.schedule({ on: 'apps.connections.open', fault });
    slack.sockets.drop();
    await expect
      .poll(() => logged)
      .toContainEqual(
        expect.objectContaining({
          message: 'no connection to Slack',
          fields: expect.objectContaining({ nextInMs: waited * 1_000 }),
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
    const held = slack.faults.schedule({ on: 'socket.connect', fault: { type: 'hold', when: 'before' } });
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

  test('that Slack asks to leave takes requests until the next one is open, however long that takes', async () => {
    const { slack, event, journal } = await start();
    const fault = { type: 'hold', when: 'before' } as const;
    const next = slack.faults.schedule({ on: 'apps.connections.open', fault });
    slack.sockets.askToLeave('warning');
    await next.reached;
    const delivery = event();
    await delivery.settled;
    expect([delivery.attempts, slack.sockets.count()]).toEqual([[200], 1]);
    next.release();
    await journal.waitFor({ kind: 'socket', name: 'close', from: 'bot' });
  });

  test('that has gone silent is noticed, and replaced', async () => {
    const { slack, journal, connected } = await start(undefined, { receiver: { pongMs: 60 } });
    const { n } = await journal.waitFor({ kind: 'socket', name: 'connect' });
    slack.sockets.stall();
    await connected(n);
  });
});
