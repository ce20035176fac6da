import { createHmac } from 'node:crypto';
import { describe, expect } from 'vitest';
import { SEED } from '../../../slack/world/seed/seed.ts';
import {
  actions,
  button,
  openSlackHarness,
  option,
  payloadOf,
  SUPPORT,
  section,
  test,
  text,
} from '../../support/slack-harness.ts';

const { users, channels } = SEED;
const at = (ts: string, channel = '#support') => ({ channel, ts });

describe('a slash command', () => {
  test('is a signed form with a trigger and a response_url', async ({ slack, bot }) => {
    await slack.person('ana').command('/cancel-order  A-1001 too late', { channel: '#support' });
    const [request] = bot.received;
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toMatchObject({
      command: '/cancel-order',
      text: 'A-1001 too late',
      team_id: SEED.team,
      team_domain: 'acme-support',
      channel_id: SUPPORT,
      channel_name: 'support',
      user_id: users.ana,
      user_name: 'ana',
      api_app_id: slack.installation().app_id,
      is_enterprise_install: 'false',
      trigger_id: expect.any(String),
      response_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/commands\//),
    });
    const timestamp = request?.headers['x-slack-request-timestamp'];
    const base = `v0:${timestamp}:${request?.body}`;
    const digest = createHmac('sha256', slack.signingSecret).update(base).digest('hex');
    expect(request?.headers['x-slack-signature']).toBe(`v0=${digest}`);
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded');
  });

  test.for([
    ['plain text', 'Hello'],
    ['a message', { text: 'Hello', blocks: [section('Hello')] }],
  ] as const)('answered with %s shows it to the person alone', async ([, body], { slack, bot }) => {
    bot.answer(() => ({ body }));
    const seen = await slack.person('ana').command('/cancel-order', { channel: '#support' });
    expect(seen.ephemerals).toMatchObject([{ text: 'Hello', user: users.ana }]);
    expect(slack.messages('#support')).toEqual([]);
  });

  test.each([
    ['operation_timeout', () => 'hang' as const, 20],
    ['dispatch_failed', () => ({ status: 500 }), 3_000],
    ['dispatch_failed', () => 'drop' as const, 3_000],
    ['invalid_blocks', () => ({ body: { text: 'x', blocks: [{ type: 'nonsense' }] } }), 3_000],
  ])('that fails with %s tells the person so', async (trouble, how, ackTimeoutMs) => {
    const { slack, bot } = await openSlackHarness({ ackTimeoutMs });
    bot.answer(how);
    const seen = await slack.person('ana').command('/cancel-order', { channel: '#support' });
    expect(seen).toMatchObject({
      trouble,
      ephemerals: [{ text: `/cancel-order failed with the error "${trouble}"` }],
    });
  });

  test('whose answer is lost has been received all the same', async ({ slack, bot }) => {
    slack.faults.schedule({ on: 'app.answer', where: { kind: 'command' }, fault: { type: 'unanswered' } });
    const person = slack.person('ana');
    expect(await person.command('/cancel-order', { channel: '#support' })).toMatchObject({
      trouble: 'operation_timeout',
    });
    expect(bot.received).toHaveLength(1);
    expect(await person.command('/cancel-order', { channel: '#support' })).not.toHaveProperty('trouble');
  });

  test.each([
    ['ana', '/cancel-order', '#support-leads', 'ana is not in #support-leads'],
    ['ana', '/cancel-order', '#old-returns', '#old-returns is archived'],
    ['ana', '/explode', '#support', '/explode is not a valid command'],
    ['ana', 'cancel', '#support', '"cancel" is no command'],
    ['gus', '/cancel-order', '#partners', 'the app is not installed at'],
    ['dora', '/cancel-order', '#support', "dora's account is deactivated"],
  ])('of %s (%s in %s) is not sent', async (name, line, channel, complaint) => {
    const { slack, bot } = await openSlackHarness({ commands: ['/cancel-order'] });
    const run = async () => slack.person(name).command(line, { channel });
    await expect(run()).rejects.toThrow(complaint);
    expect(bot.received).toEqual([]);
  });

  test('names private channels and direct messages as Slack does', async ({ slack, bot, call }) => {
    const { channel } = await call('conversations.open', { users: users.cara });
    await slack.person('cara').command('/cancel-order', { channel: '#support-leads' });
    await slack.person('cara').command('/cancel-order', { channel: channel.id });
    expect([payloadOf(bot, 0), payloadOf(bot, 1)]).toMatchObject([
      { channel_name: 'privategroup' },
      { channel_name: 'directmessage' },
    ]);
  });
});

describe('a button in a message', () => {
  const card = {
    text: 'A card',
    blocks: [section('A card'), actions(button('retry', 'Retry', { value: 'r1' }))],
  };

  test('carries the message, a trigger and a response_url', async ({ slack, bot, post }) => {
    const { ts } = await post(card);
    await slack.person('ana').click('Retry', at(ts));
    expect(payloadOf(bot)).toMatchObject({
      type: 'block_actions',
      user: { id: users.ana, team_id: SEED.team },
      container: { type: 'message', message_ts: ts, channel_id: SUPPORT, is_ephemeral: false },
      channel: { id: SUPPORT, name: 'support' },
      message: { ts, text: 'A card', bot_id: slack.installation().bot_id },
      trigger_id: expect.any(String),
      response_url: expect.stringContaining('/actions/'),
      actions: [{ type: 'button', action_id: 'retry', value: 'r1', text: { text: 'Retry' } }],
    });
  });

  test('in a thread says which thread', async ({ slack, bot, post }) => {
    const { ts } = await post({});
    const reply = await post({ ...card, thread_ts: ts });
    await slack.person('ana').click('retry', at(reply.ts));
    expect(payloadOf(bot)).toMatchObject({ container: { thread_ts: ts }, message: { thread_ts: ts } });
  });

  test("can be pressed by an external user in a shared channel: team is the app's, user.team_id is theirs", async () => {
    const { slack, bot, call, post } = await openSlackHarness();
    await call('conversations.join', { channel: channels.partners });
    const { ts } = await post({ ...card, channel: channels.partners });
    await slack.person('gus').click('Retry', at(ts, '#partners'));
    expect(payloadOf(bot)).toMatchObject({
      team: { id: SEED.team },
      user: { id: users.gus, team_id: SEED.otherTeam },
    });
  });

  test('is not there for those who do not see it, or once it is gone', async ({ slack, call, post, bot }) => {
    const { ts } = await post(card);
    await expect(slack.person('gus').click('Retry', at(ts))).rejects.toThrow('there is no channel #support');
    await call('chat.update', { channel: SUPPORT, ts, text: 'Done', blocks: [] });
    await expect(slack.person('ana').click('Retry', at(ts))).rejects.toThrow('"Retry" is not there');
    expect(bot.received).toEqual([]);
  });

  test('with a confirmation dialog can be answered with no', async () => {
    const confirm = { title: text('Sure?'), text: text('Really?'), confirm: text('Yes'), deny: text('No') };
    const { slack, bot, post } = await openSlackHarness();
    const { ts } = await post({ blocks: [actions(button('retry', 'Retry', { confirm }))] });
    await slack.person('ana').click('Retry', at(ts), { confirm: false });
    expect(bot.received).toEqual([]);
    await slack.person('ana').click('Retry', at(ts));
    expect(bot.received).toHaveLength(1);
  });

  test.each([
    ['value', (value: string) => button('it', 'Go', { value })],
    ['option', menu],
  ])('tells the %s that the person saw, though it was updated meanwhile', async (what, draw) => {
    const { slack, bot, call, post } = await openSlackHarness();
    const { channel, ts } = await post({ blocks: [actions(draw('before'))] });
    await call('chat.update', { channel, ts, text: 'New', blocks: [actions(draw('now'))] });
    for (const [n, seen] of ['before', 'now'].entries()) {
      await slack.person('ana').click('buttons/it', at(ts), { [what]: seen });
      expect(JSON.stringify(payloadOf(bot, n).actions)).toContain(`"value":"${seen}"`);
    }
  });
});

/** A menu with one option. */
function menu(value: string) {
  return { type: 'overflow', action_id: 'it', options: [option(value, value)] };
}

describe('other elements of a message', () => {
  test('a select remembers what each person chose', async ({ slack, bot, post }) => {
    const options = [option('Yes', 'yes'), option('No', 'no')];
    const { ts } = await post({ blocks: [actions({ type: 'static_select', action_id: 'sure', options })] });
    await slack.person('ana').fill({ sure: 'No' }, at(ts));
    expect(payloadOf(bot)).toMatchObject({
      actions: [{ type: 'static_select', selected_option: { value: 'no' } }],
      state: { values: { buttons: { sure: { selected_option: { value: 'no' } } } } },
    });
  });

  test('a date picker sends the chosen day, and offers real days only', async ({ slack, bot, post }) => {
    const { ts } = await post({ blocks: [actions({ type: 'datepicker', action_id: 'day' })] });
    await slack.person('ana').fill({ day: '2026-11-24' }, at(ts));
    expect(payloadOf(bot).actions).toMatchObject([{ type: 'datepicker', selected_date: '2026-11-24' }]);
    await expect(slack.person('ana').fill({ day: '2026-02-30' }, at(ts))).rejects.toThrow('does not offer');
  });

  test('an overflow menu offers its options', async ({ slack, bot, post }) => {
    const { ts } = await post({
      blocks: [actions({ type: 'overflow', action_id: 'more', options: [option('Close', 'close')] })],
    });
    await slack.person('ana').click('more', at(ts), { option: 'Close' });
    expect(payloadOf(bot).actions).toMatchObject([{ type: 'overflow', selected_option: { value: 'close' } }]);
    await expect(slack.person('ana').click('more', at(ts), { option: 'Open' })).rejects.toThrow(
      'does not offer',
    );
  });

  test('an ephemeral message has buttons for its person alone, and no message in the payload', async () => {
    const { slack, bot, call } = await openSlackHarness();
    await call('chat.postEphemeral', {
      channel: SUPPORT,
      user: users.ana,
      text: 'Sure?',
      blocks: [actions(button('yes', 'Yes'))],
    });
    const [ephemeral] = slack.person('ana').ephemerals();
    const where = at(ephemeral?.ts ?? '');
    await slack.person('ana').click('Yes', where);
    expect(payloadOf(bot)).toMatchObject({ container: { is_ephemeral: true } });
    expect(payloadOf(bot)).not.toHaveProperty('message');
    await expect(slack.person('ben').click('Yes', where)).rejects.toThrow('ben sees no message');
  });
});

describe('shortcuts', () => {
  test('a message shortcut carries the message and its thread', async ({ slack, bot }) => {
    const ben = slack.person('ben');
    const asked = ben.say('Please cancel A-1001', { channel: '#support' });
    const more = ben.say('It is urgent', { channel: '#support', thread_ts: asked.ts });
    await slack.person('ana').messageShortcut('cancel_from_message', more);
    expect(payloadOf(bot)).toMatchObject({
      type: 'message_action',
      callback_id: 'cancel_from_message',
      message_ts: more.ts,
      message: { text: 'It is urgent', thread_ts: asked.ts, user: users.ben },
      channel: { id: SUPPORT },
      response_url: expect.stringContaining('/app/'),
      trigger_id: expect.any(String),
    });
  });

  test('a global shortcut carries a trigger and no channel', async () => {
    const { slack, bot } = await openSlackHarness({ shortcuts: ['new_request'] });
    await slack.person('ana').shortcut('new_request');
    expect(payloadOf(bot)).toMatchObject({ type: 'shortcut', callback_id: 'new_request' });
    expect(payloadOf(bot)).not.toHaveProperty('channel');
    await expect(slack.person('ana').shortcut('nonsense')).rejects.toThrow('there is no shortcut nonsense');
  });
});

test('anything can be sent to the app, signed rightly or wrongly', async ({ slack, bot, journal }) => {
  bot.answer(() => ({ status: 401 }));
  const forged = {
    body: 'payload={}',
    signingSecret: 'a-guess',
    timestamp: 1,
    headers: { 'x-slack-retry-num': '1' },
  };
  expect(await slack.deliver(forged)).toMatchObject({ ended: 'answered', status: 401 });
  expect(bot.received[0]?.headers).toMatchObject({
    'x-slack-request-timestamp': '1',
    'x-slack-retry-num': '1',
  });
  expect(journal.entries({ name: 'raw' })).toHaveLength(1);
});

test('a command fails while the app can’t be reached, and works once it is connected', async () => {
  const { slack, bot } = await openSlackHarness();
  slack.connectApp({ requestUrl: 'http://127.0.0.1:1/' });
  const ana = slack.person('ana');
  expect(await ana.command('/cancel-order', { channel: '#support' })).toMatchObject({
    trouble: 'dispatch_failed',
    ack: { ended: 'no_connection' },
  });
  slack.connectApp({ requestUrl: bot.url });
  expect((await ana.command('/cancel-order', { channel: '#support' })).trouble).toBeUndefined();
});
