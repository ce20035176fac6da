import type { Admin } from './slack/admin.ts';
import type { SlackOptions } from './slack/options.ts';
import { SEED } from './slack/world/seed/seed.ts';

/** Nobody has installed anything, and there is an organization, in all of which it can be done, whatever the manifest says. */
export const SEVERAL_WORKSPACES: Partial<SlackOptions> = {
  installed: false,
  enterprise: true,
  orgDeploy: true,
};

/** Globex, of which the seed knows one person, gets a desk of its own. */
export function furnishGlobex(admin: Admin): void {
  const team_id = SEED.otherTeam;
  const greta = admin.addUser({ team_id, name: 'greta', real_name: 'Greta Globex', role: 'admin' });
  admin.addChannel({ team_id, name: 'globex-support', members: [SEED.users.gus, greta.id] });
}
