import { App } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { boltLogger } from '../../../src/slack/client/clients.ts';
import { createDispatcher } from '../../../src/slack/transport/dispatch.ts';

/** A bot of nothing but the dispatcher, which takes 10 ms for long. */
function open(register: (app: App) => void) {
  const logged: { message: string; fields: object }[] = [];
  const note = (fields: object, message: string) => void logged.push({ message, fields });
  const details: string[] = [];
  const debug = (_fields: object, message: string) => void details.push(message);
  const log = { debug, info() {}, warn: note, error: note };
  const dispatcher = createDispatcher(log, 10);
  const receiver = { init: dispatcher.init, start: async () => {}, stop: async () => {} };
  const authorize = async () => ({ botToken: 'xoxb-1', botUserId: 'U0' });
  const app = new App({ receiver, authorize, logger: boltLogger(log), convoStore: false });
  app.error((error) => Promise.reject(error));
  register(app);
  return { dispatcher, logged, details };
}

const COMMAND = {
  type: 'interaction' as const,
  name: '/c',
  body: { command: '/c', team_id: 'T1', user_id: 'U1' },
};
const EVENT = {
  type: 'event' as const,
  name: 'app_mention',
  body: { type: 'event_callback', team_id: 'T1', event: { type: 'app_mention', channel: 'C1', user: 'U1' } },
  retry: {},
};

describe('what is not acknowledged in time', () => {
  test.each([
    ['a command', COMMAND],
    ['an event', EVENT],
  ])('is in the log, and can still be answered: %s', async (_name, incoming) => {
    const gate = Promise.withResolvers<void>();
    const { dispatcher, logged } = open((app) => {
      app.command('/c', ({ ack }) => gate.promise.then(() => ack()));
      app.event('app_mention', () => gate.promise);
    });
    const answers: string[] = [];
    dispatcher.dispatch(incoming, {
      acknowledge: () => void answers.push('acknowledged'),
      refuse: () => void answers.push('refused'),
    });
    await expect
      .poll(() => logged)
      .toEqual([
        {
          message: 'not acknowledged within 3 s',
          fields: { event: 'acknowledged_late', name: incoming.name },
        },
      ]);
    gate.resolve();
    await dispatcher.idle();
    expect(answers).toEqual(['acknowledged']);
  });
});

test('what was acknowledged in time may take as long as it likes', async () => {
  const gate = Promise.withResolvers<void>();
  const { dispatcher, logged } = open((app) => {
    app.command('/c', async ({ ack }) => {
      await ack();
      await gate.promise;
    });
    app.event('app_mention', () => gate.promise);
  });
  const reply = { acknowledge: () => {}, refuse: () => {} };
  dispatcher.dispatch(COMMAND, reply);
  dispatcher.dispatch(EVENT, reply);
  await expect.poll(() => logged.length).toBe(1);
  gate.resolve();
  await dispatcher.idle();
  expect(logged).toMatchObject([{ fields: { name: 'app_mention' } }]);
});

test('a request that was refused is not said to be acknowledged', async () => {
  const { dispatcher, details } = open((app) => {
    app.event('app_mention', () => Promise.reject(new Error('a fault')));
  });
  const answers: string[] = [];
  const reply = {
    acknowledge: () => void answers.push('acknowledged'),
    refuse: () => void answers.push('refused'),
  };
  dispatcher.dispatch(COMMAND, reply);
  dispatcher.dispatch(EVENT, reply);
  await dispatcher.idle();
  expect(answers).toEqual(['refused', 'refused']);
  expect(details).toEqual(['answered', 'answered']);
});

test('without an app nothing counts as recorded', async () => {
  const logged: object[] = [];
  const note = (fields: object) => void logged.push(fields);
  const dispatcher = createDispatcher({ debug() {}, info() {}, warn: note, error: note });
  const answer = await new Promise((resolve) =>
    dispatcher.dispatch(EVENT, { acknowledge: resolve, refuse: resolve }),
  );
  expect(logged).toMatchObject([{ reference: answer }]);
});
