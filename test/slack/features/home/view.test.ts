/** What the Home tab says of requests that wait for its reader's decision. */
import { expect, test } from 'vitest';
import { FIRST_PAGE, homeView } from '../../../../src/slack/features/home/view.ts';
import { T0 } from '../../../support/requests/records.ts';

const shown = (leftOut: boolean) =>
  JSON.stringify(
    homeView(
      {
        type: 'page',
        at: T0,
        own: { records: [], next: undefined },
        waiting: { records: [], approved: [], next: undefined, leftOut },
        admin: undefined,
      },
      { linkTo: () => undefined, shown: FIRST_PAGE },
    ),
  );

test('the page says that nothing waits only if all approvers could be looked up', () => {
  const nothing = 'No request waits for your decision.';
  expect(shown(false)).toContain(nothing);
  expect(shown(true)).not.toContain(nothing);
  expect(shown(true)).toMatch(/I found no request that waits for you\..*may be missing here/);
});
