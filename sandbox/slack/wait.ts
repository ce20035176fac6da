import type { Journal } from '../lib/http/journal.ts';
import { type WaitOptions, waitUntil } from '../lib/wait-until.ts';
import { renderLatest } from './render/channel.ts';
import type { World } from './world/world.ts';

/** Resolves as soon as `look` finds something in the world, now or after any change of it. */
export type WorldWait = <T>(look: () => T | undefined, options?: WaitOptions) => Promise<T>;

/** Waits that tell, when they were in vain, what stands in the channels and what went on last. */
export function createWorldWait(world: World, journal: Journal): WorldWait {
  const explain = () => `${renderLatest(world)}\n${journal.describe()}`;
  return (look, options) => waitUntil(world.changes, look, { explain, ...options });
}
