import type { Admin } from './slack/admin.ts';
import type { SlackOptions } from './slack/options.ts';
import { SEED } from './slack/world/seed/seed.ts';

/**
 * Options for several workspaces: the app is installed nowhere, and an organization can install it as a whole, whatever the
 * manifest says.
 */
export const SEVERAL_WORKSPACES: Partial<SlackOptions> = {
  installed: false,
  enterprise: true,
  orgDeploy: true,
};

/** Adds people and channels to Globex, of which the seed has one person. */
export function seedGlobex(admin: Admin): void {
  const team_id = SEED.otherTeam;
  const greta = admin.addUser({ team_id, name: 'greta', real_name: 'Greta Globex', role: 'admin' });
  admin.addChannel({ team_id, name: 'globex-support', members: [SEED.users.gus, greta.id] });
}
