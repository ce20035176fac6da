/** Rows of the isolation table: requesting, withdrawing and retrying. */
import { KIND_NAMES } from '../../../../src/requests/model/kinds.ts';
import { refOf } from '../../../../src/slack/blocks/forms.ts';
import { ACTIONS, CALLBACKS, messageCallback, requestCallback } from '../../../../src/slack/blocks/ids.ts';
import { KIND_COPY } from '../../../../src/slack/messages/sentences/request-words.ts';
import { requestValues } from '../form-values.ts';
import { button, buttonOf, type FeatureRows, NO_CHANNEL, NOT_KNOWN, type Row } from '../row.ts';

export const requestRows: FeatureRows = {
  commands: {
    ...Object.fromEntries(
      KIND_NAMES.map((kind): [string, Row[]] => [
        KIND_COPY[kind].command,
        [
          {
            holding: 'an order and a channel',
            play: (me, { channel }) =>
              me.command(`${KIND_COPY[kind].command} A-1004`, { channel_id: channel }),
            reads: kind === 'cancel_order' ? /Acme reason/ : /"value":"A-1004"|initial_value":"A-1004"/,
            // Only this form shows reasons of the workspace.
            ...(kind === 'cancel_order' ? {} : { works: 'nobody' }),
          },
        ],
      ]),
    ),
  },
  shortcuts: Object.fromEntries(
    KIND_NAMES.flatMap((kind): [string, Row[]][] => [
      [
        kind,
        [
          {
            holding: 'nothing: the form is empty',
            play: (me) => me.shortcut(kind),
            reads: new RegExp(requestCallback(kind)),
            works: 'nobody',
          },
        ],
      ],
      [
        messageCallback(kind),
        [
          {
            holding: 'a message in its channel',
            play: (me, { channel }) =>
              me.shortcut(messageCallback(kind), { channel, ts: '1700000000.000100', text: 'A-1004' }),
            reads: /Your request will link to the message/,
            works: 'nobody',
          },
        ],
      ],
    ]),
  ),
  actions: {
    ...Object.fromEntries(
      [ACTIONS.channel, ACTIONS.target, ACTIONS.targetChoice].map((action): [string, Row[]] => [
        action,
        [
          {
            holding: 'a channel that is chosen in a form',
            play: (me, { channel }) =>
              me.press(action, {
                values: requestValues('A-1004', channel),
                view: { callback_id: requestCallback('cancel_order') },
              }),
            reads: /Acme reason/,
          },
        ],
      ]),
    ),
    [ACTIONS.requestAgain]: [
      button(ACTIONS.requestAgain, 'failed', 'a request that failed, and its card', 'agent'),
      {
        holding: 'a request that failed, its card and its requester',
        play: (me, { requests, agent }) =>
          me.press(ACTIONS.requestAgain, { ...buttonOf(requests.failed), payload: { user: { id: agent } } }),
        reads: NOT_KNOWN,
      },
    ],
    [ACTIONS.withdraw]: [button(ACTIONS.withdraw, 'toWithdraw', 'a request and its card', 'agent')],
    [ACTIONS.retry]: [
      button(ACTIONS.retry, 'failed', 'a request that failed, and its card'),
      {
        holding: 'a request that failed, its card and its requester',
        play: (me, { requests, agent }) =>
          me.press(ACTIONS.retry, { ...buttonOf(requests.failed), payload: { user: { id: agent } } }),
        reads: NOT_KNOWN,
      },
    ],
  },
  views: {
    ...Object.fromEntries(
      KIND_NAMES.map((kind): [string, Row[]] => {
        const callback = requestCallback(kind);
        const target = kind === 'cancel_order' ? 'A-1004' : `O-${kind}`;
        return [
          callback,
          [
            {
              holding: 'a modal that somebody has open, and an order with a request',
              play: (me, { view }) => {
                // A form is accepted once.
                const id = kind === 'cancel_order' ? view : `${view}${kind}`;
                return me.submit(callback, { values: requestValues(target, me.side.channel), view: { id } });
              },
              reads: new RegExp(`${KIND_COPY[kind].action} ${target}`),
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
              reads: /only members of that workspace/,
            },
          ],
        ];
      }),
    ),
    [CALLBACKS.withdraw]: [
      {
        holding: 'a request that awaits approval, and its requester',
        play: (me, { requests, agent }) =>
          me.submit(CALLBACKS.withdraw, {
            metadata: refOf(requests.awaiting),
            payload: { user: { id: agent } },
          }),
        reads: NOT_KNOWN,
      },
    ],
  },
};
