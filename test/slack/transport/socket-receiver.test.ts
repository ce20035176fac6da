import type { App } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { start } from './socket-harness.ts';

describe('an event over Socket Mode', () => {
  test('is acknowledged once its listener is done, not before', async () => {
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
    const delivery = event();
    const settled = delivery.settled.then(() => order.push(delivery.state));
    await begun.promise;
    // An acknowledgement given before the listener is done would arrive before the command's.
    await command();
    await new Promise(setImmediate);
    expect(order).toEqual([]);
    gate.resolve();
    await settled;
    expect(order).toEqual(['recorded', 'delivered']);
    expect(delivery.attempts).toEqual([200]);
  });

  test('that could not be recorded is not acknowledged, so that Slack delivers it again', async () => {
    const received: unknown[] = [];
    const register = (app: App) =>
      app.event('app_mention', async ({ context }) => {
        received.push(context.retryNum);
        if (received.length === 1) throw new Error('storage away');
      });
    const { event, logged } = await start(register, { slack: { ackTimeoutMs: 1_000 } });
    const delivery = event();
    await delivery.settled;
    expect(delivery.attempts).toEqual(['timeout', 200]);
    expect(received).toEqual([undefined, 1]);
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
    const { command } = await start(register, { slack: { ackTimeoutMs: 500 } });
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
    expect(await command()).toMatchObject({ ended: 'connection_lost' });
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
