/** Each message once, and told somewhere, where Slack refuses to be searched, to be tidied, or to take a message. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Policy } from '../../../src/requests/model/approvals/policy.ts';
import { TIMINGS } from '../../../src/requests/model/pending-effects.ts';
import { type SlackWorld, startSlackWorld } from '../../support/requests/messenger-harness.ts';

const { team, users, channels } = SEED;
const UNANSWERED = { on: 'chat.postMessage', fault: { type: 'unanswered' } } as const;
const APPROVALS = 'C0APPROVALS';
const LOOKED_FOR = TIMINGS.doubtMs + 5_000;

const botOf = ({ slack }: SlackWorld) => slack.installation().bot_user_id;
const direct = ({ slack }: SlackWorld, who = 'ana') =>
  slack
    .person(who)
    .directMessages()
    .map(({ text }) => text);
const inThread = ({ slack, cards }: SlackWorld) => slack.thread('#support', cards()[0]?.ts ?? '').slice(1);
const away = ({ slack }: SlackWorld, channel: string, bot: string) => {
  slack.admin.kick(channel, bot);
  return { back: () => slack.admin.invite(channel, bot) };
};

function policyOf(channel?: string): Policy {
  return {
    approvers: { type: 'people', people: [users.cara] },
    ...(channel ? { shownIn: 'approvals_channel', channel } : { shownIn: 'where_requested' }),
    quorum: 1,
    emoji: { yes: 'white_check_mark', no: 'x' },
    expiresAfterMs: 3_600_000,
    reminds: false,
    mayWithdraw: true,
    setBy: users.olga,
  };
}

/** Its card is posted, and appears only after another one was posted. */
async function withTwoCards(world: SlackWorld): Promise<void> {
  const late = world.slack.faults.order({ on: 'chat.postMessage', fault: { type: 'hold', when: 'late' } });
  await world.play(LOOKED_FOR);
  late.release();
  await expect.poll(() => world.cards().length).toBe(2);
}

describe('a message in doubt that Slack does not let be looked for', () => {
  test.each([
    ['the bot is away from a public channel, which it joins again', 'not_in_channel'],
    ['the second page cannot be had', 'invalid_cursor'],
    ['Slack says a word that nobody has heard before', 'something_new'],
  ])('is not taken for one that was not posted: %s', async (_why, code) => {
    const world = await startSlackWorld({ shortPages: [3] });
    world.slack.faults.order(UNANSWERED);
    await world.advance();
    world.chatter(10);
    world.slack.faults.order({ on: 'conversations.history', skip: 1, fault: { type: 'error', code } });
    await world.play();
    expect(world.cards()).toMatchObject([{ text: expect.stringMatching(/is cancelled/) }]);
    expect(world.called).toEqual(['A-1001']);
    expect(direct(world)).toEqual([]);
  });

  test('is looked for again where the bot could not join the channel', async () => {
    const world = await startSlackWorld();
    world.slack.admin.kick(channels.support, botOf(world));
    world.slack.faults.order({ on: 'conversations.join', fault: { type: 'status', status: 503 } });
    await world.play();
    expect(world.cards()).toHaveLength(1);
    expect(world.called).toEqual(['A-1001']);
  });

  test('is told once, where it is a reply and the bot comes back', async () => {
    const world = await startSlackWorld();
    world.slack.faults.order({ ...UNANSWERED, skip: 1 });
    await world.advance();
    const refused = world.slack.faults.order({
      on: 'conversations.replies',
      fault: { type: 'error', code: 'not_in_channel' },
      times: 8,
    });
    await world.play();
    expect(refused).toBeDefined();
    expect(inThread(world)).toHaveLength(1);
    expect(direct(world)).toEqual([]);
  });

  test('is told directly after a while, and the copy that stands in the thread is removed later', async () => {
    const world = await startSlackWorld();
    world.slack.faults.order({ ...UNANSWERED, skip: 1 });
    await world.advance();
    const code = 'channel_not_found';
    world.slack.faults.order({ on: 'conversations.replies', fault: { type: 'error', code }, times: 500 });
    await world.play(TIMINGS.unclearMs + TIMINGS.doubtMs);
    expect(direct(world).filter((text) => /A-1001 is cancelled/.test(text))).toHaveLength(1);
    world.slack.faults.clear();
    await world.play();
    expect(inThread(world)).toEqual([]);
  });

  test('is one message for the approvers, also where the bot is invited again as the admin was asked to', async () => {
    const world = await startSlackWorld({}, { policy: policyOf(APPROVALS), earlier: [] });
    const members = [users.cara, users.olga, botOf(world)];
    world.slack.admin.addChannel({ id: APPROVALS, team_id: team, name: 'appr', kind: 'private', members });
    world.slack.faults.order({ ...UNANSWERED, skip: 1 });
    await world.advance();
    const { back } = away(world, APPROVALS, botOf(world));
    await world.play(LOOKED_FOR);
    expect(direct(world, 'olga')).toEqual([
      expect.stringMatching(/not a member of the approvals channel|approvals channel/),
    ]);
    back();
    await world.play(15 * 60_000);
    expect(world.slack.messages(APPROVALS).filter(({ text }) => /Cancel order/.test(text))).toHaveLength(1);
    expect((await world.read()).approval?.problem).toBeUndefined();
  });
});

describe('the end of a request whose card is in doubt', () => {
  test('is told directly, rather than not before the card is found', async () => {
    const world = await startSlackWorld();
    world.slack.faults.order(UNANSWERED);
    await world.advance();
    const fault = { type: 'status', status: 503 } as const;
    world.slack.faults.order({ on: 'conversations.history', fault, times: 1_000 });
    await world.play(60 * 60_000);
    expect((await world.read()).state).toBe('expired');
    expect(direct(world).filter((text) => /could not be sent in time/.test(text))).toHaveLength(1);
  });
});

describe('copies that Slack does not let be tidied', () => {
  test('are removed once the bot is back', async () => {
    const world = await startSlackWorld({ effectTimeoutMs: 100 });
    await withTwoCards(world);
    const code = 'not_in_channel';
    world.slack.faults.order({ on: 'conversations.history', fault: { type: 'error', code }, times: 2 });
    await world.play();
    expect(world.cards()).toHaveLength(1);
  });

  test('are left after six hours, and the log says so', async () => {
    const world = await startSlackWorld({ effectTimeoutMs: 100 });
    await withTwoCards(world);
    const fault = { type: 'error', code: 'channel_not_found' } as const;
    world.slack.faults.order({ on: 'conversations.history', fault, times: 1_000 });
    await world.play();
    expect(world.warnings).toContainEqual(
      expect.objectContaining({ message: expect.stringMatching(/^duplicate messages may remain/) }),
    );
  });

  test.each([
    [
      'somebody has replied to it',
      (world: SlackWorld, ts: string) =>
        void world.slack.person('ben').say('What is this?', { channel: channels.support, thread_ts: ts }),
    ],
    [
      'Slack does not let it be deleted',
      ({ slack }: SlackWorld) =>
        void slack.faults.order({
          on: 'chat.delete',
          fault: { type: 'error', code: 'cant_delete_message' },
          times: 9,
        }),
    ],
  ])('become a link where %s', async (_why, hinder) => {
    const world = await startSlackWorld({ effectTimeoutMs: 100 });
    await withTwoCards(world);
    const { card } = await world.read();
    const copy = world.cards().find(({ ts }) => ts !== card.location?.ts);
    hinder(world, copy?.ts ?? '');
    await world.play();
    const [link] = world.slack.messages('#support').filter(({ ts }) => ts === copy?.ts);
    expect(link?.text).toMatch(/^This message was posted twice by mistake/);
    expect(world.cards()).toHaveLength(1);
  });
});

describe('a vote on a copy that takes the place of the message', () => {
  test('is not counted in silence: whoever cast it is asked to do it again', async () => {
    const world = await startSlackWorld({ effectTimeoutMs: 100 }, { policy: policyOf(), earlier: [] });
    await withTwoCards(world);
    const { card } = await world.read();
    const copy = world.cards().find(({ ts }) => ts !== card.location?.ts);
    const cara = world.slack.person('cara');
    cara.react('white_check_mark', { channel: channels.support, ts: copy?.ts ?? '' });
    world.slack.person('olga').deleteMessage({ channel: channels.support, ts: card.location?.ts ?? '' });
    await world.play(TIMINGS.claimMs + TIMINGS.appearMs + 60_000);
    expect(direct(world, 'cara')).toEqual([
      expect.stringMatching(
        /your reaction was not counted\. <https:.*\|Please take it back and react again\.>/,
      ),
    ]);
  });
});

describe('a reply to a card that is deleted in that moment', () => {
  const UPDATE_LATER = { on: 'chat.update', fault: { type: 'rate_limit', retryAfterSeconds: 5 } } as const;

  async function deletedMeanwhile(world: SlackWorld, when: 'before' | 'late'): Promise<void> {
    world.slack.faults.order(UPDATE_LATER);
    const post = world.slack.faults.order({ on: 'chat.postMessage', skip: 1, fault: { type: 'hold', when } });
    const going = world.advance();
    await post.reached;
    world.slack.person('olga').deleteMessage({ channel: channels.support, ts: world.cards()[0]?.ts ?? '' });
    if (when === 'late') await going;
    post.release();
    await going;
  }
  const told = (world: SlackWorld) =>
    [...world.slack.messages('#support').map(({ text }) => text), ...direct(world)].filter((text) =>
      /A-1001 is cancelled/.test(text),
    );

  test.each([
    ['Slack does not delete it from the channel at once', { type: 'status', status: 503 }],
    ['Slack does not let it be deleted from the channel', { type: 'error', code: 'cant_delete_message' }],
  ] as const)('is told once where %s', async (_why, fault) => {
    const world = await startSlackWorld();
    world.slack.faults.order({ on: 'chat.delete', fault });
    await deletedMeanwhile(world, 'before');
    await world.play();
    expect(told(world)).toHaveLength(1);
  });

  test('is told once where Slack does not answer', async () => {
    const world = await startSlackWorld({ effectTimeoutMs: 300 });
    await deletedMeanwhile(world, 'late');
    await world.play();
    expect(told(world)).toHaveLength(1);
  });
});

describe('a notification', () => {
  test('that waits for a limit holds up none that goes elsewhere', async () => {
    const policy = { ...policyOf(), reminds: true };
    const world = await startSlackWorld({}, { policy, earlier: [], problem: 'group_unreadable' });
    const fault = { type: 'rate_limit', retryAfterSeconds: 50 * 60 } as const;
    world.slack.faults.order({ on: 'conversations.open', fault, times: 9 });
    await world.play(45 * 60_000);
    expect(inThread(world).map(({ text }) => text)).toEqual([expect.stringMatching(/still needs approval/)]);
  });

  test('stands in the channel where its person takes no direct messages', async () => {
    const world = await startSlackWorld();
    world.slack.admin.setApp({ messagesTab: false });
    world.slack.faults.order(UNANSWERED);
    await world.advance();
    const fault = { type: 'status', status: 503 } as const;
    world.slack.faults.order({ on: 'conversations.history', fault, times: 1_000 });
    await world.play(12 * 60_000);
    const said = world.slack.messages('#support').map(({ text }) => text);
    expect(said.filter((text) => /^<@\w+>: Slack has not confirmed yet/.test(text))).toHaveLength(1);
  });
});
