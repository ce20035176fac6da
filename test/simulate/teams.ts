/**
 * Names the two teams of a play, and what belongs to each of them. Only the workspaces themselves have names of their own: the
 * ids of people, channels, groups, bots, orders and offers are the same in both, so that whatever forgets to ask for the
 * workspace mixes them up.
 */

export const TEAMS = ['acme', 'globex'] as const;
export type Team = (typeof TEAMS)[number];

/** The team of a token, whose name is part of it. */
export const teamOf = (token: string): Team | undefined => TEAMS.find((team) => token.includes(team));

export const workspaceOf = (team: Team): string => `T${team.toUpperCase()}`;

/** @throws if no team has that workspace */
export function teamIn(workspace: string): Team {
  const team = TEAMS.find((each) => workspaceOf(each) === workspace);
  if (!team) throw new Error(`No team has the workspace ${workspace}.`);
  return team;
}

/** The id of a person, a channel or a user group. */
export const idOf = (kind: 'U' | 'C' | 'S', name: string): string => `${kind}${name.toUpperCase()}`;

export const firstToken = (team: Team): string => `token-of-${team}-1`;

/** The company with which a team shares a channel, and a person of it. */
export const PARTNER = { workspace: 'TPARTNER', person: 'paul' } as const;

/** Part of the reason for every request. No other company may read it, nor the next two. */
export const REASON = 'The customer has changed their mind.';
/** The link of every ticket. */
export const TICKET = 'https://tickets.test/T-1';
/** Part of the reason for every decline. */
export const DECLINE_REASON = 'The parcel has left the house.';
/** Returns a text that is as long as a form allows, and longer once it is escaped. */
const filled = (text: string, length: number): string =>
  `${text} ${'<&> '.repeat(length)}`.slice(0, length).trim();
export const LONG_REASON: string = filled(REASON, 1_000);
export const LONG_DECLINE_REASON: string = filled(DECLINE_REASON, 400);

/** The number of an order that no play requests anything about. */
export const UNREQUESTED_ITEM = 4;

/** The purchase-order number in events about requests that nobody has made here, which tells these events apart. */
export const FOREIGN = 'elsewhere';

export const orderOf = (n: number): string => `order-${n}`;
export const offerOf = (n: number): string => `offer-${n}`;
