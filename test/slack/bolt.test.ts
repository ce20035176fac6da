import { describe, expect, onTestFinished, test } from 'vitest';
import { createJournal } from '../../sandbox/lib/http/journal.ts';
import { startSlack } from '../../sandbox/slack/start.ts';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import { SILENT } from '../../src/outbox/ports.ts';
import { textModal } from '../../src/slack/blocks/forms.ts';
import { drawnIn, stamped } from '../../src/slack/blocks/stamp.ts';
import { createBoltApp } from '../../src/slack/bolt.ts';
import { boltLogger, type SlackClients } from '../../src/slack/client/clients.ts';
import { NotInstalledError } from '../../src/slack/client/installation.ts';
import type { Routes } from '../../src/slack/features/listener.ts';
import { slackClientsTo } from '../support/slack-clients.ts';

function appWith(clients: SlackClients, routes: Partial<Parameters<typeof createBoltApp>[0]['routes']>) {
  return createBoltApp({
    receiver: { init() {}, start: async () => {}, stop: async () => {} },
    clients,
    routes: { commands: {}, shortcuts: {}, views: {}, actions: {}, options: {}, events: {}, ...routes },
    logger: boltLogger(SILENT),
    log: SILENT,
  });
}

test('Bolt keeps no client of a token, which would stay for ever once the token is renewed', async () => {
  const slack = await startSlack({ journal: createJournal() });
  onTestFinished(slack.close);
  let renewals = 0;
  const used: unknown[] = [];
  const clients = slackClientsTo(slack, () => `xoxb-${++renewals}`);
  const app = appWith(clients, {
    commands: {
      '/c': async ({ ack, client }) => {
        used.push(client.token);
        await ack();
      },
    },
  });
  const body = { command: '/c', team_id: SEED.team, user_id: 'U1' };
  for (let times = 0; times < 3; times++) await app.processEvent({ body, ack: async () => {} });

  expect(used).toEqual(['xoxb-1', 'xoxb-2', 'xoxb-3']);
  const pools: { pool: object }[] = Object.values(app['clients']);
  expect(pools.flatMap(({ pool }) => Object.keys(pool))).toEqual([]);
});

/** Clients of any workspace. The organization of T1 and T2 is known. */
function clientsOfMany(): SlackClients {
  const members: Readonly<Record<string, string>> = { T1: 'E1', T2: 'E1', T3: 'E2' };
  const clients: Pick<SlackClients, 'installation' | 'memberOf' | 'options' | 'withToken'> = {
    installation: async (workspace) => {
      if (workspace === '') throw new Error('No workspace is meant');
      return { workspace, botToken: 'xoxb-1', botUserId: 'U0' };
    },
    memberOf: async (workspace) => members[workspace],
    options: {},
    withToken: () => ({}) as never,
  };
  return clients as SlackClients;
}

describe('an event of which a listener fails', () => {
  const sent = (clients: SlackClients) => {
    const fails = () => Promise.reject(new Error('The storage is away.'));
    const app = appWith(clients, { events: { app_mention: fails } as never });
    const event = { type: 'app_mention', channel: 'C1', user: 'U1' };
    const body = { type: 'event_callback', team_id: 'T1', event };
    return app.processEvent({ body, ack: async () => {} });
  };

  test('is a fault for the receiver, so that Slack delivers it again', async () => {
    await expect(sent(clientsOfMany())).rejects.toThrow('The storage is away.');
  });

  test('is none if nothing is installed in its workspace: it would come again for nothing', async () => {
    const installation = () => Promise.reject(new NotInstalledError('T1'));
    await sent({ ...clientsOfMany(), installation });
  });
});

/** The workspace in which a click on a button acts; undefined: in none. */
async function clickedIn(drawn: string | undefined, body: object): Promise<string | undefined> {
  let found: string | undefined;
  const app = appWith(clientsOfMany(), {
    actions: {
      press: async ({ ack, context }) => {
        found = context.teamId;
        await ack();
      },
    },
  });
  const value = drawn === undefined ? 'x' : stamped(drawn, 'x');
  const actions = [{ type: 'button', action_id: 'press', block_id: 'b', value }];
  const clicked = { type: 'block_actions', user: { id: 'U1', team_id: 'T9' }, actions, ...body };
  await app.processEvent({ body: clicked, ack: async () => {} }).catch(() => {});
  return found;
}

const named = (id: string) => ({ team: { id, domain: 'd' }, enterprise: null });
const E1 = { id: 'E1', name: 'Initech' };

test.each([
  ['that is named, if nothing was stamped', undefined, named('T1'), 'T1'],
  ['that is named, if it drew the button', 'T9', named('T9'), 'T9'],
  ['that drew it, if both are known to be of one organization', 'T2', named('T1'), 'T2'],
  [
    'that drew it, if it is of the organization of a payload that names a workspace not seen before',
    'T2',
    { ...named('T8'), enterprise: E1 },
    'T2',
  ],
  [
    'that drew it, if the organization has installed the app',
    'T2',
    { team: null, enterprise: E1, is_enterprise_install: true },
    'T2',
  ],
  ['that is none, if the two are of two organizations', 'T3', named('T1'), undefined],
  ['that is none, if the other one is of no organization', 'T2', named('T9'), undefined],
  ['that is none, if neither is of an organization', 'T8', named('T9'), undefined],
])('a click acts in the workspace %s', async (_which, drawn, body, expected) => {
  expect(await clickedIn(drawn, body)).toBe(expected);
});

test.each(['push', 'update'] as const)(
  'a view with which a form is answered (%s) is stamped',
  async (how) => {
    const answers: unknown[] = [];
    const views: Routes['views'] = {
      form: ({ ack }) => ack({ response_action: how, view: textModal('Title', 'Text') }),
    };
    const app = appWith(clientsOfMany(), { views });
    const view = { id: 'V1', type: 'modal', callback_id: 'form', private_metadata: '' };
    const body = { type: 'view_submission', user: { id: 'U1' }, ...named('T1'), view };
    await app.processEvent({ body, ack: async (answer) => void answers.push(answer) });
    expect(answers).toHaveLength(1);
    expect(drawnIn(answers[0])).toBe('T1');
  },
);
