import { describe, expect, test } from 'vitest';
import type { Ending } from '../../../../../lib/http/journal.ts';
import { refusal } from '../../../../../page/client/inspector/traffic/refusal.ts';
import { openPageDesk } from '../../../support.ts';
import { begun, deed, entry } from './exchanges.ts';

describe('nothing was refused', () => {
  test.each([
    ['of what is under way', begun],
    ['of what was answered', entry()],
    ['of an answer without a body', entry({ response: { status: 204, body: '' } })],
    ['of a redirect', entry({ response: { status: 307, body: undefined } })],
    ['of an act that went well', deed({ outcome: 'closed', errors: {} })],
    ['of an act without an outcome', deed(undefined)],
  ])('%s', (_, exchange) => {
    expect(refusal(exchange)).toBeUndefined();
  });
});

describe('a refusal tells', () => {
  test.each([
    ['Slack’s code', { status: 200, body: { ok: false, error: 'channel_not_found' } }, 'channel_not_found'],
    [
      'what Slack complains of',
      {
        status: 200,
        body: {
          ok: false,
          error: 'invalid_blocks',
          response_metadata: { messages: ['[ERROR] a', '[ERROR] b'] },
        },
      },
      'invalid_blocks\n[ERROR] a\n[ERROR] b',
    ],
    [
      'the service’s code and message',
      { status: 404, body: { code: 'NOT_FOUND', message: 'No such order' } },
      'NOT_FOUND\nNo such order',
    ],
    ['the text of an answer that is no JSON', { status: 500, body: 'oops' }, 'oops'],
    ['the status of an answer that says nothing', { status: 502, body: '' }, 'The answer was 502.'],
    [
      'the status of an answer that says what nobody knows',
      { status: 400, body: { a: 1 } },
      'The answer was 400.',
    ],
  ])('%s', (_, response, text) => {
    expect(refusal(entry({ response }))).toBe(text);
  });

  test.each([
    ['why a person may not', { refused: 'ana is not in #support-leads' }, 'ana is not in #support-leads'],
    ['what troubled Slack', { outcome: 'trouble', trouble: 'dispatch_failed' }, 'dispatch_failed'],
  ])('%s', (_, outcome, text) => {
    expect(refusal(deed(outcome))).toBe(text);
  });

  const ENDINGS: Exclude<Ending, 'answered'>[] = [
    'client_gone',
    'timeout',
    'no_connection',
    'dropped',
    'unanswered',
    'truncated',
    'sandbox_error',
  ];
  test.each(ENDINGS)('that an exchange ended with %s, in a sentence', (ended) => {
    expect(refusal(entry({ ended, response: { status: 201, body: {} } }))).toMatch(/^[A-Z][^\n]+\.$/);
  });

  test('why the sandbox itself failed', () => {
    const body = { ok: false, error: 'sandbox_error', reason: 'Error: oops' };
    expect(refusal(entry({ ended: 'sandbox_error', response: { status: 500, body } }))).toMatch(
      /\.\nError: oops$/,
    );
  });
});

test('what a real sandbox refuses is told', async () => {
  const { slack, call, cancel, journal, bot } = await openPageDesk();
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
