/** Messages about a request show no more than the readers of their own channel may see, whatever Slack says of that channel. */
import { webApi } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { LINK } from '../../../src/catalogue/examples.ts';
import { SILENT } from '../../../src/outbox/ports.ts';
import type { Policy } from '../../../src/requests/model/policy.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { withNote } from '../../../src/requests/model/record-notes.ts';
import type { Channel } from '../../../src/requests/ports/ports.ts';
import type { SlackClients } from '../../../src/slack/client/clients.ts';
import type { SlackDirectory } from '../../../src/slack/directory/directory.ts';
import { createMessenger } from '../../../src/slack/messages/messenger.ts';
import { POLICY, SHOWN_APART, waitingRecord } from '../../support/requests/approval-policy.ts';
import { directoryOf } from '../../support/requests/directory.ts';
import {
  answered,
  carded,
  HELD,
  queued,
  REQUEST,
  said,
  T0,
  withCard,
  withRepliesTo,
} from '../../support/requests/records.ts';

const OPEN: Channel = { id: 'C1', isPrivate: true, isShared: false, isArchived: false, isMember: true };
const SHARED: Channel = { ...OPEN, isShared: true };
const APPROVALS = SHOWN_APART.channel ?? '';

/** @param channels as Slack shows them, by id @param refusal the code with which Slack refuses each post */
function messengerIn(channels: Record<string, Channel | undefined>, refusal?: string) {
  const sent: object[] = [];
  const send = async (message: { channel: string; thread_ts?: string }) => {
    if (refusal !== undefined) throw new webApi.WebAPIPlatformError({ ok: false, error: refusal });
    sent.push(message);
    return { channel: message.channel, ts: '2.000002', message: { thread_ts: message.thread_ts } };
  };
  const conversations = { open: async () => ({ channel: { id: 'D1' } }) };
  const client = { chat: { postMessage: send, update: send }, conversations } as unknown as webApi.WebClient;
  const clients: Pick<SlackClients, 'forEffect'> = { forEffect: (_effect, act) => act(client) };
  const looked: string[] = [];
  const channelNow = async (_workspace: string, id: string) => {
    looked.push(id);
    return channels[id];
  };
  const directory = { ...directoryOf(), channel: channelNow, channelNow };
  const messenger = createMessenger({
    clients: clients as SlackClients,
    log: SILENT,
    settings: async () => ({}),
    links: {
      toMessage: async (_record, { location }) => location && `${LINK}/${location.channel}/${location.ts}`,
    },
    directory: { ...directory, readNow: () => directory } as Partial<SlackDirectory> as SlackDirectory,
  });
  return { messenger, looked, sent: () => JSON.stringify(sent) };
}

test.each<[string, Channel | undefined, boolean]>([
  ['shows its reason in a channel that is not shared', OPEN, true],
  ['hides its reason in a channel that was shared meanwhile', SHARED, false],
  ['hides its reason in a channel that cannot be seen', undefined, false],
])('a card %s', async (_how, channel, shows) => {
  const { messenger, sent } = messengerIn({ [REQUEST.channel]: channel });
  // The record learns what was seen, for all later messages.
  const seen = channel?.isShared ? { inSharedChannel: true } : {};
  const at = { channel: REQUEST.channel, ts: '2.000002' };
  expect(await messenger.post(queued(), 'card', HELD)).toEqual({ type: 'posted', ...at, ...seen });
  expect(await messenger.update(carded(), 'card', HELD)).toEqual({ type: 'posted', ...seen });
  expect(sent().includes(REQUEST.reason)).toBe(shows);
  // Slack would fetch what somebody typed, and show it.
  expect(sent()).toContain('"unfurl_links":false,"unfurl_media":false');
});

describe('the channel of a message is looked at only if another company would read something else', () => {
  const REFUSED = answered({ type: 'refused', httpStatus: 409, message: 'It shipped', details: [] });
  const ENDED = withCard(REFUSED, { location: { channel: REQUEST.channel, ts: '1.000002' } });
  const ACCEPTED = withCard(answered(said('pending')), {
    location: { channel: REQUEST.channel, ts: '1.000002' },
  });

  test.each<[string, RequestRecord, 'card' | 'reply', number]>([
    ['a card', ENDED, 'card', 1],
    ['a card in a channel that is known to be shared', { ...ENDED, inSharedChannel: true }, 'card', 0],
    ['a reply that quotes the order service', withRepliesTo(ENDED, 'thread'), 'reply', 1],
    ['a direct message that quotes it', withRepliesTo(ENDED, 'requester'), 'reply', 0],
    ['a reply that quotes nothing', withRepliesTo(ACCEPTED, 'thread'), 'reply', 0],
  ])('%s', async (_what, record, type, looks) => {
    const { messenger, looked } = messengerIn({ [REQUEST.channel]: OPEN });
    const key = record.messages.findLast((each) => each.type === type)?.key ?? '';
    expect(await messenger.post(record, key, HELD)).toMatchObject({ type: 'posted' });
    expect(looked).toHaveLength(looks);
  });
});

describe('an approval message', () => {
  const record = waitingRecord(SHOWN_APART);
  const location = { channel: APPROVALS, ts: '1.000001' };
  const messages = record.messages.map((each) => (each.type === 'approval' ? { ...each, location } : each));
  const posted = { ...record, messages } as RequestRecord;

  test.each([
    ['hides', 'the approvals channel was shared', OPEN, SHARED, false],
    ['shows', 'only the channel of the request was shared', SHARED, OPEN, true],
  ])('%s its reason if %s', async (_does, _why, ofRequest, ofApprovals, shows) => {
    const { messenger, sent } = messengerIn({ [REQUEST.channel]: ofRequest, [APPROVALS]: ofApprovals });
    expect(await messenger.update(posted, 'approval:1', HELD)).toMatchObject({ type: 'posted' });
    expect(sent().includes(REQUEST.reason)).toBe(shows);
  });

  test.each([
    ['is_archived', 'channel_archived'],
    ['is_inactive', 'channel_archived'],
    ['channel_not_found', 'channel_not_visible'],
  ])(
    'that Slack refuses with %s says what is wrong with the approvals channel: %s',
    async (refusal, code) => {
      const { messenger } = messengerIn({ [APPROVALS]: OPEN }, refusal);
      expect(await messenger.post(record, 'approval:1', HELD)).toEqual({ type: 'refused', code });
    },
  );

  test('is not posted in an approvals channel that was shared since it was chosen', async () => {
    const { messenger, sent } = messengerIn({ [REQUEST.channel]: OPEN, [APPROVALS]: SHARED });
    expect(await messenger.post(record, 'approval:1', HELD)).toEqual({
      type: 'refused',
      code: 'channel_shared',
    });
    expect(sent()).toBe('[]');
  });
});

describe('a message links', () => {
  const CARD = { channel: REQUEST.channel, ts: '1.000002' };
  const APART = { channel: APPROVALS, ts: '1.000003' };
  const at = (location: typeof CARD) => `${LINK}/${location.channel}/${location.ts}`;
  const again = { type: 'approval_requested_again' } as const;

  /** @param policy where approvers decide @returns the request, whose messages are all posted */
  function postedUnder(policy: Policy): RequestRecord {
    const record = withNote(withNote(waitingRecord(policy), { type: 'reminder' }, T0), again, T0);
    const places = { card: CARD, approval: APART } as const;
    const messages = record.messages.map((each) =>
      each.type === 'card' || each.type === 'approval' ? { ...each, location: places[each.type] } : each,
    );
    return { ...record, messages } as RequestRecord;
  }

  test.each([
    ['an approval message: to the card', SHOWN_APART, 'approval', CARD],
    ['a reminder: to the approval message', SHOWN_APART, 'reminder', APART],
    ['a reminder: to the card, if approvers decide there', POLICY, 'reminder', CARD],
    ['a new request for approval: to the approval message', SHOWN_APART, again.type, APART],
  ])('%s', async (_what, policy, type, location) => {
    const { messenger, sent } = messengerIn({ [REQUEST.channel]: OPEN, [APPROVALS]: OPEN });
    const record = postedUnder(policy);
    const key = record.messages.find((each) => each.type === type)?.key ?? '';
    expect(await messenger.post(record, key, HELD)).toMatchObject({ type: 'posted' });
    expect(sent()).toContain(at(location));
    expect(sent().includes(at(location === CARD ? APART : CARD))).toBe(false);
  });
});
