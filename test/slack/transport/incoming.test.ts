import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_BYTES, readFrame } from '../../../src/slack/transport/incoming.ts';

const envelope = (type: unknown, payload?: unknown, more: object = {}) =>
  JSON.stringify({ envelope_id: 'e1', type, payload, ...more });

describe('a frame of Socket Mode', () => {
  test.each([
    ['a greeting', '{"type":"hello","num_connections":1}', { type: 'hello' }],
    [
      'a request to go',
      '{"type":"disconnect","reason":"refresh_requested"}',
      { type: 'disconnect', reason: 'refresh_requested' },
    ],
    [
      'a request to go, without a reason',
      '{"type":"disconnect"}',
      { type: 'disconnect', reason: '(unreadable)' },
    ],
    [
      'a command',
      envelope('slash_commands', { command: '/c', text: 'x' }),
      {
        type: 'envelope',
        id: 'e1',
        incoming: { type: 'interaction', name: '/c', body: { command: '/c', text: 'x' } },
      },
    ],
    [
      'an interaction',
      envelope('interactive', { type: 'block_actions' }),
      { type: 'envelope', id: 'e1', incoming: { name: 'block_actions', body: { type: 'block_actions' } } },
    ],
    [
      'an event',
      envelope('events_api', { event: { type: 'message' } }, { retry_attempt: 0, retry_reason: '' }),
      { type: 'envelope', id: 'e1', incoming: { type: 'event', name: 'message', retry: {} } },
    ],
    [
      'an event that comes again',
      envelope('events_api', { event: { type: 'message' } }, { retry_attempt: 2, retry_reason: 'timeout' }),
      { incoming: { retry: { retryNum: 2 } } },
    ],
    [
      'that events are held back, which has no event in it',
      envelope('events_api', { type: 'app_rate_limited', team_id: 'T1', minute_rate_limited: 60 }),
      { id: 'e1', incoming: { type: 'rate_limit', workspace: 'T1', sinceIso: '1970-01-01T00:01:00.000Z' } },
    ],
    [
      'the same, without anything that can be told of it',
      envelope('events_api', {
        type: 'app_rate_limited',
        team_id: 'xoxb-1 or worse',
        minute_rate_limited: 1e300,
      }),
      { incoming: { type: 'rate_limit', workspace: '(unreadable)', sinceIso: undefined } },
    ],
  ])('is read: %s', (_name, text, frame) => {
    expect(readFrame(text)).toMatchObject(frame);
  });

  test.each([
    ['a binary message', undefined],
    ['a message that is too large', `"${'x'.repeat(2_000_000)}"`],
    ['no JSON object', ''],
    ['no JSON object', 'null'],
    ['no JSON object', '[]'],
    ['no envelope_id', '{"type":"events_api"}'],
    ['no envelope_id', '{"type":"events_api","envelope_id":1}'],
    ['an envelope of the unknown type dance', envelope('dance', {})],
    ['an envelope of the unknown type (unreadable)', envelope('xoxb-1 or worse', {})],
    ['a malformed slash_commands', envelope('slash_commands', { text: 'x' })],
    ['a malformed interactive', envelope('interactive', [])],
    ['a malformed events_api', envelope('events_api', { type: 'event_callback' })],
  ])('is named for the log: %s', (what, text) => {
    expect(readFrame(text)).toEqual({ type: 'malformed', what });
  });

  test('is never more than can be read', () => {
    fc.assert(fc.property(fc.oneof(fc.json(), fc.string()), (text) => void readFrame(text)));
  });
});

test('a message may have as many characters as a body has bytes, and not one more', () => {
  const hello = (length: number) => `{"type":"hello"${' '.repeat(length - 16)}}`;
  expect(readFrame(hello(MAX_BYTES))).toEqual({ type: 'hello' });
  expect(readFrame(hello(MAX_BYTES + 1))).toMatchObject({ type: 'malformed' });
});
