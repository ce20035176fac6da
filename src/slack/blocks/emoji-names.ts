/**
 * The one name under which Slack tells of a standard emoji: people may type others, which its picker and messages take
 * too. Names that a workspace has made are left as they are.
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
};

const REPORTED: ReadonlyMap<string, string> = new Map(
  Object.entries(OTHER_NAMES).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
);

/** The name by which Slack reports a reaction with this emoji. @param name without colons */
export const reportedName = (name: string): string => REPORTED.get(name) ?? name;

/** Every name by which an emoji is known, the reported one first. */
export const namesOf = (name: string): readonly string[] => [name, ...(OTHER_NAMES[name] ?? [])];
