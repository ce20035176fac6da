/**
 * A channel of Support that Returns, another workspace of the organization, has, too. Slack names Support in its events, where it
 * was made.
 */
import { describe, expect, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { postMessage } from '../../../sandbox/slack/world/messages.ts';
import { SEED_ENTERPRISE } from '../../../sandbox/slack/world/seed/enterprise.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { POLICY, YES } from '../../support/e2e/approvals.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { connectIn, startOrganization } from '../../support/e2e/install/organization.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';
import { REQUEST_REASON } from '../../support/e2e/shared-channels.ts';

const { support: SUPPORT, returns: RETURNS, channels, users } = SEED_ENTERPRISE;
const { jan, joy, ida } = users;
const DESK = channels.support;

/** The approvers of Returns. */
const JANS = { ...POLICY, approvers: { type: 'people' as const, people: [jan] }, setBy: jan };

/** With an org-wide installation: Returns has made a request in the channel, which waits for Jan. */
async function startRequest() {
  const harness = await startOrganization();
  const { slack } = harness;
  for (const channel of [DESK, channels.returns]) await connectIn(harness, 'ida', channel);
  slack.admin.share(DESK, RETURNS);
  for (const user of [joy, jan]) slack.admin.invite(DESK, user);
  const { settings } = await harness.terminal();
  await settings.change(RETURNS, { policies: { cancel_order: JANS } });
  await harness.cancelOrder('A-1001', { who: harness.joy, channel: DESK, reason: REQUEST_REASON });
  const card = await slack.waitForMessage({ channel: DESK, text: /A-1001.*Waiting for/s });
  return { ...harness, card, settings };
}

/** The events of a type, as they were sent. */
const sent = ({ slack }: Pick<Awaited<ReturnType<typeof startRequest>>, 'slack'>, type: string) =>
  slack.events.list().filter(({ envelope }) => (envelope['event'] as { type: string }).type === type);

describe('with an org-wide installation', () => {
  test('a vote counts in the workspace whose request it is', async () => {
    const harness = await startRequest();
    harness.jan.react(YES, harness.card);
    expect(sent(harness, 'reaction_added').at(-1)?.envelope).toMatchObject({
      team_id: SUPPORT,
      is_ext_shared_channel: false,
    });
    await harness.slack.waitForMessage({ thread_ts: harness.card.ts, text: /is cancelled/ });
  });

  test('people of another workspace cannot vote, and read why', async () => {
    const harness = await startRequest();
    harness.ivo.react(YES, harness.card);
    expect((await harness.ivo.waitForEphemeral()).text).toContain('only members of that workspace');
    expect(harness.service.calls({ operation: 'cancel_order' })).toEqual([]);
  });

  test('the reasons of each workspace are taken off its cards once another company reads along', async () => {
    const harness = await startRequest();
    expect(JSON.stringify(harness.card)).toContain(REQUEST_REASON);
    harness.slack.admin.share(DESK, SEED.team);
    await harness.slack.waitForMessage(
      (message) => message.ts === harness.card.ts && !JSON.stringify(message).includes(REQUEST_REASON),
    );
    await harness.slack.waitForMessage({ thread_ts: harness.card.ts, text: /is now shared with another/ });
  });

  test('its new id is learnt in each workspace', async () => {
    const { slack, card, settings } = await startRequest();
    await settings.change(RETURNS, { notificationsChannel: DESK });
    const channel = slack.channel('#initech-support');
    slack.world.channels.delete(DESK);
    channel.id = 'C0INIMOVED';
    for (const message of channel.messages.values()) message.channel = channel.id;
    slack.world.channels.set(channel.id, channel);
    const moved = { type: 'channel_id_changed', old_channel_id: DESK, new_channel_id: channel.id };
    await slack.events.send(slack.installation(SEED_ENTERPRISE.id), moved, channel).settled;
    expect(await settings.read(RETURNS)).toMatchObject({ notificationsChannel: channel.id });
    slack.person('jan').react(YES, { channel: channel.id, ts: card.ts });
    await slack.waitForMessage({ thread_ts: card.ts, text: /is cancelled/ });
  });

  test('who set a policy is told that too few of its approvers are left there', async () => {
    const harness = await startRequest();
    const policy = { ...JANS, approvers: { type: 'channel' as const }, channel: DESK, quorum: 1 };
    harness.slack.channel('#initech-support').kind = 'private';
    await harness.settings.change(RETURNS, { policies: { cancel_order: { ...policy, setBy: ida } } });
    for (const user of [joy, jan, ida]) harness.slack.admin.kick(DESK, user);
    await harness.ida.waitForDirectMessage(({ text }) => text.includes('approve'));
  });

  test('whoever mentions the bot there is answered by their own workspace, and people of another company by none', async () => {
    const harness = await startRequest();
    const { slack } = harness;
    const bot = `<@${slack.installation(SEED_ENTERPRISE.id).bot_user_id}>`;
    slack.admin.share(DESK, SEED.team);
    slack.admin.invite(DESK, SEED.users.ana);
    harness.ana.say(`${bot} cancel A-1002`, { channel: DESK });
    await sent(harness, 'app_mention').at(-1)?.settled;
    expect(harness.ana.ephemerals()).toEqual([]);
    harness.joy.say(`${bot} cancel A-1002`, { channel: DESK });
    expect((await harness.joy.waitForEphemeral()).text).toContain('cancel order A-1002');
  });

  test('reactions on what the bot wrote cost one look at the channel a minute, and those on what people write none', async () => {
    const harness = await startRequest();
    const { slack, ivo, journal } = harness;
    const bot = slack.installation(SEED_ENTERPRISE.id).bot_user_id;
    // Nothing else has the bot look at this channel, as the card and the events of sharing and joining do.
    const shared = { name: 'lunch', team_id: SUPPORT, connected_team_ids: [RETURNS] };
    const { id } = slack.admin.addChannel({ ...shared, members: [ivo.id, bot] });
    const looks = () =>
      journal
        .entries({ kind: 'web_api', name: 'conversations.info' })
        .filter((entry) => JSON.stringify(entry).includes(id)).length;
    const react = async ({ ts }: { ts: string }) => {
      for (const emoji of ['taco', 'sushi', 'pizza']) ivo.react(emoji, { channel: id, ts });
      for (const { settled } of sent(harness, 'reaction_added')) await settled;
    };
    const before = looks();
    await react(await ivo.say('Lunch?', { channel: id }));
    expect(looks() - before).toBe(0);
    await react(postMessage(slack.world, slack.channel(id), { user: bot, text: 'Hello' }));
    expect(looks() - before).toBe(1);
    const attempts = sent(harness, 'reaction_added').map((each) => each.attempts);
    expect(attempts).toEqual(Array.from({ length: 6 }, () => [200]));
  });

  test('a reaction in the direct message with the bot, which it has no scope to look at, is no fault', async () => {
    const harness = await startRequest();
    const welcome = await harness.ida.waitForDirectMessage(({ text }) => text.includes('is installed'));
    harness.ida.react('tada', welcome);
    await expect.poll(() => sent(harness, 'reaction_added').at(-1)?.attempts).toEqual([200]);
    expect(harness.logged.text()).not.toContain('"event":"fault"');
  });
});

describe('with an installation in each of the two', () => {
  test.each([
    ['the two', [RETURNS]],
    ['the whole organization', [RETURNS, SEED_ENTERPRISE.id]],
  ])(
    'a vote in a channel of %s counts in the workspace whose request it is, though Slack names the other one',
    async (_whose, teams) => {
      const harness = await startHarness({ installing: 'oauth', slack: { enterprise: true } });
      const { slack } = harness;
      await openBrowser(harness).install('ida', { team: SUPPORT });
      await openBrowser(harness).install('jan', { team: RETURNS });
      for (const team of teams) slack.admin.share(DESK, team);
      const bots = [SUPPORT, RETURNS].map((id) => slack.installation(id).bot_user_id);
      for (const user of [joy, jan, ...bots]) slack.admin.invite(DESK, user);
      const { connect, settings } = await harness.terminal();
      const how = { tokenKind: 'rest', exclusive: false, newSecret: false, by: jan } as const;
      await connect({ workspace: RETURNS, token: SEED_TOKENS.acme.rest, ...how });
      await settings.change(RETURNS, { policies: { cancel_order: JANS } });
      await harness.cancelOrder('A-1001', { who: slack.person('joy'), channel: DESK });
      const card = await slack.waitForMessage({ channel: DESK, text: /A-1001.*Waiting for/s });
      slack.person('jan').react(YES, card);
      expect(sent(harness, 'reaction_added').at(-1)?.envelope).toMatchObject({
        authorizations: [{ team_id: SUPPORT }],
        is_ext_shared_channel: false,
      });
      await slack.waitForMessage({ thread_ts: card.ts, text: /is cancelled/ });
    },
  );
});
