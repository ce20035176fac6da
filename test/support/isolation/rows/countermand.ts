/** Rows of the isolation table: /countermand and the history. */
import { refOf } from '../../../../src/slack/blocks/forms.ts';
import { ACTIONS, CALLBACKS, COMMANDS } from '../../../../src/slack/blocks/ids.ts';
import { historyValues } from '../form-values.ts';
import { type FeatureRows, NOT_KNOWN, type Row } from '../row.ts';

/** Chooses from the menu of a request of the attacked workspace. */
const chosen = (
  choice: string,
  which: 'awaiting' | 'declined' | 'failed' | 'unknown',
  works: Row['works'] = 'admin',
): Row => ({
  holding: `a request that is ${which}, for the entry ${choice} of its menu`,
  play: (me, { requests }) =>
    me.press(ACTIONS.historyMenu, { option: `${choice} ${refOf(requests[which])}` }),
  reads: NOT_KNOWN,
  works,
});

export const countermandRows: FeatureRows = {
  commands: {
    [COMMANDS.countermand]: [
      {
        holding: 'the id of a request, for its status',
        play: (me, { requests }) => me.command(`${COMMANDS.countermand} status ${requests.declined.id}`),
        reads: /No request in this workspace has the id/,
      },
      {
        holding: 'the id of an order, for its status',
        play: (me, { requests }) => me.command(`${COMMANDS.countermand} status ${requests.reviewed.target}`),
        reads: /No request in this workspace has the id/,
      },
      ...(['history', 'settings', 'connect', 'disconnect'] as const).map(
        (word): Row => ({
          holding: `a channel, for its ${word}`,
          play: (me, { channel }) => me.command(`${COMMANDS.countermand} ${word}`, { channel_id: channel }),
          reads: {
            history: /history_group/,
            settings: /Acme reason/,
            connect: /"token"/,
            disconnect: /isconnect/,
          }[word],
          ...(word === 'connect' || word === 'disconnect' ? { works: 'nobody' } : {}),
        }),
      ),
    ],
  },
  views: {
    [CALLBACKS.history]: [
      {
        holding: 'the id of a request that is looked for',
        play: (me, { requests: { declined } }) =>
          me.submit(CALLBACKS.history, { values: historyValues(null, declined.id) }),
        reads: /No request in this workspace has the id/,
      },
    ],
  },
  actions: {
    [ACTIONS.historyMenu]: [
      chosen('details', 'declined'),
      chosen('record', 'unknown', 'nobody'),
      chosen('withdraw', 'awaiting', 'nobody'),
      chosen('retry', 'failed', 'nobody'),
      chosen('request_again', 'declined'),
    ],
    ...Object.fromEntries(
      [
        ACTIONS.historyGroup,
        ACTIONS.historyDay,
        ACTIONS.historyDate,
        ACTIONS.historyPerson,
        ACTIONS.historyNewest,
        ACTIONS.historyOlder,
        ACTIONS.historyClear,
      ].map((action): [string, Row[]] => [
        action,
        [
          {
            holding: 'a requester, and the start of a page',
            play: (me, { agent, requests: { declined } }) => {
              const place = { at: declined.createdAt + 1, id: declined.id };
              const chosen = { id: '', group: 'all', day: 'any', before: place, round: 0 };
              const metadata = JSON.stringify({ chosen, next: place });
              return me.press(action, { metadata, values: historyValues(agent) });
            },
            reads: /history_group/,
          },
          {
            holding: 'the modal that somebody looks at',
            play: (me, { view }) =>
              me.press(action, { values: historyValues(null), view: { id: view, hash: undefined } }),
            reads: /^200/,
          },
        ],
      ]),
    ),
  },
};
