import type { z } from 'zod';
import type { Installation } from '../world/types.ts';
import type { World } from '../world/world.ts';
import { parseArguments } from './arguments.ts';

/**
 * Slack's rate-limit tiers: 1, 20, 50 and 100 calls a minute, by method and workspace.
 * 'post' is chat.postMessage's own: about one a second and channel.
 */
export type Tier = 1 | 2 | 3 | 4 | 'post' | 'unlimited';

/** Who calls, and on what. */
export type ApiCall = {
  world: World;
  app: Installation;
  token: string;
  /** The workspaces that it is about: one, or those of an organization. */
  teams: readonly string[];
};

/** One method of the Web API. */
export type ApiMethod = {
  name: string;
  tier: Tier;
  /** Scopes of which one is needed; what else a kind of channel needs is asked for on the way. */
  scopes: readonly string[];
  /** Whether an org-wide installation has to say which workspace it means, by `team_id`. */
  needsTeam?: boolean;
  run(call: ApiCall, args: Record<string, unknown>): object;
};

/** A method whose arguments are parsed before it runs. */
export function method<A>(definition: {
  name: string;
  tier: Tier;
  scopes: readonly string[];
  needsTeam?: boolean;
  args: z.ZodType<A>;
  run(call: ApiCall, args: A): object;
}): ApiMethod {
  const { args: schema, run, ...rest } = definition;
  return { ...rest, run: (call, args) => run(call, parseArguments(schema, args)) };
}
