/** Rows of the isolation table: sub-brands. */
import { ACTIONS, CALLBACKS, COMMANDS } from '../../../../src/slack/blocks/ids.ts';
import { searchValues } from '../form-values.ts';
import type { FeatureRows, Row } from '../row.ts';

export const subBrandsRows: FeatureRows = {
  commands: {
    [COMMANDS.subBrands]: [
      {
        holding: 'a channel',
        play: (me, { channel }) => me.command(`${COMMANDS.subBrands} Home`, { channel_id: channel }),
        reads: /Acme Home/,
      },
    ],
  },
  actions: {
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
  },
  views: {
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
  },
};
