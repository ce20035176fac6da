/** The user groups and emoji from which an admin can choose in the settings. */
import type { types } from '@slack/bolt';
import { EMOJI_NAME, plainEmoji } from '../../../requests/model/policy.ts';
import { option } from '../../blocks/fields.ts';
import { LIMITS, plain } from '../../blocks/text.ts';
import { listGroups, type UserGroup } from '../../directory/read-people.ts';
import { type Listener, type OptionsArgs, workspaceOf } from '../../listeners/listener.ts';

export const groupOption = ({ id, name }: UserGroup): types.PlainTextOption => option(id, name);

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

/** The emoji that are offered before anything is typed, with the character that people may type or paste for each. */
const USUAL: Readonly<Record<string, string>> = {
  white_check_mark: '✅',
  x: '❌',
  '+1': '👍',
  '-1': '👎',
  heavy_check_mark: '✔',
  heavy_multiplication_x: '✖',
  ok_hand: '👌',
  no_entry: '⛔',
  no_entry_sign: '🚫',
  octagonal_sign: '🛑',
  large_green_circle: '🟢',
  red_circle: '🔴',
  hand: '✋',
  eyes: '👀',
  rocket: '🚀',
};

/** The marks that a character may carry: its skin tone, and that it is drawn as an emoji. */
const VARIANT = /\uFE0F|[\u{1F3FB}-\u{1F3FF}]/gu;

export const emojiOption = (name: string): types.PlainTextOption => ({
  value: name,
  text: { ...plain(`:${name}: ${name}`, LIMITS.optionText), emoji: true },
});

/**
 * Offers emoji for votes: the usual ones that fit, and a name beside them as it is typed, with or without colons. Each is kept
 * under the name by which Slack reports a reaction with it.
 */
export const searchEmoji: Listener<OptionsArgs> = async ({ ack, payload }) => {
  const typed = payload.value.trim().replace(VARIANT, '');
  const name = plainEmoji(typed.replace(/^:|:$/g, '').toLowerCase());
  const wanted = REPORTED.get(name) ?? name;
  const fitting = Object.entries(USUAL).flatMap(([usual, character]) =>
    [usual, character, ...(OTHER_NAMES[usual] ?? [])].some((other) => other.includes(name)) ? [usual] : [],
  );
  const own = EMOJI_NAME.test(wanted) && !fitting.includes(wanted) ? [wanted] : [];
  await ack({ options: [...own, ...fitting].map(emojiOption) });
};

/**
 * The further names of standard emoji, by the name under which Slack reports a reaction. People may type any of them, as in
 * Slack's picker and messages. Names that a workspace has made are in no list, and are left as they are.
 *
 * @see https://github.com/iamcal/emoji-data, which Slack's names come from: each `short_name`, and its other `short_names`
 */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  moon: ['waxing_gibbous_moon'],
  mostly_sunny: ['sun_small_cloud'],
  barely_sunny: ['sun_behind_cloud'],
  partly_sunny_rain: ['sun_behind_rain_cloud'],
  lightning: ['lightning_cloud'],
  tornado: ['tornado_cloud'],
  fried_egg: ['cooking'],
  runner: ['running'],
  izakaya_lantern: ['lantern'],
  bee: ['honeybee'],
  ladybug: ['lady_beetle'],
  dolphin: ['flipper'],
  feet: ['paw_prints'],
  facepunch: ['punch'],
  '+1': ['thumbsup'],
  '-1': ['thumbsdown'],
  shirt: ['tshirt'],
  mans_shoe: ['shoe'],
  man_and_woman_holding_hands: ['woman_and_man_holding_hands', 'couple'],
  two_men_holding_hands: ['men_holding_hands'],
  two_women_holding_hands: ['women_holding_hands'],
  'women-with-bunny-ears-partying': ['woman-with-bunny-ears-partying'],
  'men-with-bunny-ears-partying': ['man-with-bunny-ears-partying'],
  boom: ['collision'],
  hankey: ['poop', 'shit'],
  book: ['open_book'],
  memo: ['pencil'],
  hocho: ['knife'],
  middle_finger: ['reversed_hand_with_middle_finger_extended'],
  laughing: ['satisfied'],
  car: ['red_car'],
  the_horns: ['sign_of_the_horns'],
  crossed_fingers: ['hand_with_index_and_middle_fingers_crossed'],
  face_with_raised_eyebrow: ['face_with_one_eyebrow_raised'],
  'star-struck': ['grinning_face_with_star_eyes'],
  zany_face: ['grinning_face_with_one_large_and_one_small_eye'],
  shushing_face: ['face_with_finger_covering_closed_lips'],
  face_with_symbols_on_mouth: ['serious_face_with_symbols_covering_mouth'],
  face_with_hand_over_mouth: ['smiling_face_with_smiling_eyes_and_hand_covering_mouth'],
  face_vomiting: ['face_with_open_mouth_vomiting'],
  exploding_head: ['shocked_face_with_exploding_head'],
  mrs_claus: ['mother_christmas'],
  phone: ['telephone'],
  medical_symbol: ['staff_of_aesculapius'],
  boat: ['sailboat'],
  email: ['envelope'],
  hand: ['raised_hand'],
  exclamation: ['heavy_exclamation_mark'],
  cn: ['flag-cn'],
  de: ['flag-de'],
  es: ['flag-es'],
  fr: ['flag-fr'],
  gb: ['uk', 'flag-gb'],
  it: ['flag-it'],
  jp: ['flag-jp'],
  kr: ['flag-kr'],
  ru: ['flag-ru'],
  us: ['flag-us'],
};

/** The name by which Slack reports a reaction, by the further names of its emoji. */
const REPORTED: ReadonlyMap<string, string> = new Map(
  Object.entries(OTHER_NAMES).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
);
