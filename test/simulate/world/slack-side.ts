/** Sets up the Slack of a play: two workspaces, each with a support team. */
import { createJournal } from '../../../sandbox/lib/http/journal.ts';
import { createLimitedCalls, type LimitedCalls } from '../../../sandbox/slack/api/limits.ts';
import { installApp } from '../../../sandbox/slack/world/app/installations.ts';
import { appSettings } from '../../../sandbox/slack/world/app/settings.ts';
import { addChannel } from '../../../sandbox/slack/world/channels.ts';
import { addUser, type Role } from '../../../sandbox/slack/world/users.ts';
import { createWorld, type World } from '../../../sandbox/slack/world/world.ts';
import { idOf, TEAMS, type Team } from '../teams.ts';

export type SlackSide = {
  world: World;
  limits: LimitedCalls;
  /** Messages that reads do not return before a time, epoch milliseconds. By channel and ts. */
  hidden: Map<string, number>;
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

type SlackOptions = { now: () => number; shortPages: readonly number[]; outsideMarketplace: boolean };

export function createSlackSide({ now, shortPages, outsideMarketplace }: SlackOptions): SlackSide {
  const journal = createJournal();
  const app = appSettings({ journal, clientSecret: 'client-secret', shortPages, outsideMarketplace });
  const world = createWorld(now, app);
  for (const team of TEAMS) addTeam(world, team);
  return { world, limits: createLimitedCalls({}, now), hidden: new Map() };
}

function addTeam(world: World, team: Team): void {
  const team_id = idOf('T', team);
  world.teams.set(team_id, { id: team_id, name: team, domain: team });
  for (const [name, role] of Object.entries(PEOPLE))
    addUser(world, { team_id, id: idOf('U', team, name), name: `${team}-${name}`, role });
  const { bot_user_id } = installApp(world, team_id, { token: `xoxb-${team}-1` }).installation;
  const members = Object.keys(PEOPLE).map((name) => idOf('U', team, name));
  for (const name of ['support', 'returns'])
    addChannel(world, { team_id, id: idOf('C', team, name), name, members: [...members, bot_user_id] });
  addChannel(world, {
    team_id,
    id: idOf('C', team, 'approvals'),
    name: 'approvals',
    kind: 'private',
    members: [...members, bot_user_id],
  });
  const id = idOf('S', team, 'approvers');
  const users = APPROVERS.map((name) => idOf('U', team, name));
  world.userGroups.set(id, { id, team_id, name: 'approvers', handle: 'approvers', users, deleted: false });
}
