/** Each message once, with the real messenger over the local Slack: whatever is late, lost or doubled on the way. */
import { webApi } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { owed } from '../../../src/outbox/delivery.ts';
import { currentStep } from '../../../src/requests/model/record.ts';
import {
  CARD,
  cardOf,
  replyOf,
  withDelivery,
  withMessage,
} from '../../../src/requests/model/record-messages.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';
import { escaped, textMessage } from '../../../src/slack/blocks/text.ts';
import { markerOf } from '../../../src/slack/messages/messenger.ts';
import { advanceRequest } from '../../support/requests/advance-request.ts';
import {
  LOOKED_FOR,
  type MessengerHarness,
  policyOf,
  startMessengerHarness,
  withTwoCards,
} from '../../support/requests/messenger-harness.ts';
import { HELD } from '../../support/requests/records.ts';

const { users, channels } = SEED;

const posts = ({ journal }: MessengerHarness) => journal.entries({ name: 'chat.postMessage' });

const IMPATIENT = { effectTimeoutMs: 100 };

/** A request whose reply stands in the thread of its card, and a client with which the bot has posted a copy. */
async function withReply() {
  const harness = await startMessengerHarness();
  const { slack } = harness;
  await harness.play();
  const record = await harness.read();
  const reply = replyOf(record, currentStep(record));
  const { channel = '', ts: thread = '' } = cardOf(record).location ?? {};
  if (!reply) throw new Error('The step has no reply.');
  const client = new webApi.WebClient(slack.installation().token, { slackApiUrl: slack.apiUrl });
  return { harness, record, reply, channel, thread, client };
}

describe('a process that is frozen between its claim and its post', () => {
  test('does not post once its claim has expired: the one that took over has', async () => {
    const harness = await startMessengerHarness();
    // The card has reasons in it, so the channel is looked at before it is posted.
    const look = harness.slack.faults.schedule({
      on: 'conversations.info',
      fault: { type: 'hold', when: 'before' },
    });
    const frozen = harness.advance('frozen');
    await look.reached;
    harness.pass(TIMINGS.claimMs + 1);
    await harness.play(LOOKED_FOR);
    expect(harness.cards()).toHaveLength(1);
    look.release();
    await frozen;
    expect(cardPosts(harness)).toHaveLength(1);
    await harness.play();
    expect(harness.cards()).toHaveLength(1);
    expect(harness.called).toEqual(['A-1001']);
  });
});

describe('a reply whose card somebody has deleted', () => {
  test('goes to the requester alone, though the process that posted it into the channel was frozen before it removed it', async () => {
    const harness = await startMessengerHarness();
    const { slack } = harness;
    const fault = { type: 'hold', when: 'before' } as const;
    const reply = slack.faults.schedule({ on: 'chat.postMessage', skip: 1, fault });
    const removal = slack.faults.schedule({ on: 'chat.delete', fault });
    const frozen = harness.advance('frozen');
    await reply.reached;
    const card = cardOf(await harness.read());
    slack.person('olga').deleteMessage({ channel: channels.support, ts: card.location?.ts ?? '' });
    reply.release();
    await removal.reached;
    const replies = () => slack.messages('#support').filter(({ text }) => text.includes('is cancelled'));
    expect(replies()).toHaveLength(1);
    harness.pass(TIMINGS.claimMs + 1);
    await harness.play();
    removal.release();
    await frozen;
    await harness.play();
    expect(replies()).toEqual([]);
    // The card, the reply in its thread, and the direct message.
    expect(posts(harness)).toHaveLength(3);
    expect(slack.person('ana').directMessages()).toMatchObject([
      { text: expect.stringContaining('is cancelled') },
    ]);
  });
});

describe('a reply in the thread of a card that was deleted, and is to be posted anew', () => {
  test('leaves no copy in the former thread', async () => {
    const { harness, record, reply, channel, thread, client } = await withReply();
    const { slack } = harness;
    const copy = { channel, thread_ts: thread, text: 'A copy', metadata: markerOf(record, reply.key) };
    await client.chat.postMessage(copy);
    slack.person('olga').deleteMessage({ channel, ts: thread });
    const now = harness.clock();
    const place = { to: 'thread', thread } as const;
    const tidy = { ...place, since: now, until: now, tries: 0, notBefore: now };
    const owing = withDelivery(record, reply.key, (delivery) => ({ ...delivery, tidies: [tidy] }));
    const anew = withMessage(owing, CARD, ({ location: _former, ...card }) => ({
      ...card,
      delivery: owed(now),
    }));
    const result = await harness.messenger.tidy(anew, { messageKey: reply.key, ...place }, HELD);
    expect(result).toMatchObject({ type: 'tidied', kept: reply.location, removed: 1 });
    const [, ...left] = slack.thread('#support', thread);
    expect(left.map(({ ts }) => ts)).toEqual([reply.location?.ts]);
  });
});

describe('a note that went elsewhere', () => {
  test('and was deleted there is replaced by its copy', async () => {
    const harness = await startMessengerHarness({}, { policy: policyOf(), earlier: [] });
    await harness.play(1_000);
    const record = await harness.read();
    const thread = cardOf(record).location?.ts ?? '';
    const place = { to: undefined, thread };
    const tidy = { thread, since: harness.clock(), until: harness.clock(), tries: 0, notBefore: 0 };
    const gone = { channel: channels.support, ts: '1.000001' };
    const note = {
      ...({ type: 'reason', key: 'reason:1', at: harness.clock(), to: 'requester' } as const),
      delivery: { status: 'posted' as const, ...gone, tidies: [tidy] },
    };
    const { token } = harness.slack.installation();
    const client = new webApi.WebClient(token, { slackApiUrl: harness.slack.apiUrl });
    const copy = { channel: channels.support, text: 'The reason', metadata: markerOf(record, note.key) };
    const { ts } = await client.chat.postMessage({ ...copy, thread_ts: thread });
    const noted = { ...record, messages: [...record.messages, note] };
    const result = await harness.messenger.tidy(noted, { messageKey: note.key, ...place }, HELD);
    expect(result).toMatchObject({ type: 'tidied', kept: { channel: channels.support, ts }, removed: 0 });
    expect(harness.slack.thread('#support', thread).map(({ text }) => text)).toContain('The reason');
  });

  test('because its card was deleted, leaves no copy in the channel, where its first post has come instead of the thread', async () => {
    const harness = await startMessengerHarness({}, { policy: policyOf(), earlier: [] });
    const { slack } = harness;
    await harness.play(1_000);
    const record = await harness.read();
    const thread = cardOf(record).location?.ts ?? '';
    const place = { to: undefined, thread };
    const { token } = slack.installation();
    const client = new webApi.WebClient(token, { slackApiUrl: slack.apiUrl });
    const { channel: { id: channel = '' } = {} } = await client.conversations.open({ users: users.ana });
    const { ts = '' } = await client.chat.postMessage({ channel, text: 'The reason' });
    const posted = { channel, ts };
    const tidy = { thread, since: harness.clock(), until: harness.clock(), tries: 0, notBefore: 0 };
    const note = {
      ...({ type: 'reason', key: 'reason:1', at: harness.clock(), to: 'requester' } as const),
      delivery: { status: 'posted' as const, ...posted, tidies: [tidy] },
    };
    slack.person('olga').deleteMessage({ channel: channels.support, ts: thread });
    const copy = { channel: channels.support, text: 'The reason', metadata: markerOf(record, note.key) };
    await client.chat.postMessage(copy);
    const copies = () => slack.messages('#support').filter(({ text }) => text === copy.text);
    expect(copies()).toHaveLength(1);
    const noted = { ...record, messages: [...record.messages, note] };
    const result = await harness.messenger.tidy(noted, { messageKey: note.key, ...place }, HELD);
    expect(result).toMatchObject({ type: 'tidied', kept: posted, removed: 1 });
    expect(copies()).toEqual([]);
  });

  test('to the channel, stays there, and leaves no copy with the person whom it was for', async () => {
    const harness = await startMessengerHarness({}, { policy: policyOf(), earlier: [] });
    const { slack } = harness;
    await harness.play(1_000);
    const record = await harness.read();
    const { token } = slack.installation();
    const client = new webApi.WebClient(token, { slackApiUrl: slack.apiUrl });
    const message = { text: 'Is it there?', metadata: markerOf(record, 'unclear:1') };
    await client.chat.postMessage({ channel: users.ana, ...message });
    const { ts = '' } = await client.chat.postMessage({ channel: channels.support, ...message });
    const posted = { channel: channels.support, ts };
    const tidy = { since: harness.clock(), until: harness.clock(), tries: 0, notBefore: 0 };
    const note = {
      ...({ type: 'unclear', about: 'card', key: 'unclear:1', at: harness.clock(), to: 'channel' } as const),
      delivery: { status: 'posted' as const, ...posted, tidies: [tidy] },
    };
    const noted = { ...record, messages: [...record.messages, note] };
    const place = { messageKey: note.key, to: undefined, thread: undefined };
    const result = await harness.messenger.tidy(noted, place, HELD);
    expect(result).toMatchObject({ type: 'tidied', kept: posted, removed: 1 });
    expect(slack.person('ana').directMessages()).toEqual([]);
    expect(slack.messages('#support').filter(({ text }) => text === message.text)).toHaveLength(1);
  });
});

describe('a card that appears after another one was posted', () => {
  test('is removed once nothing more can appear, and the one that is known stays', async () => {
    const harness = await startMessengerHarness(IMPATIENT);
    await withTwoCards(harness);
    const card = cardOf(await harness.read());
    await harness.play();
    const [left, ...more] = harness.cards();
    expect(more).toEqual([]);
    expect(card.location?.ts).toBe(left?.ts);
    expect(left?.text).toMatch(/is cancelled/);
    expect(harness.called).toEqual(['A-1001']);
    // The log tells operators how often that happens.
    const tidied = { event: 'effect_performed', removed: 1, linked: 0 };
    expect(harness.warnings).toContainEqual(expect.objectContaining(tidied));
  });

  test('takes the place of the known one where somebody has deleted that, and shows the truth', async () => {
    const harness = await startMessengerHarness(IMPATIENT);
    harness.slack.faults.schedule({
      on: 'chat.update',
      fault: { type: 'error', code: 'fatal_error' },
      times: 99,
    });
    await withTwoCards(harness);
    const card = cardOf(await harness.read());
    const other = harness.cards().find(({ ts }) => ts !== card.location?.ts);
    harness.slack.person('olga').deleteMessage({ channel: channels.support, ts: card.location?.ts ?? '' });
    harness.slack.faults.clear();
    await harness.play();
    expect(harness.cards()).toMatchObject([{ ts: other?.ts, text: expect.stringMatching(/is cancelled/) }]);
  });

  test('becomes a link to the known one where people have used it, and its voters are told', async () => {
    const harness = await startMessengerHarness(IMPATIENT, { policy: policyOf(), earlier: [] });
    await withTwoCards(harness);
    const card = cardOf(await harness.read());
    const copy = harness.cards().find(({ ts }) => ts !== card.location?.ts);
    const cara = harness.slack.person('cara');
    cara.react('white_check_mark', { channel: channels.support, ts: copy?.ts ?? '' });
    await harness.play(TIMINGS.claimMs + TIMINGS.appearMs + 60_000);
    const [link] = harness.slack.messages('#support').filter(({ ts }) => ts === copy?.ts);
    expect(link?.text).toMatch(
      /^This message was posted twice by mistake\. Please use <https:.*\|the other one>/,
    );
    expect(JSON.stringify(link)).not.toContain('action_id');
    const notice = await cara.waitForDirectMessage();
    expect(notice.text).toMatch(
      /your reaction is on the copy that does not count\. <https:.*\|Please vote on the other one\.>/,
    );
    expect(harness.cards().map(({ ts }) => ts)).toEqual([card.location?.ts]);
  });

  test('becomes a link, though rich text alone shows what it says', async () => {
    const { harness, record, reply, channel, thread, client } = await withReply();
    const { slack } = harness;
    const { ts = '' } = await client.chat.postMessage({
      channel,
      thread_ts: thread,
      ...textMessage(escaped('Order *A* is cancelled')),
      metadata: markerOf(record, reply.key),
    });
    slack.person('ben').react('eyes', { channel, ts });
    const now = harness.clock();
    const place = { to: 'thread', thread } as const;
    const tidy = { ...place, since: now, until: now, tries: 1, notBefore: now, found: [ts] };
    const owing = withDelivery(record, reply.key, (delivery) => ({ ...delivery, tidies: [tidy] }));
    const result = await harness.messenger.tidy(owing, { messageKey: reply.key, ...place }, HELD);
    expect(result).toMatchObject({ type: 'tidied', linked: 1, left: [] });
    const copy = slack.thread('#support', thread).find((each) => each.ts === ts);
    expect(copy?.text).toMatch(/^This message was posted twice by mistake/);
  });

  test('is removed only once all are found, by an app that may read 15 messages a minute', async () => {
    const harness = await startMessengerHarness({ outsideMarketplace: true, ...IMPATIENT });
    const late = harness.slack.faults.schedule({
      on: 'chat.postMessage',
      fault: { type: 'hold', when: 'late' },
    });
    await harness.play(LOOKED_FOR);
    harness.chatter(40);
    late.release();
    await expect.poll(() => harness.cards().length).toBe(2);
    const card = cardOf(await harness.read());
    for (let minutes = 0; minutes < 30; minutes++) {
      await harness.play(60_000);
      harness.pass(60_000);
    }
    expect(harness.cards().map(({ ts }) => ts)).toEqual([card.location?.ts]);
  });

  test('is looked for again where Slack is away, until it is found', async () => {
    const harness = await startMessengerHarness(IMPATIENT);
    await withTwoCards(harness);
    harness.slack.faults.schedule({
      on: 'conversations.history',
      fault: { type: 'status', status: 503 },
      times: 3,
    });
    harness.slack.faults.schedule({
      on: 'chat.delete',
      fault: { type: 'error', code: 'ratelimited' },
      times: 2,
    });
    await harness.play();
    expect(harness.cards()).toHaveLength(1);
  });
});

describe('a process that is frozen for so long that others have posted and tidied', () => {
  /**
   * Freezes a process while its post is under way, until others have posted and tidied.
   *
   * @returns `release`: lets its post through. `thaw`: lets the process go on, whatever its post has come to
   */
  async function frozenFor(harness: MessengerHarness) {
    const held = { on: 'chat.postMessage', fault: { type: 'hold', when: 'late' } } as const;
    const late = harness.slack.faults.schedule(held);
    const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>();
    let isFrozen = false;
    const store: RequestStore = {
      ...harness.store,
      async get(ref) {
        if (isFrozen) await thawed;
        return harness.store.get(ref);
      },
    };
    const ended = advanceRequest(harness.deps('frozen', { store }), harness.record);
    await late.reached;
    isFrozen = true;
    harness.pass(TIMINGS.claimMs + 1);
    await harness.play(10 * 60_000);
    harness.pass(8 * 60_000);
    await harness.play();
    return { release: late.release, thaw, ended };
  }

  test('leaves no second card where its own came through and nobody told it so', async () => {
    const harness = await startMessengerHarness({ effectTimeoutMs: 400 });
    const { release, thaw, ended } = await frozenFor(harness);
    thaw();
    await ended;
    release();
    await expect.poll(() => harness.cards().length).toBe(2);
    await harness.play();
    expect(harness.cards()).toHaveLength(1);
  });

  test('leaves no second card where it could not remove its own', async () => {
    const harness = await startMessengerHarness({ effectTimeoutMs: 20_000 });
    const { release, thaw, ended } = await frozenFor(harness);
    harness.slack.faults.schedule({ on: 'chat.delete', fault: { type: 'status', status: 503 } });
    release();
    thaw();
    await ended;
    expect(harness.cards()).toHaveLength(2);
    await harness.play();
    expect(harness.cards()).toHaveLength(1);
  });
});

/** The posts of the card: a direct message about it begins otherwise. */
const cardPosts = (harness: MessengerHarness) =>
  posts(harness).filter(({ request }) => JSON.stringify(request).includes('"Cancel order'));

describe('a card whose post got no answer', () => {
  const UNANSWERED = { on: 'chat.postMessage', fault: { type: 'unanswered' } } as const;

  test.each([[[1]], [[0, 3]], [[7, 0, 1]]])(
    'is found on whatever page it is, with pages of %j',
    async (shortPages) => {
      const harness = await startMessengerHarness({ shortPages });
      harness.slack.faults.schedule(UNANSWERED);
      await harness.advance();
      harness.chatter(25);
      await harness.play();
      expect(harness.cards()).toHaveLength(1);
      expect(cardPosts(harness)).toHaveLength(1);
      expect(harness.called).toEqual(['A-1001']);
    },
  );

  test.each([
    ['six minutes ahead of', -6],
    ['six minutes behind', 6],
    ['an hour ahead of', -60],
  ])('is found where the clock of the storage is %s Slack’s', async (_name, minutes) => {
    const harness = await startMessengerHarness({ slackAheadMs: minutes * 60_000 });
    harness.slack.faults.schedule(UNANSWERED);
    await harness.advance();
    await harness.play();
    expect(harness.cards()).toHaveLength(1);
    expect(cardPosts(harness)).toHaveLength(1);
    expect(harness.called).toEqual(['A-1001']);
  });

  test('is found by an app that may read 15 messages a minute, in a channel that goes on', async () => {
    const harness = await startMessengerHarness({ outsideMarketplace: true });
    harness.slack.faults.schedule(UNANSWERED);
    await harness.advance();
    harness.chatter(70);
    for (let minutes = 0; minutes < 9 && harness.called.length === 0; minutes++) {
      await harness.play(60_000);
      harness.pass(60_000);
      harness.chatter(30);
    }
    expect(harness.called).toEqual(['A-1001']);
    expect(harness.cards()).toHaveLength(1);
    expect(cardPosts(harness)).toHaveLength(1);
  });

  test('is told to the requester as unclear after ten minutes, and found in the end', async () => {
    const harness = await startMessengerHarness();
    harness.slack.faults.schedule(UNANSWERED);
    await harness.advance();
    const away = harness.slack.faults.schedule({
      on: 'conversations.history',
      fault: { type: 'status', status: 503 },
      times: 1_000,
    });
    await harness.play(TIMINGS.unclearMs + 60_000);
    const notice = await harness.slack.person('ana').waitForDirectMessage();
    expect(notice.text).toMatch(
      /Slack has not confirmed yet whether the card of your request .* was posted in/,
    );
    expect(notice.text).toMatch(/Nothing is sent to the order service until that is clear/);
    expect(harness.called).toEqual([]);
    away.cancel();
    await harness.play(120_000);
    expect(harness.called).toEqual(['A-1001']);
    expect(harness.cards()).toHaveLength(1);
  });
});

describe('a reply that can stand neither in the thread nor in a direct message', () => {
  test('stands in the channel, for the requester to read', async () => {
    const harness = await startMessengerHarness();
    harness.slack.faults.schedule({ on: 'chat.update', fault: { type: 'hold', when: 'before' } });
    const refused = (where: (channel: string) => boolean, code: string) =>
      harness.slack.faults.schedule({
        on: 'chat.postMessage',
        where: (request) => {
          const { channel, thread_ts } = request as { channel: string; thread_ts?: string };
          return where(thread_ts ? 'thread' : channel);
        },
        fault: { type: 'error', code },
        times: 9,
      });
    refused((place) => place === 'thread', 'restricted_action_thread_locked');
    refused((channel) => channel.startsWith('D'), 'messages_tab_disabled');
    harness.slack.faults.list()[0]?.cancel();
    await harness.play();
    const [notice] = harness.slack
      .messages('#support')
      .filter(({ text }) => text.startsWith(`<@${users.ana}>`));
    expect(notice?.text).toBe(
      `<@${users.ana}>: *Cancel order A-1001*: Order A-1001 is cancelled: the order service confirmed it at once.`,
    );
    const record = await harness.read();
    expect(replyOf(record, currentStep(record))).toMatchObject({
      to: 'channel',
      delivery: { status: 'posted' },
    });
  });
});

test('a rate limit on one method delays nothing else: neither the call nor what goes to another channel', async () => {
  const harness = await startMessengerHarness();
  harness.slack.faults.schedule({
    on: 'chat.update',
    fault: { type: 'rate_limit', retryAfterSeconds: 600 },
    times: 9,
  });
  await harness.play(TIMINGS.apartMs);
  const ms = await advanceRequest(harness.deps('a process'), harness.record);
  expect(harness.called).toEqual(['A-1001']);
  const [, ...replies] = harness.slack.thread('#support', harness.cards()[0]?.ts ?? '');
  expect(replies.map(({ text }) => text)).toEqual([expect.stringMatching(/A-1001 is cancelled/)]);
  expect(ms).toBeGreaterThan(300_000);
});
