import { describe, expect, test } from 'vitest';
import { countOf, either, listed } from '../../../src/slack/blocks/text.ts';
import { connectedText, disconnectedText } from '../../../src/slack/messages/sentences/connection-texts.ts';
import { nearLimitText } from '../../../src/slack/messages/sentences/form-texts.ts';
import { personSentence, tryAgain } from '../../../src/slack/messages/sentences/problems.ts';
import type { Disconnected } from '../../../src/workspaces/connection/disconnect.ts';

test('a group that is gone is changed in the settings', () => {
  expect(personSentence('group_unreadable')).toContain('/countermand settings');
});

test.each([
  [undefined, 'in a while'],
  [999_999_999_000, 'in a while'],
  [0, 'in 1 second.'],
  [1_500, 'in 2 seconds.'],
  [120_000, 'in 120 seconds.'],
  [121_000, 'in 3 minutes.'],
])('when to try again is said in words (%s ms)', (wait, words) => {
  expect(tryAgain(wait)).toContain(words);
});

describe('what came of disconnecting', () => {
  const unclear: Disconnected = {
    type: 'not_revoked',
    revocation: { type: 'unknown', code: '<!channel>', error: new Error('x') },
  };
  const anew = (by: string): Disconnected => ({ type: 'connected_anew', revocation: 'revoked', by });

  test('is told with what helps where it is read', () => {
    expect(disconnectedText(unclear, 'slack')).toContain('run /countermand connect, without “Used by');
    expect(disconnectedText(unclear, 'terminal')).toMatch(
      /run countermand connect without --exclusive.*, and then countermand disconnect --yes\./,
    );
  });

  test('obeys nothing that the service said', () => {
    expect(disconnectedText(unclear, 'slack')).toContain('Code: &lt;!channel&gt;.');
  });

  test('names who connected the workspace meanwhile', () => {
    expect(disconnectedText(anew('U2'), 'slack')).toContain('connected again in the meantime, by <@U2>');
    expect(disconnectedText(anew('U2'), 'terminal')).toContain('by U2');
    expect(disconnectedText(anew('terminal'), 'slack')).toContain('by the operator');
    expect(disconnectedText(anew('terminal'), 'terminal')).toContain('by the operator');
  });
});

test.each([connectedText({ type: 'changed' }), disconnectedText({ type: 'changed', by: 'U2' }, 'slack')])(
  'what is told once the form is closed speaks of no form that is open: %s',
  (text) => {
    expect(text).not.toMatch(/\bthis (?:form|window)/i);
    expect(text).toMatch(/Run \/countermand \w+ again/);
  },
);

test('a list has no comma before its last word, and leaves what people typed as it is', () => {
  expect(listed(['a', 'b'])).toBe('a and b');
  expect(either(['a', 'b', 'c'])).toBe('a, b or c');
  expect(listed(['“Too late, and cold”', '“b”', '“c, or d”'])).toBe(
    '“Too late, and cold”, “b” and “c, or d”',
  );
});

test.each([
  [0, '0 requests'],
  [1, '1 request'],
  [2, '2 requests'],
  [1_000, '1,000 requests'],
])('%s of something is counted in words', (count, words) => {
  expect(countOf(count, 'request')).toBe(words);
});

test('one request, and a limit of one, are in the singular', () => {
  expect(nearLimitText({ made: 1, limit: 1 })).toBe(
    'You have made 1 request within an hour. At most 1 is allowed here.',
  );
});
