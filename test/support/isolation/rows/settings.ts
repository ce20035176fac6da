/** Rows of the isolation table: settings and policies. */
import type { Kind } from '../../../../src/requests/model/kinds.ts';
import { ACTIONS, CALLBACKS } from '../../../../src/slack/blocks/ids.ts';
import type { Caller } from '../caller.ts';
import { customerTextsValues, policyValues, sampleValues, settingsValues } from '../form-values.ts';
import { type FeatureRows, NO_CHANNEL, type Row } from '../row.ts';

/** The forms of the caller's own workspace, as the bot would have shown them there. */
const settingsShown = async ({ side }: Caller) => JSON.stringify({ shown: await side.settingsVersion() });
const policyMetadata = async ({ side }: Caller, kind: Kind) =>
  JSON.stringify({ kind, shown: await side.settingsVersion() });

export const settingsRows: FeatureRows = {
  actions: {
    [ACTIONS.openSettings]: [
      {
        holding: 'a modal that an admin has open',
        play: (me, { view }) => me.press(ACTIONS.openSettings, { view: { id: view, root_view_id: view } }),
        reads: /order_id_pattern/,
      },
    ],
    [ACTIONS.pauseSending]: [
      {
        holding: 'the settings that an admin has open',
        play: async (me, { view }) =>
          me.press(ACTIONS.pauseSending, {
            metadata: await settingsShown(me),
            view: { id: view, root_view_id: view },
          }),
        reads: /Sending is paused\./,
      },
    ],
    [ACTIONS.resumeSending]: [
      {
        holding: 'the settings that an admin has open',
        play: async (me, { view }) =>
          me.press(ACTIONS.resumeSending, {
            metadata: await settingsShown(me),
            view: { id: view, root_view_id: view },
          }),
        reads: /Sending is resumed|Sending was not paused/,
      },
    ],
    [ACTIONS.changePolicy]: [
      {
        holding: 'the settings that an admin has open',
        play: (me, { view }) =>
          me.press(ACTIONS.changePolicy, {
            value: 'cancel_order',
            metadata: '{}',
            view: { id: view, root_view_id: view },
          }),
        reads: /initial_users":\["U0CARA/,
      },
    ],
    [ACTIONS.customerTexts]: [
      {
        holding: 'the settings that an admin has open',
        play: (me, { view }) =>
          me.press(ACTIONS.customerTexts, { metadata: '{}', view: { id: view, root_view_id: view } }),
        reads: /reply_offer_sent/,
      },
    ],
    [ACTIONS.tryPattern]: [
      {
        holding: 'the settings that an admin has open',
        play: async (me, { view }) =>
          me.press(ACTIONS.tryPattern, {
            metadata: await settingsShown(me),
            values: { ...settingsValues({}), ...sampleValues('A-1 and A-2') },
            view: { id: view, callback_id: CALLBACKS.settings },
          }),
        reads: /^200/,
        works: 'nobody',
      },
    ],
    [ACTIONS.approvers]: [
      {
        holding: 'a user group',
        play: async (me, { group }) =>
          me.press(ACTIONS.approvers, {
            metadata: await policyMetadata(me, 'cancel_order'),
            values: policyValues({ approvers: 'group', group }),
          }),
        reads: /approver_group[^\n]*"value":"S/,
      },
    ],
    [ACTIONS.shownIn]: [
      {
        holding: 'a channel',
        play: async (me, { apart }) =>
          me.press(ACTIONS.shownIn, {
            metadata: await policyMetadata(me, 'cancel_order'),
            values: policyValues({ approvers: 'channel', channel: apart }),
          }),
        reads: /initial_conversation/,
        works: 'nobody',
      },
    ],
  },
  options: {
    ...Object.fromEntries(
      [ACTIONS.requesters, ACTIONS.admins, ACTIONS.approverGroup].map((action): [string, Row[]] => [
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
        play: async (me, { channel, group }) =>
          me.submit(CALLBACKS.settings, {
            metadata: await settingsShown(me),
            values: settingsValues({ group, channel }),
          }),
        reads: NO_CHANNEL,
      },
      {
        holding: 'a user group',
        play: async (me, { group }) =>
          me.submit(CALLBACKS.settings, {
            metadata: await settingsShown(me),
            values: settingsValues({ group }),
          }),
        reads: /This user group is gone or cannot be read/,
      },
      {
        holding: 'the settings that an admin has open',
        play: async (me, { view }) =>
          me.submit(CALLBACKS.settings, {
            metadata: await settingsShown(me),
            values: settingsValues({ reasons: 'Too late' }),
            view: { id: view },
          }),
        // Also in the notifications channel of their own workspace.
        reads: /changed the settings/,
      },
      {
        holding: 'an admin',
        play: async (me, { admin }) =>
          me.submit(CALLBACKS.settings, {
            metadata: await settingsShown(me),
            values: settingsValues({}),
            payload: { user: { id: admin } },
          }),
        reads: /Only admins and owners of this workspace/,
      },
    ],
    [CALLBACKS.customerTexts]: [
      {
        holding: 'the settings that an admin has open',
        play: async (me, { view }) =>
          me.submit(CALLBACKS.customerTexts, {
            metadata: await settingsShown(me),
            values: customerTextsValues('Ours'),
            view: { id: view, root_view_id: view, previous_view_id: view },
          }),
        reads: /Saved\./,
      },
      {
        holding: 'an admin',
        play: async (me, { admin }) =>
          me.submit(CALLBACKS.customerTexts, {
            metadata: await settingsShown(me),
            // The row above has saved the other texts.
            values: customerTextsValues('Ours, too'),
            payload: { user: { id: admin } },
          }),
        reads: /Only admins and owners of this workspace/,
      },
    ],
    [CALLBACKS.policy]: [
      {
        holding: 'approvers and their channel',
        play: async (me, { approvers, apart }) =>
          me.submit(CALLBACKS.policy, {
            metadata: await policyMetadata(me, 'cancel_order'),
            values: policyValues({ approvers: 'people', people: approvers, channel: apart }),
          }),
        reads: /people from another company cannot approve/,
      },
      {
        holding: 'a user group',
        play: async (me, { group }) =>
          me.submit(CALLBACKS.policy, {
            metadata: await policyMetadata(me, 'send_offer'),
            values: policyValues({ approvers: 'group', group }),
          }),
        reads: /user group is gone/,
      },
      {
        holding: 'the settings that an admin has open',
        play: async (me, { view }) =>
          me.submit(CALLBACKS.policy, {
            metadata: await policyMetadata(me, 'cancel_offer'),
            values: policyValues({ approvers: 'people', people: me.side.approvers }),
            view: { id: view, root_view_id: view, previous_view_id: view },
          }),
        reads: /Saved\./,
      },
    ],
  },
};
