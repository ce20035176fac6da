/** Posts each message once, or falls back, if Slack refuses a search, a removal or a post. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { newUpkeep } from '../../../src/outbox/message.ts';
import { decided } from '../../../src/requests/model/acts.ts';
import { applyEvent } from '../../../src/requests/model/events.ts';
import { hasEnded } from '../../../src/requests/model/pending-effects.ts';
import { currentStep, type RequestRecord } from '../../../src/requests/model/record.ts';
import { cardOf, notesOf, replyOf, withMessage } from '../../../src/requests/model/record-messages.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import {
  LOOKED_FOR,
  type MessengerHarness,
  policyOf,
  startMessengerHarness,
  withTwoCards,
} from '../../support/requests/messenger-harness.ts';
import { answered, event, HELD, replied, T0, withCard } from '../../support/requests/records.ts';

const { team, users, channels } = SEED;
const UNANSWERED = { on: 'chat.postMessage', fault: { type: 'unanswered' } } as const;
const APPROVALS = 'C0APPROVALS';

const botOf = ({ slack }: MessengerHarness) => slack.installation().bot_user_id;
const direct = ({ slack }: MessengerHarness, who = 'ana') =>
  slack
    .person(who)
    .directMessages()
    .map(({ text }) => text);
const inThread = ({ slack, cards }: MessengerHarness) =>
  slack.thread('#support', cards()[0]?.ts ?? '').slice(1);
/** Suspends access to a message in the channel, as admins do. @returns a function that restores it */
function redact({ slack }: MessengerHarness, ts = ''): () => void {
  const message = slack.world.channels.get(channels.support)?.messages.get(ts) ?? {};
  Object.assign(message, { is_redacted: true });
  return () => Object.assign(message, { is_redacted: false });
}
const away = ({ slack }: MessengerHarness, channel: string, bot: string) => {
  slack.admin.kick(channel, bot);
  return { back: () => slack.admin.invite(channel, bot) };
};

describe('a message in doubt for which Slack refuses the search', () => {
  test.each([
    ['the bot is away from a public channel, which it joins again', 'not_in_channel'],
    ['the second page cannot be had', 'invalid_cursor'],
    ['Slack says a word that nobody has heard before', 'something_new'],
  ])('is not taken for one that was not posted: %s', async (_why, code) => {
    const harness = await startMessengerHarness({ shortPages: [3] });
    harness.slack.faults.schedule(UNANSWERED);
    await harness.advance();
    harness.chatter(10);
    harness.slack.faults.schedule({ on: 'conversations.history', skip: 1, fault: { type: 'error', code } });
    await harness.play();
    expect(harness.cards()).toMatchObject([{ text: expect.stringMatching(/is cancelled/) }]);
    expect(harness.called).toEqual(['A-1001']);
    expect(direct(harness)).toEqual([expect.stringMatching(/is delayed: Slack has not confirmed yet/)]);
  });

  test('is in no doubt if only the answer to joining its channel was lost, and is posted without a search', async () => {
    const harness = await startMessengerHarness();
    harness.slack.admin.kick(channels.support, botOf(harness));
    harness.slack.faults.schedule({ on: 'conversations.join', fault: { type: 'status', status: 503 } });
    await harness.play();
    expect(harness.cards()).toHaveLength(1);
    expect(harness.called).toEqual(['A-1001']);
    expect(harness.journal.entries({ name: 'conversations.history' })).toEqual([]);
  });

  /** A reply whose answer was lost, and to which admins have suspended access. */
  async function withRedactedReply() {
    const harness = await startMessengerHarness();
    harness.slack.faults.schedule({ ...UNANSWERED, skip: 1 });
    await harness.advance();
    return { harness, restore: redact(harness, inThread(harness)[0]?.ts) };
  }

  test('is not posted again where it is a reply that admins have redacted for a while', async () => {
    const { harness, restore } = await withRedactedReply();
    await harness.play(4 * 60_000);
    expect(inThread(harness)).toHaveLength(1);
    restore();
    await harness.play();
    expect(inThread(harness)).toHaveLength(1);
    expect(direct(harness)).toEqual([]);
  });

  test('is told directly where admins have redacted it for good', async () => {
    const { harness } = await withRedactedReply();
    await harness.play();
    expect(inThread(harness)).toHaveLength(1);
    expect(direct(harness).filter((text) => /A-1001 is cancelled/.test(text))).toHaveLength(1);
  });

  test('is told once, where it is a reply and the bot comes back', async () => {
    const harness = await startMessengerHarness();
    harness.slack.faults.schedule({ ...UNANSWERED, skip: 1 });
    await harness.advance();
    const refused = harness.slack.faults.schedule({
      on: 'conversations.replies',
      fault: { type: 'error', code: 'not_in_channel' },
      times: 8,
    });
    await harness.play();
    expect(refused.remaining).toBe(0);
    expect(inThread(harness)).toHaveLength(1);
    expect(direct(harness)).toEqual([]);
  });

  test('is told directly after a while, and the copy that stands in the thread is removed later', async () => {
    const harness = await startMessengerHarness();
    harness.slack.faults.schedule({ ...UNANSWERED, skip: 1 });
    await harness.advance();
    const code = 'channel_not_found';
    harness.slack.faults.schedule({
      on: 'conversations.replies',
      fault: { type: 'error', code },
      times: 500,
    });
    await harness.play(TIMINGS.unclearMs + TIMINGS.doubtMs);
    expect(direct(harness).filter((text) => /A-1001 is cancelled/.test(text))).toHaveLength(1);
    harness.slack.faults.clear();
    await harness.play();
    expect(inThread(harness)).toEqual([]);
  });

  test('is told without its reason in a shared channel, where the requester takes no direct messages', async () => {
    const harness = await startMessengerHarness({}, { policy: policyOf(), earlier: [] });
    await harness.play(LOOKED_FOR);
    harness.slack.admin.share(channels.support, SEED.otherTeam);
    const where = (request: unknown) => /^"D/.test(JSON.stringify((request as { channel: string }).channel));
    const fault = { type: 'error', code: 'messages_tab_disabled' } as const;
    harness.slack.faults.schedule({ on: 'chat.postMessage', where, fault, times: 9 });
    harness.slack.faults.schedule(UNANSWERED);
    const away = { type: 'status', status: 503 } as const;
    harness.slack.faults.schedule({ on: 'conversations.replies', fault: away, times: 1_000 });
    const waiting = await harness.read();
    const by = [users.cara];
    const declined = decided(
      waiting,
      { type: 'decided', choice: 'no', by },
      harness.clock(),
      'They quarrelled',
    );
    await harness.store.update(requestEntry(declined, TIMINGS), waiting.version);
    await harness.play(TIMINGS.unclearMs + TIMINGS.doubtMs);
    const [unclear] = harness.slack
      .messages('#support')
      .filter(({ text }) => text.startsWith(`<@${users.ana}>: Slack has not confirmed yet`));
    expect(unclear?.text).toContain('declined the request');
    expect(JSON.stringify(harness.slack.messages('#support'))).not.toContain('They quarrelled');
  });

  test('is one message for the approvers, also where the bot is invited again as the admin was asked to', async () => {
    const harness = await startMessengerHarness({}, { policy: policyOf(APPROVALS), earlier: [] });
    const members = [users.cara, users.olga, botOf(harness)];
    harness.slack.admin.addChannel({ id: APPROVALS, team_id: team, name: 'appr', kind: 'private', members });
    harness.slack.faults.schedule({ ...UNANSWERED, skip: 1 });
    await harness.advance();
    const { back } = away(harness, APPROVALS, botOf(harness));
    await harness.play(LOOKED_FOR);
    expect(direct(harness, 'olga')).toEqual([
      expect.stringMatching(/not a member of the approvals channel|approvals channel/),
    ]);
    back();
    await harness.play(15 * 60_000);
    expect(harness.slack.messages(APPROVALS).filter(({ text }) => /Cancel order/.test(text))).toHaveLength(1);
    expect((await harness.read()).approval?.problem).toBeUndefined();
  });
});

describe('the end of a request whose card is in doubt', () => {
  test('because Slack refuses to show the channel, claims nothing about the card', async () => {
    const harness = await startMessengerHarness();
    harness.slack.faults.schedule(UNANSWERED);
    await harness.advance();
    const fault = { type: 'error', code: 'channel_not_found' } as const;
    harness.slack.faults.schedule({ on: 'conversations.history', fault, times: 500 });
    await harness.play(TIMINGS.unclearMs);
    expect(direct(harness)).toEqual([
      expect.stringContaining('is delayed'),
      `Slack has not confirmed that the request about order A-1001 was posted in <#${channels.support}>, so nothing was sent to the order service. I cannot see that channel. Invite me there with /invite @Countermand, or choose another channel, and request it again.`,
    ]);
  });

  test('is told directly, rather than not before the card is found', async () => {
    const harness = await startMessengerHarness();
    harness.slack.faults.schedule(UNANSWERED);
    await harness.advance();
    const fault = { type: 'status', status: 503 } as const;
    harness.slack.faults.schedule({ on: 'conversations.history', fault, times: 1_000 });
    await harness.play(60 * 60_000);
    expect((await harness.read()).state).toBe('expired');
    expect(direct(harness).filter((text) => /could not be sent in time/.test(text))).toHaveLength(1);
  });
});

test('an update that Slack refuses tells that the channel is shared by now', async () => {
  const harness = await startMessengerHarness();
  await harness.advance();
  harness.slack.admin.share(channels.support, SEED.otherTeam);
  const fault = { type: 'error', code: 'ekm_access_denied' } as const;
  harness.slack.faults.schedule({ on: 'chat.update', fault, times: 99 });
  await harness.play(10_000);
  expect((await harness.read()).inSharedChannel).toBe(true);
});

describe('copies whose tidy Slack refuses', () => {
  test('are removed once the bot is back', async () => {
    const harness = await startMessengerHarness({ effectTimeoutMs: 100 });
    await withTwoCards(harness);
    const code = 'not_in_channel';
    harness.slack.faults.schedule({ on: 'conversations.history', fault: { type: 'error', code }, times: 2 });
    await harness.play();
    expect(harness.cards()).toHaveLength(1);
  });

  test('are removed once admins have restored access to the message that stays: it is not taken for deleted', async () => {
    const harness = await startMessengerHarness({ effectTimeoutMs: 100 });
    await withTwoCards(harness);
    const { ts } = cardOf(await harness.read()).location ?? {};
    const restore = redact(harness, ts);
    await harness.play(TIDIED_MS);
    expect(harness.cards()).toHaveLength(2);
    restore();
    await harness.play();
    expect(harness.cards()).toMatchObject([{ ts }]);
  });

  /** Slack lets the copy of a card neither be deleted nor changed. */
  const refuseRemoval = ({ slack }: MessengerHarness) =>
    ['chat.delete', 'chat.update'].map((on) =>
      slack.faults.schedule({ on, fault: { type: 'error', code: 'ekm_access_denied' }, times: 1_000 }),
    );

  test('become a link once Slack allows that, if it refuses both the removal and the change for a while', async () => {
    const harness = await startMessengerHarness({ effectTimeoutMs: 100 });
    await withTwoCards(harness);
    const { ts } = cardOf(await harness.read()).location ?? {};
    const [, updates] = refuseRemoval(harness);
    await harness.play(TIDIED_MS);
    expect(harness.cards()).toHaveLength(2);
    updates?.cancel();
    await harness.play();
    expect(harness.cards()).toMatchObject([{ ts }]);
    expect(JSON.stringify(harness.warnings)).not.toContain('may remain');
  });

  test('are removed within a minute where Slack only fails for a moment', async () => {
    const harness = await startMessengerHarness({ effectTimeoutMs: 100 });
    await withTwoCards(harness);
    harness.slack.faults.schedule({ on: 'chat.delete', fault: { type: 'status', status: 503 }, times: 3 });
    await harness.play(TIDIED_MS);
    expect(harness.cards()).toHaveLength(1);
  });

  test.each([
    [
      'be looked for',
      ({ slack }: MessengerHarness) => {
        const fault = { type: 'error', code: 'channel_not_found' } as const;
        slack.faults.schedule({ on: 'conversations.history', fault, times: 1_000 });
      },
    ],
    ['be removed', refuseRemoval],
  ])('are left after six hours where they cannot %s, and the log says so', async (_what, refuse) => {
    const harness = await startMessengerHarness({ effectTimeoutMs: 100 });
    await withTwoCards(harness);
    refuse(harness);
    await harness.play();
    expect(harness.warnings).toContainEqual(
      expect.objectContaining({ message: expect.stringMatching(/^duplicate messages may remain/) }),
    );
  });

  test.each([
    [
      'somebody has replied to it',
      (harness: MessengerHarness, ts: string) =>
        void harness.slack.person('ben').say('What is this?', { channel: channels.support, thread_ts: ts }),
    ],
    [
      'Slack does not let it be deleted',
      ({ slack }: MessengerHarness) =>
        void slack.faults.schedule({
          on: 'chat.delete',
          fault: { type: 'error', code: 'cant_delete_message' },
          times: 9,
        }),
    ],
  ])('become a link where %s', async (_why, hinder) => {
    const harness = await startMessengerHarness({ effectTimeoutMs: 100 });
    await withTwoCards(harness);
    const card = cardOf(await harness.read());
    const copy = harness.cards().find(({ ts }) => ts !== card.location?.ts);
    hinder(harness, copy?.ts ?? '');
    await harness.play();
    const [link] = harness.slack.messages('#support').filter(({ ts }) => ts === copy?.ts);
    expect(link?.text).toMatch(/^This message was posted twice by mistake/);
    expect(harness.cards()).toHaveLength(1);
  });
});

/** Cara has voted on the copy of a card that is voted on. */
async function withVoteOnCopy(options: Parameters<typeof startMessengerHarness>[0] = {}) {
  const approval = { policy: policyOf(), earlier: [] };
  const harness = await startMessengerHarness({ effectTimeoutMs: 100, ...options }, approval);
  await withTwoCards(harness);
  const recorded = cardOf(await harness.read()).location?.ts ?? '';
  const copy = harness.cards().find(({ ts }) => ts !== recorded)?.ts ?? '';
  harness.slack.person('cara').react('white_check_mark', { channel: channels.support, ts: copy });
  return { harness, recorded, copy };
}

const TIDIED_MS = TIMINGS.claimMs + TIMINGS.appearMs + 60_000;

describe('votes that are read before they decide', () => {
  test.each([
    ['out_of_reach', 'channel_not_found'],
    ['out_of_reach', 'not_in_channel'],
    ['out_of_reach', 'is_archived'],
    ['out_of_reach', 'is_inactive'],
    ['gone', 'message_not_found'],
  ])('are on a message that is %s where Slack answers %s', async (type, code) => {
    const harness = await startMessengerHarness({}, { policy: policyOf(), earlier: [] });
    await harness.play(1_000);
    harness.slack.faults.schedule({ on: 'reactions.get', fault: { type: 'error', code } });
    expect(await harness.messenger.readReactions(await harness.read(), HELD)).toEqual({ type, code });
  });
});

describe('a vote on a copy that becomes a link', () => {
  const becomesLink = async ({ harness, copy }: Awaited<ReturnType<typeof withVoteOnCopy>>) => {
    await harness.play(TIDIED_MS);
    expect(direct(harness, 'cara')).toEqual([
      expect.stringMatching(/your reaction is on the copy that does not count/),
    ]);
    expect(harness.slack.messages('#support').filter(({ ts }) => ts === copy)).toEqual([
      expect.objectContaining({ text: expect.stringMatching(/^This message was posted twice by mistake/) }),
    ]);
  };

  test('is reported to its voter once, also where a process ends right after the tidy', async () => {
    const voted = await withVoteOnCopy();
    await voted.harness.playUntilTidied();
    await becomesLink(voted);
  });

  test('is reported to its voter once, also where the search for copies is interrupted behind it', async () => {
    const voted = await withVoteOnCopy({ shortPages: [1] });
    const fault = { type: 'rate_limit', retryAfterSeconds: 5 } as const;
    voted.harness.slack.faults.schedule({ on: 'conversations.history', skip: 1, fault });
    await becomesLink(voted);
  });
});

describe('a vote on a copy that takes the place of the message', () => {
  test('is not counted in silence: whoever cast it is asked to do it again', async () => {
    const { harness, recorded } = await withVoteOnCopy();
    harness.slack.person('olga').deleteMessage({ channel: channels.support, ts: recorded });
    await harness.play(TIDIED_MS);
    expect(direct(harness, 'cara')).toEqual([
      expect.stringMatching(
        /your reaction was not counted\. <https:.*\|Please take it back and react again\.>/,
      ),
    ]);
  });
});

describe('a reply to a card that is deleted in that moment', () => {
  const UPDATE_LATER = { on: 'chat.update', fault: { type: 'rate_limit', retryAfterSeconds: 5 } } as const;

  async function deletedMeanwhile(harness: MessengerHarness, when: 'before' | 'late'): Promise<void> {
    harness.slack.faults.schedule(UPDATE_LATER);
    const post = harness.slack.faults.schedule({
      on: 'chat.postMessage',
      skip: 1,
      fault: { type: 'hold', when },
    });
    const going = harness.advance();
    await post.reached;
    harness.slack
      .person('olga')
      .deleteMessage({ channel: channels.support, ts: harness.cards()[0]?.ts ?? '' });
    if (when === 'late') await going;
    post.release();
    await going;
  }
  const notices = (harness: MessengerHarness) =>
    [...harness.slack.messages('#support').map(({ text }) => text), ...direct(harness)].filter((text) =>
      /A-1001 is cancelled/.test(text),
    );

  test.each([
    ['Slack does not delete it from the channel at once', { type: 'status', status: 503 }],
    ['Slack does not let it be deleted from the channel', { type: 'error', code: 'cant_delete_message' }],
  ] as const)('is told once where %s', async (_why, fault) => {
    const harness = await startMessengerHarness();
    harness.slack.faults.schedule({ on: 'chat.delete', fault });
    await deletedMeanwhile(harness, 'before');
    await harness.play();
    expect(notices(harness)).toHaveLength(1);
  });

  test('is told once where its removal from the channel comes late', async () => {
    const harness = await startMessengerHarness({ effectTimeoutMs: 300 });
    const removal = harness.slack.faults.schedule({
      on: 'chat.delete',
      fault: { type: 'hold', when: 'late' },
    });
    await deletedMeanwhile(harness, 'before');
    await harness.play();
    removal.release();
    await expect
      .poll(() => harness.journal.entries().filter(({ name }) => name === 'chat.delete'))
      .toEqual([expect.objectContaining({ processed: true }), expect.objectContaining({ processed: true })]);
    expect(notices(harness)).toHaveLength(1);
  });

  test("is told once if it is in the thread of a card whose copy takes the card's place", async () => {
    const harness = await startMessengerHarness({ effectTimeoutMs: 100 });
    const held = { type: 'hold', when: 'late' } as const;
    const inChannel = { on: 'chat.postMessage', where: { channel: channels.support }, fault: held };
    const card = harness.slack.faults.schedule(inChannel);
    const reply = harness.slack.faults.schedule({ ...inChannel, skip: 1 });
    await harness.play(3 * LOOKED_FOR);
    const first = cardOf(await harness.read()).location?.ts ?? '';
    card.release();
    reply.release();
    await expect.poll(() => harness.cards().length).toBe(2);
    await expect.poll(() => harness.slack.thread('#support', first).length).toBe(3);
    harness.slack.person('olga').deleteMessage({ channel: channels.support, ts: first });
    await harness.play();
    expect(harness.cards()).toHaveLength(1);
    expect(harness.slack.thread('#support', first).slice(1)).toHaveLength(1);
    expect(direct(harness)).toEqual([expect.stringMatching(/is delayed: Slack has not confirmed yet/)]);
  });

  test('is told once where Slack does not answer', async () => {
    const harness = await startMessengerHarness({ effectTimeoutMs: 300 });
    await deletedMeanwhile(harness, 'late');
    await harness.play();
    expect(notices(harness)).toHaveLength(1);
  });
});

describe('a notification', () => {
  test('is not taken for posted where it stands in the channel, and its removal comes late', async () => {
    const policy = { ...policyOf(), reminds: true };
    const harness = await startMessengerHarness({ effectTimeoutMs: 300 }, { policy, earlier: [] });
    const post = harness.slack.faults.schedule({
      on: 'chat.postMessage',
      skip: 1,
      fault: { type: 'hold', when: 'late' },
    });
    const removal = harness.slack.faults.schedule({
      on: 'chat.delete',
      fault: { type: 'hold', when: 'late' },
    });
    await harness.advance();
    const [card] = harness.cards();
    const playing = harness.play(30 * 60_000);
    await post.reached;
    harness.slack.person('olga').deleteMessage({ channel: channels.support, ts: card?.ts ?? '' });
    await playing;
    post.release();
    await expect.poll(() => harness.slack.messages('#support').length).toBeGreaterThan(0);
    await harness.play();
    removal.release();
    const reminders = () =>
      harness.slack.messages('#support').filter(({ text }) => /still needs approval/.test(text));
    await expect.poll(reminders).toEqual([]);
    expect(notesOf(await harness.read()).map(({ delivery }) => delivery.status)).not.toContain('posted');
  });

  test('that waits for a limit holds up none that goes elsewhere', async () => {
    const policy = { ...policyOf(), reminds: true };
    const harness = await startMessengerHarness({}, { policy, earlier: [], problem: 'group_unreadable' });
    const fault = { type: 'rate_limit', retryAfterSeconds: 50 * 60 } as const;
    harness.slack.faults.schedule({ on: 'conversations.open', fault, times: 9 });
    await harness.play(45 * 60_000);
    expect(inThread(harness).map(({ text }) => text)).toEqual([
      expect.stringMatching(/still needs approval/),
    ]);
  });

  test('is not in doubt if only the answer to opening its direct message is lost', async () => {
    const harness = await startMessengerHarness();
    const opening = harness.slack.faults.schedule({
      on: 'conversations.open',
      fault: { type: 'unanswered' },
    });
    harness.slack.faults.schedule(UNANSWERED);
    const fault = { type: 'status', status: 503 } as const;
    harness.slack.faults.schedule({ on: 'conversations.history', fault, times: 1_000 });
    await harness.play(2 * 60_000);
    expect(opening.remaining).toBe(0);
    expect(direct(harness)).toEqual([expect.stringMatching(/is delayed: Slack has not confirmed yet/)]);
    expect(notesOf(await harness.read()).map(({ delivery }) => delivery)).toEqual([
      expect.not.objectContaining({ tidies: expect.anything() }),
    ]);
  });

  test('stands in the channel where its person takes no direct messages', async () => {
    const harness = await startMessengerHarness();
    harness.slack.admin.setApp({ messagesTab: false });
    harness.slack.faults.schedule(UNANSWERED);
    await harness.advance();
    const fault = { type: 'status', status: 503 } as const;
    harness.slack.faults.schedule({ on: 'conversations.history', fault, times: 1_000 });
    await harness.play(12 * 60_000);
    const said = harness.slack.messages('#support').map(({ text }) => text);
    expect(said.filter((text) => /^<@\w+>: Slack has not confirmed yet/.test(text))).toHaveLength(1);
  });
});

test('a reply that is kept up to date can show its next words, though its first ones need rich text', async () => {
  const harness = await startMessengerHarness();
  const { messenger, record, slack } = harness;
  await harness.advance();
  const { location } = cardOf(await harness.read());
  const target = 'A*1*';
  const said = (status: 'denied' | 'pending', before: RequestRecord) =>
    applyEvent(before, event({ target, status, createdAt: T0, updatedAt: T0 + before.steps.length }), T0)
      .record;
  const asked = answered({ type: 'said', status: 'pending', requestedAt: T0 }, { ...record, target });
  const denied = said('denied', withCard(replied(asked), { location }));
  const { key } = replyOf(denied, currentStep(denied)) ?? { key: '' };
  const upkeep = newUpkeep(T0);
  const kept = withMessage(denied, key, (message) => ({ ...message, upkeep }));
  const posted = await messenger.post(kept, key, HELD);
  if (posted.type !== 'posted') throw new Error('The reply was not posted.');
  const { channel, ts } = posted;
  const located = withMessage(kept, key, (message) => ({ ...message, location: { channel, ts } }));
  expect(await messenger.update(said('pending', located), key, HELD)).toEqual({ type: 'posted' });
  const shown = slack.thread('#support', location?.ts ?? '').find((each) => each.ts === ts);
  expect(shown?.text).toMatch(/is reviewing it/);
});

test('a card is not updated for ever where the app is not installed any more: its request can be removed', async () => {
  const harness = await startMessengerHarness();
  await harness.play();
  const before = await harness.read();
  harness.uninstall();
  const changed = { ...before, revision: before.revision + 1 };
  await harness.store.update(requestEntry(changed, TIMINGS), before.version);
  expect(hasEnded(await harness.read(), TIMINGS)).toBe(false);
  await harness.play(8 * 24 * 60 * 60_000);
  expect(hasEnded(await harness.read(), TIMINGS)).toBe(true);
});
