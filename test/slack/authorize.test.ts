import { describe, expect, test } from 'vitest';
import { stamped } from '../../src/slack/blocks/stamp.ts';
import type { SlackClients } from '../../src/slack/client/clients.ts';
import { NotInstalledError } from '../../src/slack/client/installation.ts';
import { appWith, clientsOfMany, named } from './bolt-app.ts';

test.each([
  ['of several companies is authorized by another one that Slack names and that is', null, true, ['T2']],
  ['of an organization and another company is authorized by the other one', 'E1', true, ['T2']],
  ['of one company concerns no other', null, false, []],
])(
  'an event for which nothing is installed, in a channel %s',
  async (_which, organization, shared, expected) => {
    const found: unknown[] = [];
    const installation: SlackClients['installation'] = async (workspace) => {
      if (workspace !== 'T2') throw new NotInstalledError(workspace);
      return { workspace, botToken: 'xoxb-2', botUserId: 'U2' };
    };
    const note = async ({ context }: { context: { teamId?: string } }) => void found.push(context.teamId);
    const app = appWith({ ...clientsOfMany(), installation }, { events: { app_mention: note } as never });
    const authorized = { enterprise_id: organization, is_enterprise_install: organization !== null };
    const authorizations = [{ ...authorized, team_id: 'T1', user_id: 'U1', is_bot: true }];
    const event = { type: 'app_mention', channel: 'C1', user: 'U1' };
    const named = { team_id: 'T8', context_team_id: 'T2', is_ext_shared_channel: shared };
    const body = { type: 'event_callback', ...named, authorizations, event };
    await app.processEvent({ body, ack: async () => {} });
    expect(found).toEqual(expected);
  },
);

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
