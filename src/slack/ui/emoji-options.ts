/** The emoji that an admin can choose from. Pure. */
import type { types } from '@slack/bolt';
import { EMOJI_NAME, plainEmoji } from '../../requests/approvals/policy.ts';
import { LIMITS } from './limits.ts';
import { plain } from './text.ts';

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
  'raised_hand',
  'eyes',
  'rocket',
];

export const emojiOption = (name: string): types.PlainTextOption => ({
  value: name,
  text: plain(`:${name}: ${name}`, LIMITS.optionText),
});

/** Slack takes these names, and tells of reactions by the others. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['thumbsup', '+1'],
  ['thumbsdown', '-1'],
]);

/** @param typed part of a name, with or without colons: one that is none of the usual ones is offered as it stands */
export function emojiOptions(typed: string): types.PlainTextOption[] {
  const name = plainEmoji(typed.trim().replace(/^:|:$/g, '').toLowerCase());
  const wanted = ALIASES.get(name) ?? name;
  const fitting = USUAL.filter((name) => name.includes(wanted));
  const own = EMOJI_NAME.test(wanted) && !fitting.includes(wanted) ? [wanted] : [];
  return [...own, ...fitting].map(emojiOption);
}
