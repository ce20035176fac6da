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
import type { Routes } from '../../src/slack/listeners/listener.ts';
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

const named = (id: string) => ({ team: { id, domain: 'd' }, enterprise: null });

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

test.each([
  ['of several companies is authorized by another one that Slack names and that is', true, ['T2']],
  ['of one company concerns no other', false, []],
])('an event for which nothing is installed, in a channel %s', async (_which, shared, expected) => {
  const found: unknown[] = [];
  const installation: SlackClients['installation'] = async (workspace) => {
    if (workspace !== 'T2') throw new NotInstalledError(workspace);
    return { workspace, botToken: 'xoxb-2', botUserId: 'U2' };
  };
  const note = async ({ context }: { context: { teamId?: string } }) => void found.push(context.teamId);
  const app = appWith({ ...clientsOfMany(), installation }, { events: { app_mention: note } as never });
  const authorizations = [{ enterprise_id: null, team_id: 'T1', user_id: 'U1', is_bot: true }];
  const event = { type: 'app_mention', channel: 'C1', user: 'U1' };
  const named = { team_id: 'T8', context_team_id: 'T2', is_ext_shared_channel: shared };
  const body = { type: 'event_callback', ...named, authorizations, event };
  await app.processEvent({ body, ack: async () => {} });
  expect(found).toEqual(expected);
});

test('the listener of an event has a client of ours, which learns of rate limits and of lost access', async () => {
  const ours = {};
  const used: unknown[] = [];
  const note = async ({ client }: { client: unknown }) => void used.push(client);
  const clients = { ...clientsOfMany(), withToken: () => ours as never };
  const app = appWith(clients, { events: { app_mention: note } as never });
  const event = { type: 'app_mention', channel: 'C1', user: 'U1' };
  await app.processEvent({ body: { type: 'event_callback', team_id: 'T1', event }, ack: async () => {} });
  expect(used[0]).toBe(ours);
});

test('a command has its text as it was typed, which Slack sends as in a message', async () => {
  const texts: string[] = [];
  const app = appWith(clientsOfMany(), {
    commands: {
      '/c': async ({ ack, command }) => {
        texts.push(command.text);
        await ack();
      },
    },
  });
  for (const text of ['A&amp;B &lt;1&gt;', undefined]) {
    const body = { command: '/c', team_id: 'T1', user_id: 'U1', text };
    await app.processEvent({ body, ack: async () => {} });
  }
  expect(texts).toEqual(['A&B <1>', '']);
});

describe('a person whose listener fails is told', () => {
  const fail = () => Promise.reject(new Error('The storage is away.'));

  /** Sends a payload. @returns the acknowledgements, and the calls to Slack; the update of a view fails */
  async function failing(routes: Parameters<typeof appWith>[1], body: object) {
    const acked: unknown[] = [];
    const called: unknown[] = [];
    const client = {
      conversations: { open: async () => ({ channel: { id: 'D1' } }) },
      chat: { postMessage: async (message: object) => void called.push(message) },
      views: { update: () => Promise.reject(new Error('The form was closed.')) },
    };
    const app = appWith({ ...clientsOfMany(), withToken: () => client as never }, routes);
    const sent = { user: { id: 'U1', team_id: 'T1' }, ...named('T1'), ...body };
    await app.processEvent({ body: sent, ack: async (answer) => void acked.push(answer) });
    return { acked, called };
  }

  const submit = (view: object, listener: Routes['views'][string] = fail) =>
    failing(
      { views: { form: listener } },
      {
        type: 'view_submission',
        view: { id: 'V1', type: 'modal', callback_id: 'form', private_metadata: '', ...view },
      },
    );
  const click = (listener: Routes['actions'][string]) => {
    const actions = [{ type: 'button', action_id: 'press', block_id: 'b', value: stamped('T1', 'x') }];
    return failing({ actions: { press: listener } }, { type: 'block_actions', actions });
  };

  test.each([
    ['above a first form', { previous_view_id: null, root_view_id: 'V1' }, 'push'],
    ['above a second form', { previous_view_id: 'V0', root_view_id: 'V0' }, 'push'],
    [
      'in place of a third one, because Slack allows no fourth',
      { previous_view_id: 'V0', root_view_id: 'V9' },
      'update',
    ],
  ])('%s', async (_where, view, how) => {
    expect(await submit(view)).toMatchObject({ acked: [{ response_action: how }], called: [] });
  });

  test('by a direct message where the form is acknowledged, and closed since', async () => {
    const { acked, called } = await submit({}, async ({ ack }) => {
      await ack();
      await fail();
    });
    expect([acked, called]).toMatchObject([[undefined], [{ channel: 'D1' }]]);
  });

  test.each([
    ['unacknowledged', fail],
    ['acknowledged', async ({ ack }: { ack: () => Promise<void> }) => ack().then(fail)],
  ])(
    'by a direct message for a button in a form, whose click was %s: Slack waits for one answer',
    async (_how, listener) => {
      const { acked, called } = await click(listener as never);
      expect([acked.length, called]).toMatchObject([1, [{ channel: 'D1' }]]);
    },
  );
});

describe('what cannot be authorized, because the storage is away,', () => {
  /** Sends a payload for which there is a listener. @returns the answer; `ran`: whether a listener did */
  async function unauthorized(body: object) {
    let ran = false;
    let answer: unknown = 'none';
    const run = async () => {
      ran = true;
    };
    const route = { it: run } as never;
    const app = appWith(
      { ...clientsOfMany(), installation: () => Promise.reject(new Error('The storage is away.')) },
      { commands: route, shortcuts: route, views: route, actions: route, options: route, events: route },
    );
    const sent = { user: { id: 'U1', team_id: 'T1' }, ...named('T1'), ...body };
    const ack = async (given: unknown) => {
      answer = given;
    };
    const failed = await app.processEvent({ body: sent, ack }).then(() => undefined, String);
    return { ran, answer, failed };
  }

  const FORM = { id: 'V1', callback_id: 'it', private_metadata: '', previous_view_id: null };
  const BUTTON = { type: 'button', action_id: 'it', block_id: 'b', value: 'x' };

  test.each([
    [
      'a command',
      { command: 'it' },
      { response_type: 'ephemeral', text: expect.stringContaining('went wrong') },
    ],
    ['a form', { type: 'view_submission', view: FORM }, { response_action: 'push' }],
    ['a search', { type: 'block_suggestion', action_id: 'it', block_id: 'b', value: 'x' }, { options: [] }],
  ])('is answered all the same: %s', async (_what, body, expected) => {
    const { ran, answer, failed } = await unauthorized(body);
    expect({ ran, failed }).toEqual({ ran: false, failed: undefined });
    expect(answer).toMatchObject(expected);
  });

  test.each([
    ['an event', { type: 'event_callback', team_id: 'T1', event: { type: 'it', channel: 'C1', user: 'U1' } }],
    ['a button of a Home tab', { type: 'block_actions', actions: [BUTTON] }],
    ['a shortcut in a menu of Slack’s own', { type: 'shortcut', callback_id: 'it' }],
  ])('is a fault for the receiver, as Slack itself repeats it or shows an error: %s', async (_what, body) => {
    const { ran, answer, failed } = await unauthorized(body);
    expect({ ran, answer }).toEqual({ ran: false, answer: 'none' });
    expect(failed).toContain('The storage is away.');
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
  [
    'in which its form was opened, if the organization has installed the app',
    undefined,
    {
      team: null,
      enterprise: E1,
      is_enterprise_install: true,
      view: { team_id: 'T2', app_installed_team_id: 'E1' },
    },
    'T2',
  ],
  [
    'of its person, if Slack names nothing but that and the organization',
    undefined,
    { team: null, enterprise: E1, is_enterprise_install: true },
    'T9',
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
