/** What a run can be asked for. */

export const STORAGES = ['redis', 'sqlite'] as const;
export type StorageName = (typeof STORAGES)[number];

/** What can be taken away from the bot, so that the run must find doubles. */
export const GUARDS = ['claims', 'read-back'] as const;
export type Guard = (typeof GUARDS)[number];

export type ChaosOptions = {
  seed: number;
  requests: number;
  faults: number;
  storage: StorageName;
  without?: Guard | undefined;
};
