import { describe, expect } from 'vitest';
import { DEFAULT_SCOPES } from '../../../slack/world/app/settings.ts';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { openSlackHarness, type Told } from '../../support/slack-harness.ts';
import { connectSocketApp, openConnection } from '../../support/socket-app.ts';
import { testWith } from '../../support/test-with.ts';

const { users, channels } = SEED;
const subscriptions = ['reaction_added', 'reaction_removed'];
const test = testWith(() => openSlackHarness({ subscriptions }), ['slack', 'bot', 'call', 'told']);

/** Opens a harness whose app listens over Socket Mode. */
async function openSocketHarness() {
  const harness = await openSlackHarness({ subscriptions });
  harness.slack.connectApp({ socketMode: true });
  const app = await connectSocketApp((await openConnection(harness.slack)).url);
  const greetings = 1;
  const told = async (count: number) =>
    (await app.count(greetings + count)).slice(greetings).map(({ payload }) => payload as Told);
  return { ...harness, told };
}

describe.each([
  ['HTTP', () => openSlackHarness({ subscriptions })],
  ['Socket Mode', openSocketHarness],
])('over %s', (_, open) => {
  const test = testWith(open, ['slack', 'post', 'told']);

  test('the app gets events of who reacted to what, and who removed it', async ({ slack, post, told }) => {
    const { ts } = await post({ channel: channels.approvals });
    const cara = slack.person('cara');
    cara.react('+1::skin-tone-2', { channel: '#approvals', ts });
    cara.unreact('+1::skin-tone-2', { channel: '#approvals', ts });
    const events = (await told(2)).map(({ event }) => event);
    const common = {
      user: users.cara,
      reaction: '+1::skin-tone-2',
      item: { type: 'message', channel: channels.approvals, ts },
      item_user: slack.installation().bot_user_id,
      event_ts: expect.stringMatching(/^\d+\.\d{6}$/),
    };
    expect(events).toHaveLength(2);
    for (const type of subscriptions) expect(events).toContainEqual({ type, ...common });
    const times = subscriptions.map((name) => String(events.find(({ type }) => type === name)?.['event_ts']));
    expect(times).toEqual([...times].sort());
  });

  test('what happened first can arrive last, twice, or never', async ({ slack, told }) => {
    const cara = slack.person('cara');
    const at = cara.say('Approve?', { channel: '#approvals' });
    const held = slack.events.hold('reaction_added', 'reaction_removed');
    cara.react('tada', at);
    cara.unreact('tada', at);
    slack.person('dev').react('eyes', at);
    cara.react('x', at);
    await held.deliver(1).settled;
    await held.deliver(0).settled;
    await held.lose(2).settled;
    for (const { settled } of held.release()) await settled;
    await slack.events.redeliver(held.list()[1]?.event_id ?? '').settled;
    const arrived = (await told(4)).map(({ event }) => `${event['type']} ${event['reaction']}`);
    expect(arrived).toEqual([
      'reaction_removed tada',
      'reaction_added tada',
      'reaction_added x',
      'reaction_removed tada',
    ]);
  });
});

describe('what is held', () => {
  test('keeps its place, and has only the named types', async () => {
    const { slack, told } = await openSlackHarness({
      subscriptions: [...subscriptions, 'message.groups'],
    });
    const held = slack.events.hold('reaction_added');
    const at = slack.person('cara').say('Approve?', { channel: '#approvals' });
    slack.person('dev').react('x', at);
    expect((await told(1))[0]?.event).toMatchObject({ type: 'message' });
    expect(held.list()).toMatchObject([{ state: 'held', attempts: [] }]);
    await held.deliver(0).settled;
    expect(held.list()).toMatchObject([{ state: 'delivered', attempts: [200] }]);
    expect(() => held.deliver(0)).toThrow('no event is held in place 0');
    expect(() => held.lose(1)).toThrow('no event is held in place 1');
  });

  test('goes straight to the app once there is no hold any more', async ({ slack, told }) => {
    const held = slack.events.hold();
    const at = slack.person('cara').say('Approve?', { channel: '#approvals' });
    slack.person('dev').react('x', at);
    held.lose(0);
    expect(held.release()).toEqual([]);
    slack.person('dev').react('eyes', at);
    expect(await told(1)).toMatchObject([{ event: { reaction: 'eyes' } }]);
    await slack.events.list()[1]?.settled;
    expect(slack.events.list().map(({ state }) => state)).toEqual(['lost', 'delivered']);
  });
});

describe('a reaction', () => {
  test('by the other company sends an event in a shared channel', async ({ slack, call, told }) => {
    await call('conversations.join', { channel: channels.partners });
    const at = slack.person('ana').say('Approve?', { channel: '#partners' });
    slack.person('gus').react('+1', at);
    expect(await told(1)).toMatchObject([
      { is_ext_shared_channel: true, event: { user: users.gus, item_user: users.ana } },
    ]);
  });

  test('where the bot is not, or without reactions:read, sends no event', async ({ slack }) => {
    const elsewhere = slack.person('ana').say('Approve?', { channel: '#partners' });
    slack.person('ben').react('+1', elsewhere);
    slack.admin.setScopes(
      SEED.team,
      DEFAULT_SCOPES.filter((scope) => scope !== 'reactions:read'),
    );
    const at = slack.person('ana').say('Approve?', { channel: '#support' });
    slack.person('ben').react('+1', at);
    expect(slack.events.list()).toEqual([]);
  });

  test('stays when its person is deactivated, and goes with its message, both without an event', async ({
    slack,
    call,
  }) => {
    const at = slack.person('cara').say('Approve?', { channel: '#approvals' });
    slack.person('dev').react('+1', at);
    slack.admin.deactivate(users.dev);
    const { message } = await call('reactions.get', { channel: channels.approvals, timestamp: at.ts });
    expect(message.reactions).toEqual([{ name: '+1', users: [users.dev], count: 1 }]);
    expect(() => slack.person('dev').unreact('+1', at)).toThrow('deactivated');
    slack.person('cara').deleteMessage(at);
    expect(slack.events.list()).toHaveLength(1);
  });
});
