/** The events that have to happen in plays, so that they prove something. */
export const COUNTED = [
  'requests',
  'approvals',
  'votes',
  'replies',
  'approval messages',
  'notices',
  'faults',
  'uninstalls',
] as const;
export type Counts = Record<(typeof COUNTED)[number], number>;

/** The least number in a hundred plays: a third to a half of what plays have had, as random seeds differ. */
const FLOORS: Counts = {
  requests: 120,
  approvals: 12,
  votes: 150,
  replies: 150,
  'approval messages': 15,
  notices: 15,
  faults: 400,
  uninstalls: 0.5,
};

/** Fewer plays are not judged, as chance decides too much. */
const LEAST_PLAYS = 100;

export const NOTHING: Counts = Object.fromEntries(COUNTED.map((name) => [name, 0])) as Counts;

export const sumOf = (one: Counts, other: Counts): Counts =>
  Object.fromEntries(COUNTED.map((name) => [name, one[name] + other[name]])) as Counts;

/** Names what happened too seldom. */
export function shortOf(counts: Counts, plays: number): string[] {
  if (plays < LEAST_PLAYS) return [];
  return COUNTED.filter((name) => counts[name] < Math.floor((FLOORS[name] * plays) / 100)).map(
    (name) => `${counts[name]} ${name} in ${plays} plays: less than ${FLOORS[name]} in a hundred`,
  );
}
