import type { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import { findMessages } from '../../../src/slack/messages/find-message.ts';
import { T0 } from '../../support/requests/records.ts';

const metadata = { event_type: 'countermand_step', event_payload: { request: 'r', key: 'card' } };
const search = { place: { channel: 'C1' }, botUserId: 'UBOT', metadata, since: T0, until: T0 };

/** A channel of nine pages, each with one message. */
function longChannel() {
  const asked: (string | undefined)[] = [];
  const history = async ({ cursor }: { cursor?: string }) => {
    asked.push(cursor);
    return {
      messages: [{ ts: `${10 - asked.length}.0` }],
      response_metadata: { next_cursor: asked.length < 9 ? `${asked.length}` : '' },
    };
  };
  return { asked, client: { conversations: { history } } as unknown as webApi.WebClient };
}

const OURS = { ts: '9.0', user: 'UBOT', metadata };
const OTHER_STEP = { ...metadata, event_payload: { request: 'r', key: 'reply:1' } };
const REDACTED = { ts: '8.0', subtype: 'ekm_access_denied', user: 'UREVOKEDU' };

test.each([
  ['a message tells nothing where admins have redacted some', [REDACTED], true, 'refused'],
  ['a message finds it beside those', [OURS, REDACTED], true, 'complete'],
  ['a message takes none of another author for it', [{ ...OURS, user: 'UOTHER' }], true, 'complete'],
  [
    'a message takes none about another step of the request for it',
    [{ ...OURS, metadata: OTHER_STEP }],
    true,
    'complete',
  ],
  ['all copies does not know which there are', [OURS, REDACTED], false, 'refused'],
])('a search for %s', async (_name, messages, isOneEnough, type) => {
  const client = { conversations: { history: async () => ({ messages }) } } as unknown as webApi.WebClient;
  const searched = await findMessages(client, search, { isOneEnough, inTime: () => true });
  expect(searched).toMatchObject({ type, found: messages.includes(OURS) ? ['9.0'] : [] });
});

test('a search stops once its claim has expired, and tells how far it came', async () => {
  const { asked, client } = longChannel();
  const searched = await findMessages(client, search, { inTime: () => asked.length < 3 });
  expect(searched).toEqual({ type: 'searching', found: [], bound: '7.0', retryAfterMs: 0 });
  expect(asked).toEqual([undefined, '1', '2']);
});

test('a search whose claim has expired already reads one page, so that it gets on', async () => {
  const { asked, client } = longChannel();
  expect(await findMessages(client, search, { inTime: () => false })).toMatchObject({ bound: '9.0' });
  expect(asked).toHaveLength(1);
});
