import { describe, expect, onTestFinished, test } from 'vitest';
import { createJournal } from '../../sandbox/lib/http/journal.ts';
import { startSlack } from '../../sandbox/slack/start.ts';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import { textModal } from '../../src/slack/blocks/forms.ts';
import { drawnIn, stamped } from '../../src/slack/blocks/stamp.ts';
import type { SlackClients } from '../../src/slack/client/clients.ts';
import { NotInstalledError } from '../../src/slack/client/installation.ts';
import type { Routes } from '../../src/slack/listeners/listener.ts';
import { slackClientsTo } from '../support/slack-clients.ts';
import { appWith, clientsOfMany, named } from './bolt-app.ts';

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
