/**
 * Sets up the Slack of a play: a world for each team, with its support team and another company that may share a channel.
 * Slack tells the worlds apart by the token of a call.
 */
import { createJournal } from '../../../sandbox/lib/http/journal.ts';
import { createLimitedCalls, type LimitedCalls } from '../../../sandbox/slack/api/limits.ts';
import { SlackError } from '../../../sandbox/slack/slack-error.ts';
import { installApp, installationByToken } from '../../../sandbox/slack/world/app/installations.ts';
import { appSettings } from '../../../sandbox/slack/world/app/settings.ts';
import { addChannel } from '../../../sandbox/slack/world/channels.ts';
import { addUser, type Role } from '../../../sandbox/slack/world/users.ts';
import { createWorld, type World } from '../../../sandbox/slack/world/world.ts';
import { REQUESTERS } from '../tables/who-may.ts';
import { idOf, PARTNER, TEAMS, type Team, teamOf, workspaceOf } from '../teams.ts';

export type SlackWorld = {
  world: World;
  limits: LimitedCalls;
  /** Messages that reads do not return before a time, epoch milliseconds. By channel and ts. */
  hidden: Map<string, number>;
  /** No message can be updated between these times, by Slack's clock. */
  suspended: { from: number; to: number };
  /** The times at which an update was refused because of that, by Slack's clock. By what it would show. */
  refusedUpdates: Map<string, number[]>;
  /** The times at which the bot called a method with a token of the team, by Slack's clock. */
  calledAt: number[];
  /** The times at which Slack gave the bot a page of a channel or a thread, by Slack's clock. */
  pagesAt: number[];
};

export type SlackSide = {
  of: Readonly<Record<Team, SlackWorld>>;
  /** The world of a token or a refresh token. A token of no team has the first world, which refuses the call. */
  byToken(token: string): SlackWorld;
  /** The team of a token or a refresh token. */
  teamOf(token: string): Team | undefined;
  /** Slack's clock, epoch milliseconds. */
  now(): number;
};

/** Ana and Ben request, Cara, Dev and Eve approve, Olga is an admin, Gina is a guest. */
const PEOPLE: Record<string, Role> = {
  ana: 'member',
  ben: 'member',
  cara: 'member',
  dev: 'member',
  eve: 'member',
  olga: 'admin',
  gina: 'guest',
};
/** The group of approvers. It includes a requester and a guest, whose votes must not count. */
const APPROVERS = ['cara', 'dev', 'eve', 'ana', 'gina'];

type SlackOptions = {
  now: () => number;
  shortPages: readonly number[];
  outsideMarketplace: boolean;
  /** As in a plan. */
  renewalInMs: number | undefined;
};

/** The time between the renewal of a token and its expiry, milliseconds (docs/configuration.md). */
export const RENEWED_BEFORE_MS = 2 * 60 * 60_000;

export function createSlackSide({ now, renewalInMs, ...options }: SlackOptions): SlackSide {
  const open = (team: Team): SlackWorld => {
    const journal = createJournal();
    const client = { clientId: 'client', clientSecret: 'client-secret' };
    const app = appSettings({ journal, ...client, ...options, tokenRotation: renewalInMs !== undefined });
    app.tokenLifetimeSeconds = (RENEWED_BEFORE_MS + (renewalInMs ?? 0)) / 1_000;
    const world = createWorld(now, app);
    addTeam(world, team);
    addPartner(world);
    return {
      world,
      limits: createLimitedCalls({}, now),
      hidden: new Map(),
      suspended: { from: 0, to: 0 },
      refusedUpdates: new Map(),
      calledAt: [],
      pagesAt: [],
    };
  };
  const of = { acme: open('acme'), globex: open('globex') };
  /** Finds the team of a token. The name of a token that expires does not hold the team. */
  const holderOf = (token: string) =>
    teamOf(token) ??
    TEAMS.find((team) => of[team].world.accessTokens.has(token) || of[team].world.refreshTokens.has(token));
  return { of, now, teamOf: holderOf, byToken: (token) => of[holderOf(token) ?? TEAMS[0]] };
}

/** Whether Slack accepts an access token. */
export function works({ slack }: { slack: SlackSide }, team: Team, token: string): boolean {
  try {
    return installationByToken(slack.of[team].world, token).status === 'active';
  } catch (error) {
    if (error instanceof SlackError) return false;
    throw error;
  }
}

function addPartner(world: World): void {
  const { workspace: id, person } = PARTNER;
  world.teams.set(id, { id, name: 'partner', domain: 'partner' });
  addUser(world, { team_id: id, id: idOf('U', person), name: person, role: 'member' });
}

function addTeam(world: World, team: Team): void {
  const team_id = workspaceOf(team);
  world.teams.set(team_id, { id: team_id, name: team, domain: team });
  for (const [name, role] of Object.entries(PEOPLE))
    addUser(world, { team_id, id: idOf('U', name), name, role });
  const { bot_user_id } = installApp(world, team_id, { token: `xoxb-${team}-1` }).installation;
  const members = Object.keys(PEOPLE).map((name) => idOf('U', name));
  for (const name of ['support', 'returns'])
    addChannel(world, { team_id, id: idOf('C', name), name, members: [...members, bot_user_id] });
  addChannel(world, {
    team_id,
    id: idOf('C', 'approvals'),
    name: 'approvals',
    kind: 'private',
    members: [...members, bot_user_id],
  });
  const groups = { approvers: APPROVERS, requesters: REQUESTERS };
  for (const [name, people] of Object.entries(groups)) {
    const id = idOf('S', name);
    const users = people.map((person) => idOf('U', person));
    world.userGroups.set(id, { id, team_id, name, handle: name, users, deleted: false });
  }
}
