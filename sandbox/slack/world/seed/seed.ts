import { installApp } from '../app/installations.ts';
import { addChannel } from '../channels.ts';
import { addUser, type NewUser } from '../users.ts';
import type { World } from '../world.ts';
import { seedEnterprise } from './enterprise.ts';

/** The ids of the seeded world. */
export const SEED = {
  team: 'T0ACME0001',
  otherTeam: 'T0GLOBEX01',
  users: {
    ana: 'U0ANA00001',
    ben: 'U0BEN00001',
    cara: 'U0CARA0001',
    dev: 'U0DEV00001',
    olga: 'U0OLGA0001',
    oscar: 'U0OSCAR001',
    gina: 'U0GINA0001',
    sid: 'U0SID00001',
    gus: 'U0GUS00001',
    dora: 'U0DORA0001',
  },
  channels: {
    support: 'C0SUPPORT1',
    supportLeads: 'C0LEADS001',
    approvals: 'C0APPROVE1',
    partners: 'C0PARTNER1',
    oldReturns: 'C0RETURNS1',
  },
  groups: { agents: 'S0AGENTS01', approvers: 'S0APPROVE1' },
} as const;

type SeedOptions = {
  /** Left out: the app is installed in the support desk's workspace. */
  installed?: boolean | undefined;
  /** Left out: there is no organization. */
  enterprise?: boolean | undefined;
};

/**
 * A support desk: agents Ana and Ben, approvers Cara and Dev, admin Olga, owner Oscar, guest Gina,
 * single-channel guest Sid, Dora whose account is deactivated, and Gus of Globex, who is in #partners.
 * The bot is in #support, and with the approvers and Olga in the private #approvals.
 */
export function seedWorld(world: World, { installed = true, enterprise = false }: SeedOptions = {}): void {
  world.teams.set(SEED.team, { id: SEED.team, name: 'Acme Support', domain: 'acme-support' });
  world.teams.set(SEED.otherTeam, { id: SEED.otherTeam, name: 'Globex', domain: 'globex' });
  for (const person of PEOPLE) addUser(world, { team_id: SEED.team, ...person });
  const bot = installed ? [installApp(world, SEED.team).installation.bot_user_id] : [];
  seedChannels(world, bot);
  seedGroups(world);
  if (enterprise) seedEnterprise(world);
}

const { users } = SEED;

const PEOPLE: Omit<NewUser, 'team_id'>[] = [
  { id: users.ana, name: 'ana', real_name: 'Ana Alvarez' },
  { id: users.ben, name: 'ben', real_name: 'Ben Brandt' },
  { id: users.cara, name: 'cara', real_name: 'Cara Conti' },
  { id: users.dev, name: 'dev', real_name: 'Dev Das' },
  { id: users.olga, name: 'olga', real_name: 'Olga Orlova', role: 'admin' },
  { id: users.oscar, name: 'oscar', real_name: 'Oscar Olsen', role: 'owner' },
  { id: users.gina, name: 'gina', real_name: 'Gina Guest', role: 'guest' },
  { id: users.sid, name: 'sid', real_name: 'Sid Single', role: 'single_channel_guest' },
  { id: users.dora, name: 'dora', real_name: 'Dora Departed', deleted: true },
];

function seedChannels(world: World, bot: string[]): void {
  const { ana, ben, cara, dev, olga, oscar, gina, sid } = users;
  const staff = [ana, ben, cara, dev, olga, oscar];
  const { support, supportLeads, approvals, partners, oldReturns } = SEED.channels;
  const gus = addUser(world, {
    team_id: SEED.otherTeam,
    id: users.gus,
    name: 'gus',
    real_name: 'Gus Globex',
  });
  const team_id = SEED.team;
  addChannel(world, { team_id, id: support, name: 'support', members: [...staff, gina, sid, ...bot] });
  addChannel(world, {
    team_id,
    id: supportLeads,
    name: 'support-leads',
    kind: 'private',
    members: [cara, dev, olga],
  });
  addChannel(world, {
    team_id,
    id: approvals,
    name: 'approvals',
    kind: 'private',
    members: [cara, dev, olga, ...bot],
  });
  addChannel(world, {
    team_id,
    id: partners,
    name: 'partners',
    connected_team_ids: [SEED.otherTeam],
    members: [ana, ben, olga, gus.id],
  });
  addChannel(world, { team_id, id: oldReturns, name: 'old-returns', is_archived: true, members: [ana] });
}

function seedGroups(world: World): void {
  const { ana, ben, cara, dev } = users;
  const { agents, approvers } = SEED.groups;
  const team_id = SEED.team;
  world.userGroups.set(agents, {
    id: agents,
    team_id,
    name: 'Support agents',
    handle: 'agents',
    users: [ana, ben],
    deleted: false,
  });
  world.userGroups.set(approvers, {
    id: approvers,
    team_id,
    name: 'Approvers',
    handle: 'approvers',
    users: [cara, dev],
    deleted: false,
  });
}
