/** Each message once, with the real messenger over the local Slack: whatever is late, lost or doubled on the way. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { advance } from '../../../src/requests/engine/advance.ts';
import type { Policy } from '../../../src/requests/model/approvals/policy.ts';
import { TIMINGS } from '../../../src/requests/model/pending-effects.ts';
import { type SlackWorld, startSlackWorld } from '../../support/requests/messenger-harness.ts';

const { users, channels } = SEED;

const posts = ({ journal }: SlackWorld) => journal.entries({ name: 'chat.postMessage' });

const IMPATIENT = { effectTimeoutMs: 100 };

/** Its card is posted, and appears only after another one was posted. */
async function withTwoCards(world: SlackWorld): Promise<void> {
  const late = world.slack.faults.order({ on: 'chat.postMessage', fault: { type: 'hold', when: 'late' } });
  await world.play(TIMINGS.doubtMs + 5_000);
  late.release();
  await expect.poll(() => world.cards().length).toBe(2);
}

describe('a process that is frozen between its claim and its post', () => {
  test('does not post once its claim has expired: the one that took over has', async () => {
    const world = await startSlackWorld();
    // The card has reasons in it, so the channel is looked at before it is posted.
    const look = world.slack.faults.order({
      on: 'conversations.info',
      fault: { type: 'hold', when: 'before' },
    });
    const frozen = world.advance('frozen');
    await look.reached;
    world.pass(TIMINGS.claimMs + 1);
    await world.play(TIMINGS.doubtMs + 5_000);
    expect(world.cards()).toHaveLength(1);
    look.release();
    await frozen;
    expect(
      posts(world).filter(({ request }) => JSON.stringify(request).includes('Cancel order')),
    ).toHaveLength(1);
    await world.play();
    expect(world.cards()).toHaveLength(1);
    expect(world.called).toEqual(['A-1001']);
  });
});

describe('a card that appears after another one was posted', () => {
  test('is removed once nothing more can appear, and the one that is known stays', async () => {
    const world = await startSlackWorld(IMPATIENT);
    await withTwoCards(world);
    const { card } = await world.read();
    await world.play();
    const [left, ...more] = world.cards();
    expect(more).toEqual([]);
    expect(card.location?.ts).toBe(left?.ts);
    expect(left?.text).toMatch(/is cancelled/);
    expect(world.called).toEqual(['A-1001']);
  });

  test('takes the place of the known one where somebody has deleted that, and shows the truth', async () => {
    const world = await startSlackWorld(IMPATIENT);
    world.slack.faults.order({ on: 'chat.update', fault: { type: 'error', code: 'fatal_error' }, times: 99 });
    await withTwoCards(world);
    const { card } = await world.read();
    const other = world.cards().find(({ ts }) => ts !== card.location?.ts);
    world.slack.person('olga').deleteMessage({ channel: channels.support, ts: card.location?.ts ?? '' });
    world.slack.faults.clear();
    await world.play();
    expect(world.cards()).toMatchObject([{ ts: other?.ts, text: expect.stringMatching(/is cancelled/) }]);
  });

  test('becomes a link to the known one where people have used it, and its voters are told', async () => {
    const policy: Policy = {
      approvers: { type: 'people', people: [users.cara] },
      shownIn: 'where_requested',
      quorum: 1,
      emoji: { yes: 'white_check_mark', no: 'x' },
      expiresAfterMs: 3_600_000,
      reminds: false,
      mayWithdraw: true,
      setBy: users.olga,
    };
    const world = await startSlackWorld(IMPATIENT, { policy, earlier: [] });
    await withTwoCards(world);
    const { card } = await world.read();
    const copy = world.cards().find(({ ts }) => ts !== card.location?.ts);
    const cara = world.slack.person('cara');
    cara.react('white_check_mark', { channel: channels.support, ts: copy?.ts ?? '' });
    await world.play(TIMINGS.claimMs + TIMINGS.appearMs + 60_000);
    const [link] = world.slack.messages('#support').filter(({ ts }) => ts === copy?.ts);
    expect(link?.text).toMatch(
      /^This message was posted twice by mistake\. Please use <https:.*\|the other one>/,
    );
    expect(JSON.stringify(link)).not.toContain('action_id');
    const told = await cara.waitForDirectMessage();
    expect(told.text).toMatch(
      /your reaction is on the copy that does not count\. <https:.*\|Please vote on the other one\.>/,
    );
    expect(world.cards().map(({ ts }) => ts)).toEqual([card.location?.ts]);
  });

  test('is removed only once all are found, by an app that may read 15 messages a minute', async () => {
    const world = await startSlackWorld({ outsideMarketplace: true, ...IMPATIENT });
    const late = world.slack.faults.order({ on: 'chat.postMessage', fault: { type: 'hold', when: 'late' } });
    await world.play(TIMINGS.doubtMs + 5_000);
    world.chatter(40);
    late.release();
    await expect.poll(() => world.cards().length).toBe(2);
    const { card } = await world.read();
    for (let minutes = 0; minutes < 30; minutes++) {
      await world.play(60_000);
      world.pass(60_000);
    }
    expect(world.cards().map(({ ts }) => ts)).toEqual([card.location?.ts]);
  });

  test('is looked for again where Slack is away, until it is found', async () => {
    const world = await startSlackWorld(IMPATIENT);
    await withTwoCards(world);
    world.slack.faults.order({
      on: 'conversations.history',
      fault: { type: 'status', status: 503 },
      times: 3,
    });
    world.slack.faults.order({ on: 'chat.delete', fault: { type: 'error', code: 'ratelimited' }, times: 2 });
    await world.play();
    expect(world.cards()).toHaveLength(1);
  });
});

describe('a process that is frozen for so long that others have posted and tidied', () => {
  /** @returns ends its post */
  async function frozenFor(world: SlackWorld): Promise<{ thaw: () => void; ended: Promise<unknown> }> {
    const late = world.slack.faults.order({ on: 'chat.postMessage', fault: { type: 'hold', when: 'late' } });
    const ended = world.advance('frozen');
    await late.reached;
    world.pass(TIMINGS.claimMs + 1);
    await world.play(10 * 60_000);
    world.pass(8 * 60_000);
    await world.play();
    return { thaw: late.release, ended };
  }

  test('leaves no second card where its own came through and nobody told it so', async () => {
    const world = await startSlackWorld({ effectTimeoutMs: 400 });
    const { thaw, ended } = await frozenFor(world);
    await ended;
    thaw();
    await expect.poll(() => world.cards().length).toBe(2);
    await world.play();
    expect(world.cards()).toHaveLength(1);
  });

  test('leaves no second card where it could not remove its own', async () => {
    const world = await startSlackWorld({ effectTimeoutMs: 20_000 });
    const { thaw, ended } = await frozenFor(world);
    world.slack.faults.order({ on: 'chat.delete', fault: { type: 'status', status: 503 } });
    thaw();
    await ended;
    expect(world.cards()).toHaveLength(2);
    await world.play();
    expect(world.cards()).toHaveLength(1);
  });
});

describe('a card whose post got no answer', () => {
  const UNANSWERED = { on: 'chat.postMessage', fault: { type: 'unanswered' } } as const;

  test.each([[[1]], [[0, 3]], [[7, 0, 1]]])(
    'is found on whatever page it is, with pages of %j',
    async (shortPages) => {
      const world = await startSlackWorld({ shortPages });
      world.slack.faults.order(UNANSWERED);
      await world.advance();
      world.chatter(25);
      await world.play();
      expect(world.cards()).toHaveLength(1);
      expect(
        posts(world).filter(({ request }) => JSON.stringify(request).includes('Cancel order')),
      ).toHaveLength(1);
      expect(world.called).toEqual(['A-1001']);
    },
  );

  test('is found by an app that may read 15 messages a minute, in a channel that goes on', async () => {
    const world = await startSlackWorld({ outsideMarketplace: true });
    world.slack.faults.order(UNANSWERED);
    await world.advance();
    world.chatter(70);
    for (let minutes = 0; minutes < 9 && world.called.length === 0; minutes++) {
      await world.play(60_000);
      world.pass(60_000);
      world.chatter(30);
    }
    expect(world.called).toEqual(['A-1001']);
    expect(world.cards()).toHaveLength(1);
    expect(
      posts(world).filter(({ request }) => JSON.stringify(request).includes('Cancel order')),
    ).toHaveLength(1);
  });

  test('is told to the requester as unclear after ten minutes, and found in the end', async () => {
    const world = await startSlackWorld();
    world.slack.faults.order(UNANSWERED);
    await world.advance();
    const away = world.slack.faults.order({
      on: 'conversations.history',
      fault: { type: 'status', status: 503 },
      times: 1_000,
    });
    await world.play(TIMINGS.unclearMs + 60_000);
    const told = await world.slack.person('ana').waitForDirectMessage();
    expect(told.text).toMatch(
      /Slack has not confirmed yet whether the card of your request .* was posted in/,
    );
    expect(told.text).toMatch(/Nothing is sent to the order service until that is clear/);
    expect(world.called).toEqual([]);
    away.cancel();
    await world.play(120_000);
    expect(world.called).toEqual(['A-1001']);
    expect(world.cards()).toHaveLength(1);
  });
});

describe('a reply that can stand neither in the thread nor in a direct message', () => {
  test('stands in the channel, for the requester to read', async () => {
    const world = await startSlackWorld();
    world.slack.faults.order({ on: 'chat.update', fault: { type: 'hold', when: 'before' } });
    const refused = (where: (channel: string) => boolean, code: string) =>
      world.slack.faults.order({
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
    world.slack.faults.list()[0]?.cancel();
    await world.play();
    const [told] = world.slack.messages('#support').filter(({ text }) => text.startsWith(`<@${users.ana}>`));
    expect(told?.text).toMatch(/A-1001 is cancelled/);
    const { steps } = await world.read();
    expect(steps.at(-1)?.reply).toMatchObject({ to: 'channel', delivery: { status: 'posted' } });
  });
});

test('a rate limit on one method delays nothing else: neither the call nor what goes to another channel', async () => {
  const world = await startSlackWorld();
  world.slack.faults.order({
    on: 'chat.update',
    fault: { type: 'rate_limit', retryAfterSeconds: 600 },
    times: 9,
  });
  const ms = await advance(world.deps('a process'), world.record);
  expect(world.called).toEqual(['A-1001']);
  const [, ...replies] = world.slack.thread('#support', world.cards()[0]?.ts ?? '');
  expect(replies.map(({ text }) => text)).toEqual([expect.stringMatching(/A-1001 is cancelled/)]);
  expect(ms).toBeGreaterThan(300_000);
});
