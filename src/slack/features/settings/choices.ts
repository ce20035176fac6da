/** The user groups and emoji from which an admin can choose in the settings. */
import type { types } from '@slack/bolt';
import { EMOJI_NAME, plainEmoji } from '../../../requests/model/approvals/policy.ts';
import { namesOf, reportedName } from '../../blocks/emoji-names.ts';
import { option } from '../../blocks/fields.ts';
import { LIMITS, plain } from '../../blocks/text.ts';
import { listGroups, type UserGroup } from '../../directory/group-members.ts';
import { type Listener, type OptionsArgs, workspaceOf } from '../listener.ts';

/** A group as Slack lists it. */
export const groupOption = ({ id, name }: UserGroup): types.PlainTextOption => option(id, name);

/** The user groups that an admin can choose from. */
export const searchGroups: Listener<OptionsArgs> = async ({ ack, client, context, payload }) => {
  const wanted = payload.value.toLowerCase();
  const groups = await listGroups(client, workspaceOf(context));
  const options = groups
    .map(({ id = '', name = '', handle = '' }) => ({ id, name: `${name} (@${handle})` }))
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .slice(0, LIMITS.options)
    .map(groupOption);
  await ack({ options });
};

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

/** The emoji that an admin can choose from, for votes: each is kept under the name by which Slack reports it. */
export const searchEmoji: Listener<OptionsArgs> = async ({ ack, payload }) => {
  await ack({ options: emojiOptions(payload.value) });
};

/** @param typed part of a name, with or without colons: one that is none of the usual ones is offered as it stands */
function emojiOptions(typed: string): types.PlainTextOption[] {
  const name = plainEmoji(typed.trim().replace(/^:|:$/g, '').toLowerCase());
  const wanted = reportedName(name);
  const fitting = USUAL.filter((usual) => namesOf(usual).some((other) => other.includes(name)));
  const own = EMOJI_NAME.test(wanted) && !fitting.includes(wanted) ? [wanted] : [];
  return [...own, ...fitting].map(emojiOption);
}
