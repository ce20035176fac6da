import { addWorkspace } from '../workspaces.ts';
import type { World } from '../world.ts';

export const SEED_ENTERPRISE = {
  id: 'E0INITECH1',
  support: 'T0INITECH1',
  returns: 'T0INITECH2',
  users: { ida: 'U0IDA00001', ivo: 'U0IVO00001', jan: 'U0JAN00001', joy: 'U0JOY00001' },
  channels: { support: 'C0INISUPP1', returns: 'C0INIRETN1' },
} as const;

/**
 * Seeds an organization with two workspaces: in one of them Ida, who also runs the organization, and Ivo; in the other
 * Jan, its admin, and Joy.
 */
export function seedEnterprise(world: World): void {
  const { id, support, returns, users, channels } = SEED_ENTERPRISE;
  world.enterprises.set(id, { id, name: 'Initech', domain: 'initech' });
  addWorkspace(world, {
    id: support,
    name: 'Initech Support',
    enterprise_id: id,
    people: [
      { id: users.ida, name: 'ida', real_name: 'Ida Iversen', role: 'admin', is_org_admin: true },
      { id: users.ivo, name: 'ivo', real_name: 'Ivo Ivanov' },
    ],
    channels: [{ id: channels.support, name: 'initech-support' }],
  });
  addWorkspace(world, {
    id: returns,
    name: 'Initech Returns',
    enterprise_id: id,
    people: [
      { id: users.jan, name: 'jan', real_name: 'Jan Jansen', role: 'admin' },
      { id: users.joy, name: 'joy', real_name: 'Joy Jones' },
    ],
    channels: [{ id: channels.returns, name: 'initech-returns' }],
  });
}
