import { expect, test } from 'vitest';
import { EMOJI_NAME } from '../../../src/requests/model/policy.ts';
import { richText } from '../../../src/slack/blocks/text.ts';

const elementsOf = (mrkdwn: string) =>
  richText(mrkdwn).elements.flatMap(({ elements }): readonly object[] => elements);

test.each(['x', '+1', 'white_check_mark', '承認', "o'clock", 'größe2'])(
  'the emoji :%s: of a policy is drawn in rich text, too',
  (name) => {
    expect(EMOJI_NAME.test(name)).toBe(true);
    expect(elementsOf(`React with :${name}:.`)).toEqual([
      { type: 'text', text: 'React with ' },
      { type: 'emoji', name },
      { type: 'text', text: '.' },
    ]);
  },
);

test('an emoji with a skin tone is drawn as one emoji', () => {
  // https://docs.slack.dev/reference/block-kit/block-elements/emoji-element
  expect(elementsOf(':+1::skin-tone-2:')).toEqual([{ type: 'emoji', name: '+1::skin-tone-2' }]);
  const twoTones = 'handshake::skin-tone-2-5';
  expect(elementsOf(`:${twoTones}:`)).toEqual([{ type: 'emoji', name: twoTones }]);
  expect(elementsOf(':x::承認:')).toEqual([
    { type: 'emoji', name: 'x' },
    { type: 'emoji', name: '承認' },
  ]);
});

test('a date and a link are drawn with the text that stands for them', () => {
  expect(elementsOf('<!date^1795262400^{date_short_pretty} at {time}|2026-11-21 12:00 UTC>')).toEqual([
    {
      type: 'date',
      timestamp: 1_795_262_400,
      format: '{date_short_pretty} at {time}',
      fallback: '2026-11-21 12:00 UTC',
    },
  ]);
  expect(elementsOf('<https://example.com/?a=1&amp;b=2|the &lt;order&gt;>')).toEqual([
    { type: 'link', url: 'https://example.com/?a=1&b=2', text: 'the <order>' },
  ]);
  expect(elementsOf('<https://example.com>')).toEqual([{ type: 'link', url: 'https://example.com' }]);
});
