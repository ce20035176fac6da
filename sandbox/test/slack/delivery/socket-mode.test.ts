import { describe, expect } from 'vitest';
import type { SlackOptions } from '../../../slack/options.ts';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { openSlackHarness, option } from '../../support/slack-harness.ts';
import { connectSocketApp, openConnection } from '../../support/socket-app.ts';
import { testWith } from '../../support/test-with.ts';

/** Opens a harness with a Slack whose app is on Socket Mode, and a way to open connections. */
async function openSocketHarness(options?: Partial<SlackOptions>) {
  const harness = await openSlackHarness(options);
  const { slack } = harness;
  slack.connectApp({ socketMode: true });
  const open = (token?: string) => openConnection(slack, token);
  const connect = async () => connectSocketApp((await open()).url);
  const command = () => slack.person('ana').command('/cancel-order A-1001', { channel: '#support' });
  return { ...harness, open, connect, command };
}

const test = testWith(openSocketHarness, ['open', 'connect', 'command', 'slack', 'journal', 'call']).extend(
  'app',
  async ({ connect }) => {
    const app = await connect();
    await app.count(1);
    return app;
  },
);

describe('apps.connections.open', () => {
  test('takes the app-level token, and gives a URL', async ({ open }) => {
    expect(await open()).toMatchObject({ ok: true, url: expect.stringMatching(/^ws:.*\/link\/\?ticket=/) });
  });

  test.for([
    ['not_authed', () => ''],
    ['invalid_auth', () => 'xapp-guessed'],
    ['not_allowed_token_type', (bot: string) => bot],
  ] as const)('says %s', async ([error, token], { open, slack }) => {
    expect(await open(token(slack.installation().token))).toEqual({ ok: false, error });
  });

  test('is the only method that takes it', async ({ call, slack }) => {
    expect(await call('auth.test', {}, slack.appToken)).toMatchObject({ error: 'not_allowed_token_type' });
  });

  test('shows no secret in the journal', async ({ open, connect, journal, slack }) => {
    const { url } = await open();
    await connect();
    const shown = JSON.stringify(journal.entries());
    for (const secret of [slack.appToken, new URL(url).searchParams.get('ticket')])
      expect(shown).not.toContain(secret);
  });
});

describe('a connection', () => {
  test('is greeted', async ({ app, slack, journal }) => {
    expect(app.received).toMatchObject([{ type: 'hello', num_connections: 1 }]);
    expect(slack.sockets.count()).toBe(1);
    expect(journal.entries({ kind: 'socket' })).toMatchObject([
      { name: 'connect', ended: 'answered', response: { status: 101 } },
    ]);
  });

  test('can be opened once with one URL, and not with a URL of one’s own', async ({ open }) => {
    const { url } = await open();
    await connectSocketApp(url);
    await expect(connectSocketApp(url)).rejects.toThrow('refused');
    await expect(connectSocketApp(url.replace(/ticket=[^&]+/, 'ticket=1'))).rejects.toThrow('refused');
  });

  test.for([
    ['refused', { type: 'status', status: 503 }],
    ['dropped', { type: 'drop' }],
  ] as const)('can be %s by a fault', async ([, fault], { connect, slack, journal }) => {
    slack.faults.schedule({ on: 'socket.connect', fault });
    await expect(connect()).rejects.toThrow('refused');
    expect(journal.entries({ kind: 'socket' })).toMatchObject([{ processed: false, fault }]);
    await connect();
  });

  test('can be greeted late, or opened late', async ({ connect, slack }) => {
    const greeting = slack.faults.schedule({ on: 'socket.connect', fault: { type: 'hold', when: 'after' } });
    const app = await connect();
    await greeting.reached;
    expect(app.received).toEqual([]);
    greeting.release();
    await app.count(1);
    const opening = slack.faults.schedule({ on: 'socket.connect', fault: { type: 'hold', when: 'before' } });
    const late = connect();
    await opening.reached;
    expect(slack.sockets.count()).toBe(1);
    opening.release();
    await (await late).count(1);
  });

  test('outlasts requests to leave, and can be dropped or closed', async ({
    app,
    connect,
    slack,
    journal,
  }) => {
    slack.sockets.askToLeave('refresh_requested');
    expect((await app.count(2))[1]).toMatchObject({ type: 'disconnect', reason: 'refresh_requested' });
    expect(slack.sockets.count()).toBe(1);
    slack.sockets.drop();
    await app.closed;
    const other = await connect();
    await other.count(1);
    other.close();
    await journal.waitFor({ kind: 'socket', name: 'close', from: 'bot' });
    expect(journal.entries({ kind: 'socket', name: 'close' }).map(({ from }) => from)).toEqual([
      'slack',
      'bot',
    ]);
  });
});

describe('an envelope', () => {
  test('contains what a form contains over HTTP, and has the same journal entry', async () => {
    const { connect, command, journal } = await openSocketHarness();
    const app = await connect();
    app.answer(() => ({ text: 'Hello' }));
    const seen = await command();
    expect(app.received[1]).toMatchObject({
      type: 'slash_commands',
      envelope_id: expect.any(String),
      accepts_response_payload: true,
      payload: {
        command: '/cancel-order',
        text: 'A-1001',
        team_id: SEED.team,
        trigger_id: expect.any(String),
      },
    });
    expect(seen).toMatchObject({ ack: { status: 200 }, ephemerals: [{ text: 'Hello' }] });
    expect(journal.entries({ kind: 'command' })).toMatchObject([
      { name: '/cancel-order', from: 'slack', to: 'bot', response: { status: 200, body: { text: 'Hello' } } },
    ]);
  });

  test('of an interaction says whether its answer may have a payload; any other payload is ignored', async () => {
    const { connect, slack, call } = await openSocketHarness();
    const app = await connect();
    app.answer(() => ({ options: [option('One', 'one')] }));
    await slack.person('ana').shortcut('new_request');
    expect(app.received[1]).toMatchObject({ type: 'interactive', accepts_response_payload: false });
    const element = { type: 'external_select', action_id: 'pick', min_query_length: 1 };
    const label = { type: 'plain_text', text: 'Pick' };
    const view = {
      type: 'modal',
      title: label,
      submit: label,
      blocks: [{ type: 'input', block_id: 'picked', label, element }],
    };
    await call('views.open', { trigger_id: app.received[1]?.payload['trigger_id'], view });
    const ana = slack.person('ana');
    expect((await ana.search('pick', 'on')).options).toMatchObject([{ value: 'one' }]);
    app.answer(() => ({ response_action: 'errors', errors: { picked: 'Not this one' } }));
    expect(await ana.submit({ pick: 'one' })).toMatchObject({
      outcome: 'errors',
      errors: { picked: 'Not this one' },
    });
    expect(app.received.slice(2)).toMatchObject([
      { type: 'interactive', accepts_response_payload: true, payload: { type: 'block_suggestion' } },
      { type: 'interactive', accepts_response_payload: true, payload: { type: 'view_submission' } },
    ]);
  });

  test.each([
    ['is not acknowledged in time', 'operation_timeout', undefined],
    ['is not acknowledged before the connection is gone', 'dispatch_failed', { type: 'unanswered' }],
    ['does not get there', 'dispatch_failed', { type: 'drop' }],
    ['is acknowledged late', 'operation_timeout', { type: 'delay_answer', ms: 1_500 }],
  ] as const)('that %s shows the person the same trouble as over HTTP', async (_name, trouble, fault) => {
    const { connect, command, slack } = await openSocketHarness();
    const app = await connect();
    await app.count(1);
    if (fault) slack.faults.schedule({ on: 'socket.envelope', fault });
    else app.answer(() => 'silence');
    expect((await command()).trouble).toBe(trouble);
  });

  test('fails while no connection is open', async ({ command, slack }) => {
    expect((await command()).trouble).toBe('dispatch_failed');
    await expect(async () => slack.deliver({ body: '' })).rejects.toThrow('Socket Mode');
  });

  test('can be held, or sent late', async ({ app, command, slack }) => {
    const held = slack.faults.schedule({ on: 'socket.envelope', fault: { type: 'hold', when: 'before' } });
    const seen = command();
    await held.reached;
    expect(app.received.filter(({ type }) => type === 'slash_commands')).toEqual([]);
    held.release();
    expect((await seen).trouble).toBeUndefined();
    slack.faults.schedule({ on: 'socket.envelope', fault: { type: 'delay', ms: 1 } });
    expect((await command()).trouble).toBeUndefined();
  });

  test('refuses a fault that only HTTP has', async ({ connect, command, slack }) => {
    await connect();
    slack.faults.schedule({ on: 'socket.envelope', fault: { type: 'garbage' } });
    await expect(command()).rejects.toThrow("can't strike an envelope");
  });

  test('goes to one connection, in turn; to one that the app was asked to leave only if there is no other', async () => {
    const { connect, command, slack } = await openSocketHarness();
    const first = await connect();
    await first.count(1);
    slack.sockets.askToLeave('warning');
    await command();
    const [second, third] = [await connect(), await connect()];
    await Promise.all([second.count(1), third.count(1)]);
    for (let times = 0; times < 4; times += 1) await command();
    const commands = [first, second, third].map(
      ({ received }) => received.filter(({ type }) => type === 'slash_commands').length,
    );
    expect(commands).toEqual([1, 2, 2]);
  });

  test('is acknowledged only by its own id', async ({ app, command, journal }) => {
    app.answer(({ envelope_id }) => {
      for (const text of ['', 'null', '{}', '{"envelope_id":"another"}', '{"envelope_id":1}']) app.send(text);
      app.send(JSON.stringify({ envelope_id }));
      return undefined;
    });
    expect((await command()).ack).toEqual({ ended: 'answered', status: 200, body: '' });
    // The second acknowledgement of the same envelope is the last of them.
    await expect.poll(() => journal.entries({ kind: 'socket', name: 'unmatched' }).length).toBe(6);
  });

  test('is unmatched if it is acknowledged after the time-out', async ({ app, command, journal }) => {
    app.answer(() => 'silence');
    expect((await command()).trouble).toBe('operation_timeout');
    const { envelope_id } = app.received.at(-1) ?? {};
    app.send(JSON.stringify({ envelope_id }));
    expect((await journal.waitFor({ name: 'unmatched' })).request).toEqual({ envelope_id });
  });

  test('of an event is sent again until it is acknowledged, with the attempt and the reason', async () => {
    const { connect, slack } = await openSocketHarness({ subscriptions: ['message.channels'] });
    const app = await connect();
    app.answer(({ retry_attempt }) => (retry_attempt === 2 ? undefined : 'silence'));
    slack.person('ana').say('Hello', { channel: '#support' });
    const [delivery] = slack.events.list();
    await delivery?.settled;
    expect(delivery).toMatchObject({ state: 'delivered', attempts: ['timeout', 'timeout', 200] });
    const envelopes = app.received.filter(({ type }) => type === 'events_api');
    expect(envelopes).toMatchObject([
      { retry_attempt: 0, retry_reason: '', accepts_response_payload: false },
      { retry_attempt: 1, retry_reason: 'timeout' },
      { retry_attempt: 2, retry_reason: 'timeout' },
    ]);
    expect(new Set(envelopes.map(({ payload }) => payload['event_id'])).size).toBe(1);
  });
});
