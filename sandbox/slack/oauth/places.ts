import type { World } from '../world/world.ts';

/** Returns the workspaces, and the organizations if the app can be installed in them. */
export function installTargets({ teams, enterprises, app }: World): { id: string; name: string }[] {
  const whole = [...enterprises.values()].map(({ id, name }) => ({
    id,
    name: `${name} (whole organization)`,
  }));
  return [...teams.values(), ...(app.orgDeploy ? whole : [])].map(({ id, name }) => ({ id, name }));
}
