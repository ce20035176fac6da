import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unescaped } from '../../../lib/unescaped.ts';
import { asSent, completionsFor } from '../../../page/client/workspace/completion.ts';
import type { PersonSeen } from '../../../page/view-model/people.ts';

const person = (name: string, real_name: string, ...roles: string[]): PersonSeen => ({
  id: `U0${name.toUpperCase()}`,
  name,
  real_name,
  roles,
  team: 'Acme Support',
  workspace: 'T0ACME0001',
});
const PEOPLE = [
  person('ana', 'Ana Alvarez', 'agents'),
  person('ben', 'Ben Brandt', 'agents'),
  person('olga', 'Olga Orlova', 'admin', 'leads'),
];
const COMMANDS = [
  { command: '/cancel-order', description: 'Cancel an order', usage_hint: '[order]' },
  { command: '/cancel-offer', description: 'Cancel an offer' },
  { command: '/send-offer', description: 'Send an offer' },
];
const labels = (text: string) => completionsFor(text, COMMANDS, PEOPLE).map(({ label }) => label);

describe('a command is completed', () => {
  test.each([
    ['/', ['/cancel-order', '/cancel-offer', '/send-offer']],
    ['/can', ['/cancel-order', '/cancel-offer']],
    ['/cancel-order', ['/cancel-order']],
    ['/order', []],
    ['/cancel-order ', []],
    ['see /can', []],
    ['', []],
  ])('from %j: %j', (text, completions) => {
    expect(labels(text)).toEqual(completions);
  });

  test('with a space after it, and comes with its hint and description', () => {
    expect(completionsFor('/cancel-o', COMMANDS, PEOPLE)).toEqual([
      { text: '/cancel-order ', label: '/cancel-order', hint: '[order]', description: 'Cancel an order' },
      { text: '/cancel-offer ', label: '/cancel-offer', hint: '', description: 'Cancel an offer' },
    ]);
  });
});

describe('a person is completed', () => {
  test.each([
    ['@', ['@ana', '@ben', '@olga']],
    ['@b', ['@ben']],
    ['@BEN', ['@ben']],
    ['@orlova', ['@olga']],
    ['Hello @ol', ['@olga']],
    ['Hello\n@ana', ['@ana']],
    ['@ana ', []],
    ['@nobody', []],
    ['mail@ana', []],
    ['Hello', []],
  ])('from %j: %j', (text, completions) => {
    expect(labels(text)).toEqual(completions);
  });

  test('after the @, and the text before it stays', () => {
    expect(completionsFor('Ask\n@ana or @olg', COMMANDS, PEOPLE)).toEqual([
      { text: 'Ask\n@ana or @olga ', label: '@olga', hint: 'Olga Orlova', description: 'admin, leads' },
    ]);
  });
});

describe('what is sent', () => {
  test.each([
    ['@ana, look', '<@U0ANA>, look'],
    ['ask @olga and @ben.', 'ask <@U0OLGA> and <@U0BEN>.'],
    ['@nobody @anna @Ana', '@nobody @anna @Ana'],
    ['a < b && c > d', 'a &lt; b &amp;&amp; c &gt; d'],
    ['<@U0ANA>', '&lt;@U0ANA&gt;'],
    ['@', '@'],
    ['olga@ben.example', 'olga@ben.example'],
  ])('of %j is %j', (typed, sent) => {
    expect(asSent(typed, PEOPLE)).toBe(sent);
  });

  const piece = fc.oneof(
    fc.constantFrom('@ana', '@ben', '@x', '<', '>', '&', '&lt;', '<@U0ANA>', ' '),
    fc.string(),
  );
  const typed = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));

  test('reads as what was typed', () => {
    fc.assert(
      fc.property(typed, (text) => {
        const read = asSent(text, PEOPLE).replace(
          /<@(\w+)>/g,
          (_, id) => `@${PEOPLE.find((each) => each.id === id)?.name}`,
        );
        expect(unescaped(read)).toBe(text);
      }),
    );
  });
});
