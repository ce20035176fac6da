/** Performs the acts of operators: they stop and start replicas, and the storage fails over. */
import type { Replica } from '../replica.ts';
import type { ActHandlers, PeopleContext } from './context.ts';

/** The time between the start of one replica and the stop of the next one. */
const ROLLING_MS = 10_000;

export function operatorActs(
  { world: { scheduler, spans, storage } }: PeopleContext,
  replicas: readonly Replica[],
): ActHandlers<'stop' | 'rolling_restart' | 'fail_over'> {
  function rolling([first, ...rest]: readonly Replica[]): void {
    first?.stop(() => scheduler.after(ROLLING_MS, () => rolling(rest)));
  }

  return {
    stop: ({ replica }) => replicas[replica % replicas.length]?.stop(),
    rolling_restart: () => rolling(replicas),
    fail_over: () => {
      spans.fault('failover', 'storage', { about: undefined });
      storage.failOver();
    },
  };
}
