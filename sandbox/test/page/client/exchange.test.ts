import { describe, expect, test } from 'vitest';
import type { JournalEntry } from '../../../lib/http/journal.ts';
import {
  type Begun,
  contains,
  pretty,
  refusal,
  statusOf,
  subjectOf,
} from '../../../page/client/inspector/exchange.ts';
import { modal, payloadOf } from '../../support/slack-harness.ts';
import { openPageHarness } from '../support/harness.ts';

/** A call of the bot that has not ended. */
const begun: Begun = {
  at: 0,
  from: 'bot',
  to: 'slack',
  kind: 'web_api',
  name: 'chat.postMessage',
  request: { text: 'Hello' },
};

/** The same call, answered by default. */
const entry = (given: Partial<JournalEntry> = {}): JournalEntry => ({
  ...begun,
  n: 1,
  after: 0,
  ms: 1,
  ended: 'answered',
  response: { status: 200, body: { ok: true } },
  ...given,
});

const answered = (status: number, body: unknown) => entry({ response: { status, body } });

test.each([
  ['under way', begun],
  ['200', entry()],
  ['404', answered(404, {})],
  ['no connection', entry({ ended: 'no_connection' })],
  ['not sent', entry({ outcome: { outcome: 'not_sent' } })],
])('the result of an exchange is in a word: %s', (word, exchange) => {
  expect(statusOf(exchange)).toBe(word);
});

describe('a refusal', () => {
  test.each([
    ['what is under way', begun],
    ['what was answered', entry()],
    ['an answer without a body', answered(204, '')],
    ['a redirect', answered(307, undefined)],
    ['an act that went well', entry({ outcome: { outcome: 'closed', errors: {} } })],
  ])('is not shown for %s', (_, exchange) => {
    expect(refusal(exchange)).toBeUndefined();
  });

  const complaints = { messages: ['[ERROR] a', '[ERROR] b'] };
  test.each([
    [
      'what Slack complains of',
      200,
      { ok: false, error: 'invalid_blocks', response_metadata: complaints },
      'invalid_blocks\n[ERROR] a\n[ERROR] b',
    ],
    ['the status of an answer without a reason', 400, { a: 1 }, 'The answer was 400.'],
  ])('shows %s', (_, status, body, text) => {
    expect(refusal(answered(status, body))).toBe(text);
  });

  test('says how an exchange without an answer ended, and why the sandbox itself failed', () => {
    expect(refusal(entry({ ended: 'timeout' }))).toBe('No answer came in time.');
    const body = { ok: false, error: 'sandbox_error', reason: 'Error: oops' };
    const failed = entry({ ended: 'sandbox_error', response: { status: 500, body } });
    expect(refusal(failed)).toBe('The sandbox itself failed.\nError: oops');
  });

  test('shows what a real sandbox refuses', async () => {
    const { slack, call, cancel, journal, bot } = await openPageHarness();
    await call('chat.postMessage', { channel: 'C0NOWHERE1', text: 'Hello' });
    await cancel('A-9999');
    await slack
      .person('ana')
      .submit()
      .catch(() => undefined);
    bot.answer(() => ({ status: 500, body: 'oops' }));
    await slack.person('ana').command('/cancel-order', { channel: '#support' });
    expect(journal.entries().map((each) => [each.kind, refusal(each)])).toEqual([
      ['web_api', 'channel_not_found'],
      ['order_service', expect.stringMatching(/^VALIDATION_ERROR\n./)],
      ['person', 'ana has no modal open'],
      ['command', 'oops'],
      ['person', 'dispatch_failed'],
    ]);
  });
});

describe('the subject of an exchange', () => {
  test('is the order, what was typed, or the modal, as in a real sandbox', async () => {
    const { slack, service, bot, call, cancel, journal } = await openPageHarness();
    service.subscribe({ url: bot.url, secret: 'a-secret-of-a-subscription' });
    const ana = slack.person('ana');
    await ana.command('/cancel-order A-2001', { channel: '#support' });
    await call('views.open', { trigger_id: payloadOf(bot).trigger_id, view: modal() });
    ana.react('+1', ana.say('Hello', { channel: '#support' }));
    await cancel('A-2001');
    await journal.waitFor({ kind: 'service_event' });
    const subjects = journal.entries().map((each) => [`${each.kind} ${each.name}`, subjectOf(each)]);
    expect(Object.fromEntries(subjects)).toMatchObject({
      'person command': '/cancel-order A-2001',
      'command /cancel-order': 'A-2001',
      'web_api views.open': 'cancel_order',
      'person say': 'Hello',
      'person react': '+1',
      'order_service cancel_order': 'A-2001',
      'service_event order.cancellationrequest.created': 'A-2001',
    });
  });

  test('is empty where a few words can’t name it', () => {
    for (const request of [{}, null, undefined, 'text', { id: '' }, { id: 7, actions: [] }])
      expect(subjectOf({ ...begun, request })).toBe('');
  });
});

test.each([
  ['postmessage', true],
  ['  Hello ', true],
  ['BOT', true],
  ['channel_not_found', true],
  ['goodbye', false],
  ['   ', true],
])('a search for %j finds a call, in its names and its bodies: %s', (text, isFound) => {
  expect(contains(answered(200, { ok: false, error: 'channel_not_found' }), text)).toBe(isFound);
});

test('a body that is JSON in a string is unfolded, and any other left as it is', () => {
  const shown = pretty({ id: 'A-1', body: '{"reason":"Late"}' });
  expect(JSON.parse(shown)).toEqual({ id: 'A-1', body: { reason: 'Late' } });
  for (const body of ['{reason', '[', '12', '"a"', ''])
    expect(JSON.parse(pretty({ body }))).toEqual({ body });
  expect([pretty('plain text'), pretty(undefined)]).toEqual(['plain text', '']);
});
