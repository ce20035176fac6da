import { expect, test } from 'vitest';
import { newAdminsNotice } from '../../../src/requests/model/notices/notice.ts';
import { noticeMessage } from '../../../src/slack/messages/content/notice.ts';
import { T0 } from '../../support/requests/records.ts';

test.each([
  [1, 'has made 1 request within an hour', 'so I refuse more until it is an hour old.'],
  [3, 'has made 3 requests within an hour', 'so I refuse more until some of these are an hour old.'],
])('admins are told who has met a limit of %i', (limit, begins, ends) => {
  const met = {
    type: 'limit_met' as const,
    workspace: 'T1',
    person: 'U1',
    made: limit,
    limit,
    since: T0,
    connectedBy: 'UOLGA',
  };
  const { text } = noticeMessage(newAdminsNotice(met, T0));
  expect(text).toContain(begins);
  expect(text).toContain(ends);
});
