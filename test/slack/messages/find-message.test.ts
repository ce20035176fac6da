import type { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import { SILENT } from '../../../src/outbox/ports.ts';
import type { SlackClients } from '../../../src/slack/client/clients.ts';
import type { OutgoingMessage } from '../../../src/slack/messages/deliver.ts';
import { findMessage, findMessages } from '../../../src/slack/messages/find-message.ts';
import { HELD, T0 } from '../../support/requests/records.ts';

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

const MINUTE = 60_000;

/** The times between which a process that has just started searches, as timestamps. @param slackAt Slack's clock, if it is told */
async function searchedAfterStart(slackAt: number | undefined) {
  let slackNow: number | undefined;
  const asked: object[] = [];
  const client = {
    auth: {
      test: async () => {
        slackNow = slackAt;
      },
    },
    conversations: {
      history: async (options: object) => {
        asked.push(options);
        return { messages: [] };
      },
    },
  } as unknown as webApi.WebClient;
  const clients: Pick<SlackClients, 'forEffect' | 'installation' | 'slackNow'> = {
    forEffect: (_effect, act) => act(client),
    installation: async () => ({ workspace: 'T1', botToken: 'xoxb-1', botUserId: 'UBOT' }),
    slackNow: () => slackNow,
  };
  const outgoing: OutgoingMessage = {
    workspace: 'T1',
    id: 'r',
    about: {},
    to: undefined,
    marker: metadata,
    delivery: { status: 'doubtful', tries: 1, notBefore: T0, since: T0, until: T0 },
    claimedAt: T0 + MINUTE,
    location: undefined,
    placeOf: () => ({ channel: 'C1' }),
    render: () => Promise.reject(new Error('Nothing is to be shown.')),
  };
  const found = await findMessage({ clients: clients as SlackClients, log: SILENT }, outgoing, HELD);
  expect(found).toEqual({ type: 'absent' });
  return asked;
}

const between = (from: number, to: number) => [
  expect.objectContaining({ oldest: (from / 1_000).toFixed(6), latest: (to / 1_000).toFixed(6) }),
];

test('a process that has just started asks for Slack’s time, by which it searches, too: the store’s clock may have been set since', async () => {
  const slackAt = T0 + MINUTE - 20 * MINUTE;
  expect(await searchedAfterStart(slackAt)).toEqual(between(T0 - 25 * MINUTE, T0 + 5 * MINUTE));
  expect(await searchedAfterStart(T0 + 21 * MINUTE)).toEqual(between(T0 - 5 * MINUTE, T0 + 25 * MINUTE));
});

test('a search goes by the clock of the storage if Slack does not tell its time', async () => {
  expect(await searchedAfterStart(undefined)).toEqual(between(T0 - 5 * MINUTE, T0 + 5 * MINUTE));
});
