/** Rows of the isolation table: what is written to the bot, and the button of its answer. */
import { ACTIONS } from '../../../../src/slack/blocks/ids.ts';
import { event, type FeatureRows } from '../row.ts';

const TS = '1700000000.000200';

export const mentionRows: FeatureRows = {
  events: {
    app_mention: [
      event(
        'a channel in which the bot is mentioned',
        ({ channel }, { user }) => ({
          type: 'app_mention',
          user,
          channel,
          ts: TS,
          text: 'cancel A-1004',
          event_ts: TS,
        }),
        'nobody',
      ),
    ],
    message: [
      event(
        'a channel that is called a direct message',
        ({ channel }, { user }) => ({
          type: 'message',
          channel_type: 'im',
          user,
          channel,
          ts: TS,
          text: 'cancel A-1004',
          event_ts: TS,
        }),
        'nobody',
      ),
    ],
  },
  actions: {
    [ACTIONS.openRequest]: [
      {
        holding: 'a channel and a message in it',
        play: (me, { channel }) =>
          me.press(ACTIONS.openRequest, {
            value: JSON.stringify({
              kind: 'cancel_order',
              target: 'A-1004',
              place: { channel, ts: TS, thread: TS },
            }),
          }),
        reads: /Your request will link to the message/,
        works: 'nobody',
      },
    ],
  },
};
