import type { z } from 'zod';
import type { Installation } from '../world/types.ts';
import type { World } from '../world/world.ts';
import { parseArguments } from './arguments.ts';
import type { Tier } from './limits.ts';

/** The caller, and the world that the call works on. */
export type ApiCall = {
  world: World;
  app: Installation;
  token: string;
  /** The workspaces of the call: one, or those of an organization. */
  teams: readonly string[];
};

/** One method of the Web API. */
export type ApiMethod = {
  name: string;
  tier: Tier;
  /** Scopes of which one is needed; the method itself checks those that depend on the kind of channel. */
  scopes: readonly string[];
  /** Whether an org-wide installation must name a workspace, by `team_id`. */
  needsTeam?: boolean;
  run(call: ApiCall, args: Record<string, unknown>): object;
};

/** Defines a method whose arguments are parsed before it runs. */
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
