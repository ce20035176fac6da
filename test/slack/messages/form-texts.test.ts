/** The texts at the fields of the form of a request. */
import { expect, test } from 'vitest';
import { fieldTexts, noReplyText, overLimitText } from '../../../src/slack/messages/sentences/form-texts.ts';

test.each([
  ['A-####', 'like A-####, with a digit for each #.'],
  ['@@-####', 'like @@-####, with a digit for each # and a letter for each @.'],
  ['PO-*', 'like PO-*, with anything for *.'],
  ['*-@#', 'like *-@#, with a digit for each #, a letter for each @ and anything for *.'],
])(
  'an id that does not match %s is answered with what its characters stand for, and no others',
  (pattern, text) => {
    expect(fieldTexts({ target: 'not_the_pattern', pattern }).target).toContain(text);
  },
);

test.each(['not_visible', 'not_member'] as const)(
  'who cannot request in the thread of a message is told once how to invite the bot to its channel, and to choose another one (%s)',
  (problem) => {
    const text = noReplyText(problem);
    expect(text).toMatch(/invite me there with \/invite @Countermand, or choose another channel\. Your/i);
    expect(text).not.toContain('Choose another channel.');
  },
);

test('who requests from a message in no channel is told to choose one, and not another one', () => {
  expect(noReplyText('missing')).toBe(
    ':warning: This message is not in a channel. Choose a channel. Your request will link to the message.',
  );
});

test('a limit without a known end names no time', () => {
  expect(overLimitText({ made: 3, limit: 3 }, 'nothing was made')).toBe(
    'You have made 3 requests within an hour, the most allowed here, so nothing was made. The next one is possible once an admin has raised the limit with /countermand settings.',
  );
});
