import { z } from 'zod';
import { presentUser } from '../../present/user.ts';
import { SlackError } from '../../slack-error.ts';
import { isStranger, isUserVisible } from '../../world/users.ts';
import { limit } from '../arguments.ts';
import { type ApiMethod, method } from '../method.ts';
import { pageOf } from '../pages.ts';

/** Everyone of the workspace, and people of the companies that it shares a channel with. */
export const usersInfo: ApiMethod = method({
  name: 'users.info',
  tier: 4,
  scopes: ['users:read'],
  args: z.object({ user: z.string().default('') }),
  run: ({ world, app }, args) => {
    const user = world.users.get(args.user);
    const isKnown = user && (isUserVisible(world, app.team_id, user) || isStranger(world, app.team_id, user));
    if (!isKnown) throw new SlackError('user_not_found');
    return { user: presentUser(world, app.team_id, user) };
  },
});

export const usersList: ApiMethod = method({
  name: 'users.list',
  tier: 2,
  scopes: ['users:read'],
  needsTeam: true,
  args: z.object({ cursor: z.string().optional(), limit: limit(1000, 1000) }),
  run: ({ world, app, teams }, args) => {
    const all = [...world.users.values()].filter((user) =>
      teams.some((team) => isUserVisible(world, team, user)),
    );
    const { items, response_metadata } = pageOf(world, all, args);
    return {
      members: items.map((user) => presentUser(world, app.team_id, user)),
      cache_ts: Math.floor(world.now() / 1000),
      response_metadata,
    };
  },
});
