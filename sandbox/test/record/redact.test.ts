import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { invented, pathsOf } from '../../record/recording.ts';
import { createRedaction } from '../../record/redact.ts';

const redact = (value: unknown) => createRedaction().redact(value);

/** As fc.webUrl, without the table that it fills first (test/support/any-text.ts). */
const webUrl = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.domain(),
    fc.stringMatching(/^(\/[\w%.~!$&'()*+,;=:@-]{0,8}){0,3}$/),
  )
  .map(([scheme, host, path]) => `${scheme}://${host}${path}`);

describe('what goes over the wire is kept', () => {
  test.each([
    ['a token', 'xoxb-1-2-abc', 'xoxb-redacted-1'],
    ['an app-level token', 'xapp-1-A1-2-abc', 'xapp-redacted-1'],
    ['a token that rotates', 'xoxe.xoxb-1-abc', 'xoxe-redacted-1'],
    ['a person', 'U0ANA00001', 'UREDACTED1'],
    ['an event', 'Ev0ANA00001', 'EvREDACTED1'],
    ['an e-mail address', 'ana@acme.example', 'person1@redacted.example'],
    ['an address', 'https://hooks.slack.com/actions/T1/2/abc', 'https://redacted.example/1'],
    ['a name', 'Ana Alvarez', 'text 1'],
    ['a mention', 'Hello <@U0ANA00001>', 'text 1'],
    ['a trigger', '1700000000.2.0123456789abcdef', 'text 1'],
    ['a phone number', '5551234567', 'text 1'],
  ])('without %s', (_what, text, written) => {
    expect(redact({ it: text })).toEqual({ it: written });
    // The same holds in a field for Slack's own words.
    expect(redact({ type: text })).toEqual({ type: written === 'text 1' ? expect.anything() : written });
  });

  test('with the words of Slack and of the app, numbers, flags and timestamps', () => {
    const message = {
      type: 'message',
      subtype: 'thread_broadcast',
      ts: '1700000000.000100',
      reply_count: 3,
      is_locked: false,
      edited: null,
      reactions: [{ name: 'white_check_mark', count: 1, users: [] }],
      blocks: [{ type: 'actions', block_id: 'Ab1_-', elements: [{ type: 'button', action_id: 'retry' }] }],
      error: 'invalid_blocks',
      response_metadata: {
        messages: ['[ERROR] must be less than 151 characters [json-pointer:/blocks/0/text]'],
      },
    };
    expect(redact(message)).toEqual(message);
  });

  test('with a `name` only if it is that of an emoji', () => {
    expect(redact({ user: { name: 'ana', count: 1 } })).toEqual({ user: { name: 'text 1', count: 1 } });
  });
});

test('equal texts get equal replacements, and different texts different ones', () => {
  const redaction = createRedaction();
  const texts = fc.array(
    fc.oneof(fc.string(), fc.emailAddress(), webUrl, fc.stringMatching(/^U[A-Z0-9]{8}$/)),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(texts, (all) => {
      const once = redaction.redact(all) as string[];
      expect(redaction.redact(all)).toEqual(once);
      expect(new Set(once).size).toBe(new Set(all).size);
    }),
  );
});

test('no typed text is left in a redacted value, and its keys are the same', () => {
  const sentence = fc
    .tuple(fc.stringMatching(/^[a-z]{3,9}$/), fc.stringMatching(/^[a-zäöü]{3,9}$/))
    .map((words) => words.join(' '));
  const sensitive = fc.oneof(sentence, fc.emailAddress(), webUrl, fc.stringMatching(/^[TUC][A-Z0-9]{8}$/));
  const keys = fc.constantFrom('text', 'name', 'type', 'error', 'value', 'user', 'channel', 'reaction');
  const value = fc.dictionary(keys, fc.oneof(sensitive, fc.array(sensitive), fc.dictionary(keys, sensitive)));
  fc.assert(
    fc.property(value, (given) => {
      const redaction = createRedaction();
      const kept = redaction.redact(given);
      expect(redaction.isClean(JSON.stringify(kept))).toBe(true);
      expect(redaction.isClean(JSON.stringify(given))).toBe(
        Object.keys(given).length === 0 || !hasText(given),
      );
      expect(pathsOf(kept)).toEqual(pathsOf(given));
    }),
  );
});

const hasText = (value: unknown): boolean =>
  typeof value === 'string' ||
  (typeof value === 'object' && value !== null && Object.values(value).some(hasText));

test('a secret is found anywhere', () => {
  const redaction = createRedaction();
  redaction.addSecret('hunter2');
  redaction.addSecret('');
  expect(redaction.isClean('{"type":"hunter2"}')).toBe(false);
  expect(redaction.isClean('{"type":"message"}')).toBe(true);
});

test('the shape of a value is its keys, and of a map that it is one', () => {
  const value = {
    user: { id: 'U1' },
    list: [{ a: 1 }, { b: 2 }],
    state: { values: { order: { order_id: { type: 'plain_text_input' } } } },
    members: { U0ANA00001: true, U0BEN00001: true },
  };
  expect([...pathsOf(value)]).toEqual([
    '.user',
    '.user.id',
    '.list',
    '.list[].a',
    '.list[].b',
    '.state',
    '.state.values',
    '.state.values.*',
    '.state.values.*.*',
    '.state.values.*.*.type',
    '.members',
    '.members.*',
  ]);
});

describe('a key is invented', () => {
  test.each<[string, unknown, unknown, string[]]>([
    ['where Slack has others in its place', { a: { b: 1 } }, { a: { c: 1 } }, ['.a.b']],
    ['not where Slack has it, too', { a: { b: 1 } }, { a: { b: 2, c: 1 } }, []],
    ['not within what was never more than null', { a: { b: 1 } }, { a: null }, []],
    ['not within a list that was always empty', { a: [{ b: 1 }] }, { a: [] }, []],
    ['in any item of a list', { a: [{ b: 1 }, { c: 1 }] }, { a: [{ b: 1 }] }, ['.a[].c']],
  ])('%s', (_when, ours, real, paths) => {
    expect(invented(ours, real)).toEqual(paths);
  });
});
