/** Names the two teams of a play, and what belongs to each of them. */

export const TEAMS = ['acme', 'globex'] as const;
export type Team = (typeof TEAMS)[number];

/** The team of a token, whose name is part of it. */
export const teamOf = (token: string): Team | undefined => TEAMS.find((team) => token.includes(team));

/** The id of something of a team; the name of the team is part of it. */
export const idOf = (kind: 'T' | 'U' | 'C' | 'S', team: Team, name = ''): string =>
  `${kind}${team.toUpperCase()}${name.toUpperCase()}`;

export const firstToken = (team: Team): string => `token-of-${team}-1`;

export const orderOf = (team: Team, n: number): string => `${team}-order-${n}`;
export const offerOf = (team: Team, n: number): string => `${team}-offer-${n}`;
