import { randomBytes } from 'node:crypto';
import type { HomeView } from '../blocks/validate.ts';
import { SlackError } from '../slack-error.ts';
import type { HomePage, Installation, User } from '../world/types.ts';
import type { World } from '../world/world.ts';
import { startingValues } from './state.ts';

/** Returns the page that an installation of the app has last published for a person, in its Home tab. */
export const homeOf = (
  world: World,
  app: Pick<Installation, 'team_id'>,
  user: string,
): HomePage | undefined => world.homes.get(keyOf(app, user));

const keyOf = ({ team_id }: Pick<Installation, 'team_id'>, user: string) => `${team_id} ${user}`;

/** Publishes a page, in place of the one before. What was entered there is gone, unless Slack is told the same block_ids. */
export function publishHome(
  world: World,
  app: Installation,
  user: User,
  { definition, hash }: { definition: HomeView; hash?: string | undefined },
): HomePage {
  const before = homeOf(world, app, user.id);
  if (hash !== undefined && hash !== before?.hash) throw new SlackError('hash_conflict');
  const id = before?.id ?? world.nextId('V');
  const page: HomePage = {
    id,
    team_id: user.team_id,
    app_installed_team_id: app.team_id,
    app_id: app.app_id,
    bot_id: app.bot_id,
    user: user.id,
    definition,
    values: startingValues(definition.blocks, { world, user: user.id }, before?.values),
    hash: `${Math.floor(world.now() / 1000)}.${randomBytes(4).toString('hex')}`,
    root_view_id: id,
    previous_view_id: null,
    suggestions: new Map(),
    errors: {},
  };
  world.homes.set(keyOf(app, user.id), page);
  world.changes.publish({ type: 'home_published', user: user.id });
  return page;
}
