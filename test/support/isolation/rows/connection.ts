/** Rows of the isolation table: connecting and disconnecting. */
import { ACTIONS, CALLBACKS } from '../../../../src/slack/blocks/ids.ts';
import type { Caller } from '../caller.ts';
import { connectValues } from '../form-values.ts';
import { type FeatureRows, messageWithButtons } from '../row.ts';

/** The forms of the caller's own workspace, as the bot would have shown them there. */
const connectionShown = async ({ side }: Caller) => JSON.stringify({ shown: await side.generation() });

export const connectionRows: FeatureRows = {
  actions: {
    [ACTIONS.connect]: [
      {
        holding: 'a message',
        play: (me, { requests }) => me.press(ACTIONS.connect, { on: messageWithButtons(requests.reviewed) }),
        reads: /"token"/,
        works: 'nobody',
      },
    ],
    [ACTIONS.tryToken]: [
      {
        holding: 'the form that an admin has open',
        play: (me, { view }) =>
          me.press(ACTIONS.tryToken, {
            view: { id: view, root_view_id: view, callback_id: CALLBACKS.connect, hash: undefined },
          }),
        reads: /This workspace has no refused token/,
        works: 'nobody',
      },
    ],
  },
  views: {
    [CALLBACKS.connect]: [
      {
        holding: 'a modal that somebody has open',
        play: async (me, { view }) =>
          me.submit(CALLBACKS.connect, {
            metadata: await connectionShown(me),
            values: connectValues(me.side.token),
            view: { id: view },
          }),
        reads: /is connected/,
      },
    ],
    // The last row, because it disconnects the caller's own workspace.
    [CALLBACKS.disconnect]: [
      {
        holding: 'a modal that an admin has open',
        play: async (me, { view }) =>
          me.submit(CALLBACKS.disconnect, { metadata: await connectionShown(me), view: { id: view } }),
        reads: /isconnected/,
      },
    ],
  },
};
