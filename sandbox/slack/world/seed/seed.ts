/**
 * The workspace of a support desk: agents Ana and Ben, approvers Cara and Dev, admin Olga, owner Oscar, guest Gina,
 * single-channel guest Sid, Dora whose account is deactivated, and Gus of Globex, who is in #partners.
 * The bot is in #support, and with the approvers and Olga in the private #approvals.
 */
import type { SlackOptions } from '../../options.ts';
import { installApp } from '../app/installations.ts';
import { addChannel, type NewChannel } from '../channels.ts';
import type { NewUser } from '../users.ts';
import { addWorkspace } from '../workspaces.ts';
import type { World } from '../world.ts';
import { seedEnterprise } from './enterprise.ts';

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

/** @param options left out: the app is installed in the workspace, and there is no organization */
export function seedWorld(
  world: World,
  { installed = true, enterprise = false }: Pick<Partial<SlackOptions>, 'installed' | 'enterprise'> = {},
): void {
  addWorkspace(world, { id: SEED.team, name: 'Acme Support', people: PEOPLE });
  const gus = { id: users.gus, name: 'gus', real_name: 'Gus Globex' };
  const bot = installed ? [installApp(world, SEED.team).installation.bot_user_id] : [];
  addWorkspace(world, { id: SEED.otherTeam, name: 'Globex', people: [gus] });
  const team_id = SEED.team;
  for (const channel of channelsWith(bot)) addChannel(world, { team_id, ...channel });
  for (const group of GROUPS) world.userGroups.set(group.id, { team_id, deleted: false, ...group });
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

function channelsWith(bot: string[]): Omit<NewChannel, 'team_id'>[] {
  const { ana, ben, cara, dev, olga, oscar, gina, sid, gus } = users;
  const { support, supportLeads, approvals, partners, oldReturns } = SEED.channels;
  const staff = [ana, ben, cara, dev, olga, oscar];
  const connected_team_ids = [SEED.otherTeam];
  return [
    { id: support, name: 'support', members: [...staff, gina, sid, ...bot] },
    { id: supportLeads, name: 'support-leads', kind: 'private', members: [cara, dev, olga] },
    { id: approvals, name: 'approvals', kind: 'private', members: [cara, dev, olga, ...bot] },
    { id: partners, name: 'partners', connected_team_ids, members: [ana, ben, olga, gus] },
    { id: oldReturns, name: 'old-returns', is_archived: true, members: [ana] },
  ];
}

const GROUPS = [
  { id: SEED.groups.agents, name: 'Support agents', handle: 'agents', users: [users.ana, users.ben] },
  { id: SEED.groups.approvers, name: 'Approvers', handle: 'approvers', users: [users.cara, users.dev] },
];
