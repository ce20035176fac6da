import { describe, expect, test } from 'vitest';
import {
  faultOf,
  pretty,
  statusOf,
  timeOf,
} from '../../../../../page/client/inspector/traffic/exchange-text.ts';
import { action, begun, entry } from './exchanges.ts';

describe('how an exchange ended is', () => {
  test.each([
    ['under way', begun],
    ['200', entry()],
    ['404', entry({ response: { status: 404, body: {} } })],
    ['no connection', entry({ ended: 'no_connection' })],
    ['client gone', entry({ ended: 'client_gone', response: { status: 201, body: {} } })],
    ['not sent', action({ outcome: 'not_sent' })],
    ['', action({})],
    ['', action(undefined)],
  ])('%j', (word, exchange) => {
    expect(statusOf(exchange)).toBe(word);
  });
});

test('the fault that struck an exchange is named', () => {
  expect(faultOf(entry({ fault: { type: 'rate_limit', retryAfterSeconds: 5 } }))).toBe('rate_limit');
  expect([faultOf(entry()), faultOf(begun)]).toEqual(['', '']);
});

test('the time of day has all its digits', () => {
  expect(timeOf(new Date(2026, 2, 5, 3, 4, 9, 7).getTime())).toBe('03:04:09.007');
});

describe('JSON for a person', () => {
  test('has a body that is JSON in a string unfolded', () => {
    const shown = pretty({ id: 'A-1', body: '{"reason":"Late"}' });
    expect(JSON.parse(shown)).toEqual({ id: 'A-1', body: { reason: 'Late' } });
    expect(shown).toContain('\n');
  });

  test('leaves alone what only looks like it', () => {
    for (const body of ['{reason', '[', '12', '"a"', '']) {
      expect(JSON.parse(pretty({ body }))).toEqual({ body });
    }
    expect(pretty('plain text')).toBe('plain text');
    expect(pretty(undefined)).toBe('');
  });
});
