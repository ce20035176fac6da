import { describe, expect, test } from 'vitest';
import { start } from './socket-harness.ts';

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
    expect(await answer).toMatchObject({ ended: 'connection_lost' });
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
    const held = slack.faults.schedule({ on: 'socket.connect', fault: { type: 'hold', when: 'before' } });
    slack.sockets.drop();
    await held.reached;
    await receiver.stop();
    held.release();
    await journal.waitFor({ kind: 'socket', name: 'close', from: 'bot' });
    expect(slack.sockets.count()).toBe(0);
  });
});
