/**
 * For each route of slackRoutes(): what somebody of another workspace (`me`) tries with what they hold of this one
 * (`theirs`), and what they read then.
 */
import type { Policy } from '../../../src/requests/model/approvals/policy.ts';
import { KIND_NAMES, type Kind } from '../../../src/requests/model/kinds.ts';
import { ACTIONS, CALLBACKS, COMMANDS, EVENTS, requestCallback } from '../../../src/slack/blocks/ids.ts';
import { KIND_COPY } from '../../../src/slack/blocks/kind-copy.ts';
import { refOf } from '../../../src/slack/blocks/ref.ts';
import { shownOf, shownPolicy } from '../../../src/workspaces/settings.ts';
import type { Caller } from './caller.ts';
import {
  connectValues,
  historyValues,
  outcomeValues,
  policyValues,
  reasonValues,
  requestValues,
  searchValues,
  settingsValues,
} from './form-values.ts';
import { buttonOf, messageOf, type Row, type Rows } from './row.ts';
import { type Held, policyOf, settingsOf } from './two-workspaces.ts';

const NOT_KNOWN = /I cannot find this request/;
const NO_CHANNEL = /cannot see this channel/;

/** Their own form, as the bot has shown it to them. */
const settingsShown = ({ side }: Caller) => JSON.stringify(shownOf(settingsOf(side)));
const policyMetadata = (kind: Kind, policy?: Policy) => JSON.stringify({ kind, shown: shownPolicy(policy) });

const commands: Rows = {
  ...Object.fromEntries(
    KIND_NAMES.map((kind): [string, Row[]] => [
      KIND_COPY[kind].command,
      [
        {
          holding: 'an order and a channel',
          play: (me, { channel }) => me.command(`${KIND_COPY[kind].command} A-1004`, { channel_id: channel }),
          reads: kind === 'cancel_order' ? /Acme reason/ : /"value":"A-1004"|initial_value":"A-1004"/,
          // Only this form has reasons of the workspace in it.
          ...(kind === 'cancel_order' ? {} : { works: 'nobody' }),
        },
      ],
    ]),
  ),
  [COMMANDS.subBrands]: [
    {
      holding: 'a channel',
      play: (me, { channel }) => me.command(`${COMMANDS.subBrands} Home`, { channel_id: channel }),
      reads: /Acme Home/,
    },
  ],
  [COMMANDS.countermand]: [
    {
      holding: 'the id of a request, for its status',
      play: (me, { requests }) => me.command(`${COMMANDS.countermand} status ${requests.declined.id}`),
      reads: /There is no request/,
    },
    {
      holding: 'the id of an order, for its status',
      play: (me, { requests }) => me.command(`${COMMANDS.countermand} status ${requests.reviewed.target}`),
      reads: /There is no request/,
    },
    ...(['history', 'settings', 'connect', 'disconnect'] as const).map(
      (word): Row => ({
        holding: `a channel, for its ${word}`,
        play: (me, { channel }) => me.command(`${COMMANDS.countermand} ${word}`, { channel_id: channel }),
        reads: {
          history: /history_state/,
          settings: /Acme reason/,
          connect: /"token"/,
          disconnect: /isconnect/,
        }[word],
        ...(word === 'disconnect' ? { works: 'nobody' } : {}),
      }),
    ),
  ],
};

/**
 * Presses a button that stands on a message of theirs. One that opens a form with nothing but the order in it works for
 * nobody.
 */
const button = (
  action: string,
  which: keyof Held['requests'],
  holding: string,
  works: Row['works'] = 'admin',
): Row => ({
  holding,
  play: (me, { requests }) => me.press(action, buttonOf(requests[which])),
  reads: NOT_KNOWN,
  works,
});

const actions: Rows = {
  [ACTIONS.channel]: [
    {
      holding: 'a channel that is chosen in a form',
      play: (me, { channel }) =>
        me.press(ACTIONS.channel, {
          values: requestValues('A-1004', channel),
          view: { callback_id: requestCallback('cancel_order') },
        }),
      reads: /Acme reason/,
    },
  ],
  [ACTIONS.connect]: [
    {
      holding: 'a message',
      play: (me, { requests }) => me.press(ACTIONS.connect, { on: messageOf(requests.reviewed) }),
      reads: /"token"/,
    },
  ],
  [ACTIONS.approve]: [
    button(ACTIONS.approve, 'awaiting', 'a request and its approval message', 'approver'),
    {
      holding: 'a request, its approval message and an approver',
      play: (me, { requests, approvers: [, id] }) =>
        me.press(ACTIONS.approve, { ...buttonOf(requests.toWithdraw), payload: { user: { id } } }),
      reads: NOT_KNOWN,
    },
  ],
  [ACTIONS.decline]: [
    button(ACTIONS.decline, 'toDeny', 'a request and its approval message', 'nobody'),
    button(ACTIONS.decline, 'declined', 'a request that was denied, and its approval message', 'approver'),
  ],
  [ACTIONS.takeBack]: [button(ACTIONS.takeBack, 'toDeny', 'a request and its approval message')],
  [ACTIONS.withdraw]: [button(ACTIONS.withdraw, 'toWithdraw', 'a request and its card', 'agent')],
  [ACTIONS.retry]: [
    button(ACTIONS.retry, 'failed', 'a request that failed, and its card'),
    {
      holding: 'a request that failed, its card and who asked',
      play: (me, { requests, agent }) =>
        me.press(ACTIONS.retry, { ...buttonOf(requests.failed), payload: { user: { id: agent } } }),
      reads: NOT_KNOWN,
    },
  ],
  [ACTIONS.recordOutcome]: [
    button(
      ACTIONS.recordOutcome,
      'unknown',
      'a request of which nobody knows what became, and its card',
      'nobody',
    ),
    button(ACTIONS.recordOutcome, 'reviewed', 'a request that is reviewed, and its card', 'nobody'),
  ],
  [ACTIONS.addReason]: [
    button(ACTIONS.addReason, 'declined', 'a request that was denied without a reason', 'nobody'),
  ],
  [ACTIONS.changePolicy]: [
    {
      holding: 'the settings that an admin has open',
      play: (me, { view }) =>
        me.press(ACTIONS.changePolicy, { value: 'cancel_order', view: { id: view, root_view_id: view } }),
      reads: /initial_users":\["U0CARA/,
    },
  ],
  ...Object.fromEntries(
    [ACTIONS.subBrandsNext, ACTIONS.subBrandsPrevious].map((action): [string, Row[]] => [
      action,
      [
        {
          holding: 'the page that somebody looks at',
          play: (me) => me.press(action, { metadata: JSON.stringify({ text: 'Home', page: 1 }) }),
          reads: /Acme Home/,
        },
        {
          holding: 'the modal that somebody looks at',
          play: (me, { view }) => me.press(action, { view: { id: view, hash: undefined } }),
          reads: /^200/,
        },
      ],
    ]),
  ),
  ...Object.fromEntries(
    [
      ACTIONS.historyState,
      ACTIONS.historyKind,
      ACTIONS.historyAge,
      ACTIONS.historyPerson,
      ACTIONS.historyNewest,
      ACTIONS.historyOlder,
    ].map((action): [string, Row[]] => [
      action,
      [
        {
          holding: 'who has asked, and where a page begins',
          play: (me, { agent, requests: { declined } }) => {
            const metadata = JSON.stringify({ at: declined.createdAt + 1, id: declined.id });
            return me.press(action, { metadata, values: historyValues(agent) });
          },
          reads: /history_state/,
        },
        {
          holding: 'the modal that somebody looks at',
          play: (me, { view }) => me.press(action, { values: historyValues(null), view: { id: view } }),
          reads: /^200/,
        },
      ],
    ]),
  ),
};

const options: Rows = {
  ...Object.fromEntries(
    [ACTIONS.requesters, ACTIONS.approverGroup].map((action): [string, Row[]] => [
      action,
      [
        {
          holding: 'the form that an admin has open',
          play: (me, { view }) => me.search(action, '', { view: { id: view } }),
          reads: /Approvers/,
        },
      ],
    ]),
  ),
  ...Object.fromEntries(
    [ACTIONS.emojiYes, ACTIONS.emojiNo].map((action): [string, Row[]] => [
      action,
      [
        {
          holding: 'the form that an admin has open',
          play: (me, { view }) => me.search(action, 'x', { view: { id: view } }),
          reads: /"options"/,
          works: 'nobody',
        },
      ],
    ]),
  ),
};

/** Has Slack tell of something of theirs in a workspace of one's own. */
const event = (
  holding: string,
  eventOf: (theirs: Held, me: Caller) => Parameters<Caller['event']>[0],
  works: Row['works'] = 'admin',
): Row => ({ holding, play: (me, theirs) => me.event(eventOf(theirs, me)), reads: /^200/, works });

const events: Rows = {
  [EVENTS.reactionAdded]: [
    event(
      'the message that is voted on',
      ({ requests }, me) =>
        reaction('reaction_added', 'white_check_mark', messageOf(requests.toReactTo), me.user),
      'approver',
    ),
    event('the message that is voted on, and an approver', ({ requests, approvers: [, by] }) =>
      reaction('reaction_added', 'x', messageOf(requests.toReactTo), by),
    ),
  ],
  [EVENTS.reactionRemoved]: [
    event('the message that is voted on, and who has voted', ({ requests, approvers: [by] }) =>
      reaction('reaction_removed', 'white_check_mark', messageOf(requests.votedOn), by),
    ),
  ],
  ...Object.fromEntries(
    [EVENTS.channelShared, EVENTS.channelUnshared].map((type): [string, Row[]] => [
      type,
      [
        // Only Slack's own data about the channel count.
        event(
          'a channel',
          ({ channel }, me) => ({ type, channel, connected_team_id: me.side.team }),
          'nobody',
        ),
      ],
    ]),
  ),
  [EVENTS.channelIdChanged]: [
    // For those whose it is, it is the same channel.
    event(
      'a channel',
      ({ channel }, me) => ({
        type: 'channel_id_changed',
        old_channel_id: channel,
        new_channel_id: me.side.channel,
      }),
      'nobody',
    ),
  ],
  ...Object.fromEntries(
    [EVENTS.channelLeft, EVENTS.groupLeft].map((type): [string, Row[]] => [
      type,
      [
        // The only effect is that the cached value is read again.
        event('a channel', ({ channel }) => ({ type, channel }), 'nobody'),
      ],
    ]),
  ),
  [EVENTS.memberLeftChannel]: [
    event(
      'an approver and their channel',
      ({ apart: channel, approvers: [user] }, me) => ({
        type: 'member_left_channel',
        user,
        channel,
        channel_type: 'C',
        team: me.side.team,
      }),
      'nobody',
    ),
    event(
      'the bot and a channel',
      ({ channel, bot: user }, me) => ({
        type: 'member_left_channel',
        user,
        channel,
        channel_type: 'C',
        team: me.side.team,
      }),
      'nobody',
    ),
  ],
  [EVENTS.subteamUpdated]: [
    event(
      'a user group and its workspace',
      ({ group, team }) => ({
        type: 'subteam_updated',
        subteam: { id: group, team_id: team, users: [] },
      }),
      'nobody',
    ),
  ],
  [EVENTS.subteamMembersChanged]: [
    event(
      'a user group and its workspace',
      ({ group, team }) => ({
        type: 'subteam_members_changed',
        subteam_id: group,
        team_id: team,
        removed_users: [],
      }),
      'nobody',
    ),
  ],
  [EVENTS.teamAccessRevoked]: [
    {
      holding: 'the workspace, and the name of an organization',
      play: (me, { team }) =>
        me.event(
          { type: 'team_access_revoked', team_ids: [team] },
          { enterprise_id: 'E0MINE0001', authorizations: [{ enterprise_id: 'E0MINE0001', team_id: null }] },
        ),
      reads: /^200/,
      // An organization says it, and Slack is asked.
      works: 'nobody',
    },
  ],
  [EVENTS.appUninstalled]: [event('nothing but its name', () => ({ type: 'app_uninstalled' }))],
  [EVENTS.tokensRevoked]: [
    event('the bot and an admin', ({ bot, admin }) => ({
      type: 'tokens_revoked',
      tokens: { bot: [bot], oauth: [admin] },
    })),
  ],
};

function reaction(type: string, name: string, message: { channel: string; ts: string }, user: string) {
  const event_ts = `${Date.now() / 1_000}`;
  return { type, reaction: name, user, item: { type: 'message', ...message }, event_ts };
}

const views: Rows = {
  ...Object.fromEntries(
    KIND_NAMES.map((kind): [string, Row[]] => {
      const callback = requestCallback(kind);
      const target = kind === 'cancel_order' ? 'A-1004' : `O-${kind}`;
      return [
        callback,
        [
          {
            holding: 'a modal that somebody has open, and an order that was asked for',
            play: (me, { view }) => {
              // One form is taken once.
              const id = kind === 'cancel_order' ? view : `${view}${kind}`;
              return me.submit(callback, { values: requestValues(target, me.side.channel), view: { id } });
            },
            reads: new RegExp(`${KIND_COPY[kind].deed} ${target}`),
          },
          {
            holding: 'a channel',
            play: (me, { channel }) => me.submit(callback, { values: requestValues('A-1001', channel) }),
            reads: NO_CHANNEL,
          },
          {
            holding: 'a person',
            play: (me, { agent }) =>
              me.submit(callback, {
                values: requestValues('A-1002', me.side.channel),
                payload: { user: { id: agent } },
              }),
            reads: /Only members of this workspace/,
          },
        ],
      ];
    }),
  ),
  [CALLBACKS.settings]: [
    {
      holding: 'a channel and a user group',
      play: (me, { channel, group }) =>
        me.submit(CALLBACKS.settings, {
          metadata: settingsShown(me),
          values: settingsValues({ group, channel }),
        }),
      reads: NO_CHANNEL,
    },
    {
      holding: 'the settings that an admin has open, and a user group',
      play: (me, { view, group }) =>
        me.submit(CALLBACKS.settings, {
          metadata: settingsShown(me),
          values: settingsValues({ group }),
          view: { id: view },
        }),
      reads: /^200 $/m,
    },
    {
      holding: 'an admin',
      play: (me, { admin }) =>
        me.submit(CALLBACKS.settings, {
          metadata: settingsShown(me),
          values: settingsValues({}),
          payload: { user: { id: admin } },
        }),
      reads: /Only admins and owners of this workspace/,
    },
  ],
  [CALLBACKS.policy]: [
    {
      holding: 'approvers and their channel',
      play: (me, { approvers, apart }) =>
        me.submit(CALLBACKS.policy, {
          metadata: policyMetadata('cancel_order', policyOf(me.side)),
          values: policyValues({ approvers: 'people', people: approvers, channel: apart }),
        }),
      reads: /people from another company cannot approve/,
    },
    {
      holding: 'a user group',
      play: (me, { group }) =>
        me.submit(CALLBACKS.policy, {
          metadata: policyMetadata('send_offer'),
          values: policyValues({ approvers: 'group', group }),
        }),
      reads: /user group is gone/,
    },
    {
      holding: 'the settings that an admin has open',
      play: (me, { view }) =>
        me.submit(CALLBACKS.policy, {
          metadata: policyMetadata('cancel_offer'),
          values: policyValues({ approvers: 'people', people: me.side.approvers }),
          view: { id: view, root_view_id: view },
        }),
      reads: /Saved\./,
    },
  ],
  [CALLBACKS.decline]: [
    {
      holding: 'a request that awaits approval',
      play: (me, { requests }) =>
        me.submit(CALLBACKS.decline, { metadata: refOf(requests.toDeny), values: reasonValues() }),
      reads: NOT_KNOWN,
      works: 'approver',
    },
  ],
  [CALLBACKS.addReason]: [
    {
      holding: 'a request that was denied without a reason, and who denied it',
      play: (me, { requests, approvers: [id] }) =>
        me.submit(CALLBACKS.addReason, {
          metadata: refOf(requests.declined),
          values: reasonValues(),
          payload: { user: { id } },
        }),
      reads: NOT_KNOWN,
    },
  ],
  [CALLBACKS.recordOutcome]: [
    {
      holding: 'a request of which nobody knows what became',
      play: (me, { requests }) =>
        me.submit(CALLBACKS.recordOutcome, {
          metadata: refOf(requests.unknown),
          values: outcomeValues('not_received'),
        }),
      reads: NOT_KNOWN,
    },
    {
      holding: 'a request that is reviewed, and an admin',
      play: (me, { requests, admin }) =>
        me.submit(CALLBACKS.recordOutcome, {
          metadata: refOf(requests.reviewed),
          values: outcomeValues('approved'),
          payload: { user: { id: admin } },
        }),
      reads: NOT_KNOWN,
    },
  ],
  [CALLBACKS.withdraw]: [
    {
      holding: 'a request that awaits approval, and who asked',
      play: (me, { requests, agent }) =>
        me.submit(CALLBACKS.withdraw, {
          metadata: refOf(requests.awaiting),
          payload: { user: { id: agent } },
        }),
      reads: NOT_KNOWN,
    },
  ],
  [CALLBACKS.subBrands]: [
    {
      holding: 'what somebody searched for',
      play: (me) => me.submit(CALLBACKS.subBrands, { values: searchValues('Home') }),
      reads: /Acme Home/,
    },
    {
      holding: 'the modal that somebody looks at',
      play: (me, { view }) =>
        me.submit(CALLBACKS.subBrands, { values: searchValues('Home'), view: { id: view } }),
      reads: /Searching/,
    },
  ],
  [CALLBACKS.connect]: [
    {
      holding: 'a channel',
      play: (me, { channel }) =>
        me.submit(CALLBACKS.connect, { values: connectValues(me.side.token, { channel }) }),
      reads: NO_CHANNEL,
    },
    {
      holding: 'a modal that somebody has open, and a user group',
      play: (me, { view, group }) =>
        me.submit(CALLBACKS.connect, {
          values: connectValues(me.side.token, { group }),
          view: { id: view },
        }),
      reads: /is connected/,
    },
  ],
  // At last: the caller's own workspace is disconnected by it.
  [CALLBACKS.disconnect]: [
    {
      holding: 'a modal that an admin has open',
      play: (me, { view }) => me.submit(CALLBACKS.disconnect, { view: { id: view } }),
      reads: /isconnected/,
    },
  ],
};

export const SLACK_ROWS = { commands, actions, options, events, views };
