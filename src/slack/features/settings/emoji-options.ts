/** The emoji that an admin can choose from. */
import type { types } from '@slack/bolt';
import { EMOJI_NAME, plainEmoji } from '../../../requests/model/approvals/policy.ts';
import { namesOf, reportedName } from '../../blocks/emoji-names.ts';
import { LIMITS, plain } from '../../blocks/text.ts';

const USUAL: readonly string[] = [
  'white_check_mark',
  'x',
  '+1',
  '-1',
  'heavy_check_mark',
  'heavy_multiplication_x',
  'ok_hand',
  'no_entry',
  'no_entry_sign',
  'octagonal_sign',
  'large_green_circle',
  'red_circle',
  'hand',
  'eyes',
  'rocket',
];

export const emojiOption = (name: string): types.PlainTextOption => ({
  value: name,
  text: { ...plain(`:${name}: ${name}`, LIMITS.optionText), emoji: true },
});

/**
 * Each is kept under the name by which Slack reports it.
 *
 * @param typed part of a name, with or without colons: one that is none of the usual ones is offered as it stands
 */
export function emojiOptions(typed: string): types.PlainTextOption[] {
  const name = plainEmoji(typed.trim().replace(/^:|:$/g, '').toLowerCase());
  const wanted = reportedName(name);
  const fitting = USUAL.filter((usual) => namesOf(usual).some((other) => other.includes(name)));
  const own = EMOJI_NAME.test(wanted) && !fitting.includes(wanted) ? [wanted] : [];
  return [...own, ...fitting].map(emojiOption);
}
