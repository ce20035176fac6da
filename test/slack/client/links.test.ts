/** Links to the messages of a request: they lead to the card in its thread, and are left out if Slack tells no address. */
import { expect, test } from 'vitest';
import { SILENT } from '../../../src/outbox/ports.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { approvalMessageOf } from '../../../src/requests/model/record-messages.ts';
import { createLinks, linkingOf } from '../../../src/slack/client/links.ts';
import { SHOWN_APART, waitingRecord } from '../../support/requests/approval-policy.ts';
import { queued } from '../../support/requests/records.ts';

const ORIGIN = 'https://t1.slack.com';

/** The messages of a request are posted. */
const posted = (record: RequestRecord): RequestRecord => ({
  ...record,
  messages: record.messages.map((each) => ({
    ...each,
    delivery: { status: 'posted', channel: 'C1', ts: '2.000002' },
  })),
});

/** @param origin that Slack tells of the workspace; an error: it tells nothing */
function depsWith(origin: string | undefined | Error) {
  const about = async () => {
    if (origin instanceof Error) throw origin;
    return { origin, missingScopes: [] };
  };
  return { directory: { about }, settings: async () => ({}), log: SILENT };
}

test.each([
  ['in its channel', {}, `${ORIGIN}/archives/C1/p2000002`],
  [
    'in the thread of the customer',
    { thread: '1.000001' },
    `${ORIGIN}/archives/C1/p2000002?thread_ts=1.000001&cid=C1`,
  ],
])('a link leads to the card %s, in a list and alone', async (_where, more, address) => {
  const record = posted(queued(more));
  expect(await createLinks(depsWith(ORIGIN)).toCard(record)).toBe(address);
  expect((await linkingOf(depsWith(ORIGIN), 'T1')).linkTo(record)).toBe(address);
});

test('the message that approvers vote on is in no thread, though the card is', async () => {
  const record = posted({ ...waitingRecord(SHOWN_APART), thread: '1.000001' });
  const message = approvalMessageOf(record);
  if (!message) throw new Error('There is no message to vote on.');
  const link = await createLinks(depsWith(ORIGIN)).toMessage(record, message);
  expect(link).toBe(`${ORIGIN}/archives/C1/p2000002`);
});

test.each([
  ['the card is not posted', queued(), ORIGIN],
  ['Slack tells no address', posted(queued()), undefined],
  ['Slack cannot be asked', posted(queued()), new Error('Slack is away')],
])('there is no link if %s', async (_why, record, origin) => {
  expect(await createLinks(depsWith(origin)).toCard(record)).toBeUndefined();
});
