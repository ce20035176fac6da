/** The options of a run. */
import { createRandom } from './random.ts';

/** `sentinel`: several Redis servers; another one becomes the master when the master fails. */
export const STORAGES = ['redis', 'sentinel', 'sqlite'] as const;
export type StorageName = (typeof STORAGES)[number];

export const TRANSPORTS = ['http', 'socket'] as const;
export type TransportName = (typeof TRANSPORTS)[number];

/** The transport of a run without --transport. */
export const transportOf = (seed: number): TransportName =>
  createRandom(seed, 'transport').chance(1 / 3) ? 'socket' : 'http';

/** The guards that can be removed, so that the run must find doubles. */
export const GUARDS = ['claims', 'read-back'] as const;
export type Guard = (typeof GUARDS)[number];

export type ChaosOptions = {
  seed: number;
  requests: number;
  faults: number;
  storage: StorageName;
  transport: TransportName;
  without?: Guard | undefined;
};

/**
 * The number of bot processes. A third one shortens a run, whose kills and freezes of one process come one after the other.
 */
export const REPLICAS: Record<StorageName, number> = { redis: 3, sentinel: 2, sqlite: 1 };
