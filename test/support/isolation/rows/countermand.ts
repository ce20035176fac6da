/** Rows of the isolation table: /countermand and the history. */
import { ACTIONS, COMMANDS } from '../../../../src/slack/blocks/ids.ts';
import { historyValues } from '../form-values.ts';
import type { FeatureRows, Row } from '../row.ts';

export const countermandRows: FeatureRows = {
  commands: {
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
          ...(word === 'connect' || word === 'disconnect' ? { works: 'nobody' } : {}),
        }),
      ),
    ],
  },
  actions: {
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
            holding: 'a requester, and the start of a page',
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
  },
};
