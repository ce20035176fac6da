/** Rows of the isolation table: everybody's own page. */
import { KIND_NAMES } from '../../../../src/requests/model/kinds.ts';
import { ACTIONS, newRequestAction } from '../../../../src/slack/blocks/ids.ts';
import { event, type FeatureRows, type Row } from '../row.ts';

const PAGE = /YOUR REQUESTS|Your requests/;

/** Turns the page of the caller, with places in the lists of the attacked workspace. */
const turning = (action: string): Row => ({
  holding: 'the places of requests',
  play: (me, { requests: { declined } }) => {
    const place = { at: declined.createdAt + 1, id: declined.id };
    const own = { group: 'ended', before: place };
    const metadata = JSON.stringify({ filter: {}, own, waiting: { at: 0, id: '' } });
    const value = JSON.stringify(action === ACTIONS.homeOwnNext ? own : place);
    return me.press(action, { metadata, value });
  },
  reads: PAGE,
  works: 'agent',
});

export const homeRows: FeatureRows = {
  events: {
    app_home_opened: [
      event('a person whose page it is', ({ agent, channel }) => ({
        type: 'app_home_opened',
        user: agent,
        channel,
        tab: 'home',
        event_ts: '1700000000.000100',
      })),
    ],
  },
  actions: {
    ...Object.fromEntries(
      [
        ACTIONS.homeRefresh,
        ACTIONS.homeGroup,
        ACTIONS.homeKind,
        ACTIONS.homeOwnNext,
        ACTIONS.homeOwnFirst,
        ACTIONS.homeWaitingNext,
        ACTIONS.homeWaitingFirst,
      ].map((action) => [action, [turning(action)]]),
    ),
    ...Object.fromEntries(
      KIND_NAMES.map((kind): [string, Row[]] => [
        newRequestAction(kind),
        [
          {
            holding: 'nothing: it opens an empty form',
            play: (me) => me.press(newRequestAction(kind), {}),
            reads: /"target"/,
            works: 'nobody',
          },
        ],
      ]),
    ),
  },
};
