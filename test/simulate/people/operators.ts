/** Performs the acts of operators: they stop and start replicas, the storage fails over, and they forget people. */
import { forgetPerson } from '../../../src/requests/use-cases/forget-person.ts';
import type { Act } from '../draw/plan.ts';
import type { Replica } from '../replica.ts';
import { idOf, workspaceOf } from '../teams.ts';
import type { World } from '../world/world.ts';
import type { ActHandlers, PeopleContext } from './context.ts';

/** The time between the start of one replica and the stop of the next one. */
const ROLLING_MS = 10_000;
/** The pauses between the tries to forget a person, milliseconds. */
const FORGOTTEN_AGAIN_MS = [30_000, 60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000, 60 * 60_000];

export function operatorActs(
  { world: { scheduler, spans, storage, forgotten }, use }: PeopleContext,
  replicas: readonly Replica[],
): ActHandlers<'stop' | 'rolling_restart' | 'fail_over' | 'forget_person'> {
  function rolling([first, ...rest]: readonly Replica[]): void {
    first?.stop(() => scheduler.after(ROLLING_MS, () => rolling(rest)));
  }

  /** Forgets a person as `countermand forget-person` does, again and again while an open request names the person. */
  function forget({ team, who }: Extract<Act, { type: 'forget_person' }>): void {
    const person = idOf('U', who);
    const firstFrom = scheduler.now();
    const noted: World['forgotten'][number] = { team, who: person, firstFrom, from: firstFrom };
    forgotten.push(noted);
    use(
      `an operator forgets ${who} of ${team}`,
      async ({ bot }) => {
        const from = scheduler.now();
        const { adapters, timings } = bot().context;
        const { settings, storage: stored } = adapters;
        const { type } = await stored.replicated(() =>
          forgetPerson(
            { ...stored, store: stored.requests, settings, timings },
            { workspace: workspaceOf(team), person },
          ),
        );
        if (type === 'named') throw new Error(`${who} of ${team} is still named.`);
        Object.assign(noted, { from, at: scheduler.now() });
      },
      FORGOTTEN_AGAIN_MS,
    );
  }

  return {
    forget_person: forget,
    stop: ({ replica }) => replicas[replica % replicas.length]?.stop(),
    rolling_restart: () => rolling(replicas),
    fail_over: () => {
      spans.fault('failover', 'storage', { about: undefined });
      storage.failOver();
    },
  };
}
