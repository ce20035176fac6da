import { expect, onTestFinished, test } from 'vitest';
import { createJournal } from '../../sandbox/lib/http/journal.ts';
import { startSlack } from '../../sandbox/slack/start.ts';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import { createBoltApp } from '../../src/slack/bolt.ts';
import { boltLogger } from '../../src/slack/client/clients.ts';
import { slackClientsTo } from '../support/slack-clients.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

test('Bolt keeps no client of a token, which would stay for ever once the token is renewed', async () => {
  const slack = await startSlack({ journal: createJournal() });
  onTestFinished(slack.close);
  let renewals = 0;
  const used: unknown[] = [];
  const app = createBoltApp({
    receiver: { init() {}, start: async () => {}, stop: async () => {} },
    clients: slackClientsTo(slack, () => `xoxb-${++renewals}`),
    routes: {
      commands: {
        '/c': async ({ ack, client }) => {
          used.push(client.token);
          await ack();
        },
      },
      ...{ shortcuts: {}, views: {}, actions: {}, options: {}, events: {} },
    },
    logger: boltLogger(silent),
    log: silent,
  });
  const body = { command: '/c', team_id: SEED.team, user_id: 'U1' };
  for (let times = 0; times < 3; times++) await app.processEvent({ body, ack: async () => {} });

  expect(used).toEqual(['xoxb-1', 'xoxb-2', 'xoxb-3']);
  const pools: { pool: object }[] = Object.values(app['clients']);
  expect(pools.flatMap(({ pool }) => Object.keys(pool))).toEqual([]);
});
