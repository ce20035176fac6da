/** Names the two teams of a play, and what belongs to each of them. */

export const TEAMS = ['acme', 'globex'] as const;
export type Team = (typeof TEAMS)[number];

/** The team of a token, whose name is part of it. */
export const teamOf = (token: string): Team | undefined => TEAMS.find((team) => token.includes(team));

/** The id of something of a team; the name of the team is part of it. */
export const idOf = (kind: 'T' | 'U' | 'C' | 'S', team: Team, name = ''): string =>
  `${kind}${team.toUpperCase()}${name.toUpperCase()}`;

export const firstToken = (team: Team): string => `token-of-${team}-1`;

/** The reason for every request, which no other company may read. */
export const REASON = 'The customer has changed their mind.';

/** The number of an order that no play requests anything about. */
export const UNREQUESTED_ITEM = 4;

export const orderOf = (team: Team, n: number): string => `${team}-order-${n}`;
export const offerOf = (team: Team, n: number): string => `${team}-offer-${n}`;
