import { describe, expect, test } from 'vitest';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { openSlackHarness } from '../../support/slack-harness.ts';

const { channels, users, team, otherTeam } = SEED;

/** Opens a harness with the app in both companies, and each bot in #partners, which Acme shares with Globex. */
async function openBoth() {
  const harness = await openSlackHarness({ subscriptions: ['message.channels', 'channel_unshared'] });
  const { slack } = harness;
  const [acme, globex] = [slack.installation(), slack.admin.install(otherTeam)];
  for (const { bot_user_id } of [acme, globex]) slack.admin.invite(channels.partners, bot_user_id);
  return { ...harness, acme, globex };
}

test('a message in a channel with two installations causes one event, authorized for one of them', async () => {
  const { slack, told, acme } = await openBoth();
  slack.person('gus').say('Hello', { channel: '#partners' });
  slack.person('gus').say('Again', { channel: '#partners' });
  const envelopes = await told(2);
  expect(envelopes.map(({ event }) => event.text)).toEqual(['Hello', 'Again']);
  expect(envelopes[0]).toMatchObject({
    is_ext_shared_channel: true,
    authorizations: [{ team_id: team, user_id: acme.bot_user_id }],
    context_team_id: team,
    event_context: expect.stringMatching(/^EC/),
  });
});

describe('a channel that is shared no longer', () => {
  test('keeps its id and its people with the host', async () => {
    const { slack, call } = await openBoth();
    slack.admin.unshare(channels.partners, otherTeam);
    const { channel } = await call('conversations.info', { channel: channels.partners });
    expect(channel).toMatchObject({ id: channels.partners, is_ext_shared: false, is_shared: false });
    const { members } = await call('conversations.members', { channel: channels.partners });
    expect(members).not.toContain(users.gus);
    expect(members).toContain(users.ana);
  });

  test('has another id where it was a guest, with the same messages and its own people alone', async () => {
    const { slack, call, post, globex } = await openBoth();
    const { ts } = await post({ channel: channels.partners, text: 'Before' });
    const copy = slack.admin.unshare(channels.partners, otherTeam);
    const ask = (method: string, channel: string) => call(method, { channel }, globex.token);
    expect((await ask('conversations.info', channels.partners)).error).toBe('channel_not_found');
    expect((await ask('conversations.history', copy.id)).messages).toMatchObject([{ ts, text: 'Before' }]);
    expect((await ask('conversations.members', copy.id)).members).toEqual([globex.bot_user_id, users.gus]);
    await post({ channel: channels.partners, text: 'After' });
    expect((await ask('conversations.history', copy.id)).messages).toHaveLength(1);
  });

  test('causes an event for both installations, with the former id and not the new one', async () => {
    const { slack, told } = await openBoth();
    const copy = slack.admin.unshare(channels.partners, otherTeam);
    const event = {
      type: 'channel_unshared',
      channel: channels.partners,
      previously_connected_team_id: otherTeam,
      is_ext_shared: false,
    };
    const envelopes = await told(2);
    expect(envelopes).toMatchObject([{ event }, { event }]);
    expect(JSON.stringify(envelopes)).not.toContain(copy.id);
    expect(new Set(envelopes.map(({ authorizations }) => authorizations[0].team_id))).toEqual(
      new Set([team, otherTeam]),
    );
  });
});
