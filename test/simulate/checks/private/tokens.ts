/** Checks that a token is stored as long as a connection names it, and no longer once the sweep has run. */
import type { Replica } from '../../replica.ts';
import { TEAMS, workspaceOf } from '../../teams.ts';
import type { World } from '../../world/world.ts';

export async function checkTokens(world: World, replica: Replica): Promise<void> {
  const { adapters, log } = replica.bot().context;
  await adapters.connections.sweep(log, new AbortController().signal);
  const found = await Promise.all(TEAMS.map((team) => adapters.connections.find(workspaceOf(team))));
  const named = found.flatMap((each) => each?.token?.generation ?? []);
  const { stored, witness } = world;
  const records = [...stored.tokens.entries()].map(({ record }) => record);
  const held = records.flatMap(({ holders }) => holders.map(({ generation }) => generation));
  if (held.toSorted().join() !== named.toSorted().join())
    witness.violated(`token: ${held.length} are held, and ${named.length} are named`);
  for (const generation of named)
    if (!stored.cells.has(PREFIX + generation)) witness.violated('token: one that is named is not stored');
  const late = records.flatMap(({ dropped }) => dropped.map(({ generation }) => generation));
  const known = new Set([...named, ...late].map((generation) => PREFIX + generation));
  for (const key of stored.cells.keys())
    if (key.startsWith(PREFIX) && !known.has(key))
      witness.violated('token: one is stored that no record names');
}

const PREFIX = 'tokens:';
