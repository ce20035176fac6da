/** Rows of the isolation table: connecting and disconnecting. */
import { ACTIONS, CALLBACKS } from '../../../../src/slack/blocks/ids.ts';
import { connectValues } from '../form-values.ts';
import { type FeatureRows, messageOf, NO_CHANNEL } from '../row.ts';

export const connectionRows: FeatureRows = {
  actions: {
    [ACTIONS.connect]: [
      {
        holding: 'a message',
        play: (me, { requests }) => me.press(ACTIONS.connect, { on: messageOf(requests.reviewed) }),
        reads: /"token"/,
      },
    ],
  },
  views: {
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
    // The last row, because it disconnects the caller's own workspace.
    [CALLBACKS.disconnect]: [
      {
        holding: 'a modal that an admin has open',
        play: (me, { view }) => me.submit(CALLBACKS.disconnect, { view: { id: view } }),
        reads: /isconnected/,
      },
    ],
  },
};
