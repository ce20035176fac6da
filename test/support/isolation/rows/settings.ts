/** Rows of the isolation table: settings and policies. */
import type { Policy } from '../../../../src/requests/model/approvals/policy.ts';
import type { Kind } from '../../../../src/requests/model/kinds.ts';
import { ACTIONS, CALLBACKS } from '../../../../src/slack/blocks/ids.ts';
import { shownOf, shownPolicy } from '../../../../src/workspaces/settings.ts';
import type { Caller } from '../caller.ts';
import { policyValues, settingsValues } from '../form-values.ts';
import { type FeatureRows, NO_CHANNEL, type Row } from '../row.ts';
import { policyOf, settingsOf } from '../two-workspaces.ts';

/** The form of the attacked workspace, as the bot has shown it there. */
const settingsShown = ({ side }: Caller) => JSON.stringify(shownOf(settingsOf(side)));
const policyMetadata = (kind: Kind, policy?: Policy) => JSON.stringify({ kind, shown: shownPolicy(policy) });

export const settingsRows: FeatureRows = {
  actions: {
    [ACTIONS.changePolicy]: [
      {
        holding: 'the settings that an admin has open',
        play: (me, { view }) =>
          me.press(ACTIONS.changePolicy, { value: 'cancel_order', view: { id: view, root_view_id: view } }),
        reads: /initial_users":\["U0CARA/,
      },
    ],
  },
  options: {
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
  },
  views: {
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
  },
};
