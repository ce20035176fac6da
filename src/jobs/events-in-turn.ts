/**
 * Applies the events of one order one after another in this process: they would only conflict with each other. How many may
 * wait is bounded, so that one order or one workspace costs others neither memory nor time.
 */
import { createInTurn } from '../in-turn.ts';

const MOST_OF_AN_ORDER = 100;
const MOST_OF_A_WORKSPACE = 1_000;

/** `subject`: the order, as the store lists its requests. */
type About = { workspace: string; subject: string };

export type EventsInTurn = {
  /** @returns `too_many` if too many events wait already: then `apply` never runs */
  run<T>(about: About, apply: () => Promise<T>): Promise<T | 'too_many'>;
};

export function createEventsInTurn(): EventsInTurn {
  const orders = createInTurn();
  const waiting = new Map<string, number>();
  const wait = (workspace: string, by: number) => {
    const count = (waiting.get(workspace) ?? 0) + by;
    if (count > 0) waiting.set(workspace, count);
    else waiting.delete(workspace);
  };
  return {
    async run({ workspace, subject }, apply) {
      const order = JSON.stringify([workspace, subject]);
      const { isBusy, waiting: ofOrder } = orders.load(order);
      if (!isBusy) return orders.run(order, apply);
      const ofWorkspace = waiting.get(workspace) ?? 0;
      if (ofOrder >= MOST_OF_AN_ORDER || ofWorkspace >= MOST_OF_A_WORKSPACE) return 'too_many';
      wait(workspace, 1);
      return orders.run(order, () => {
        wait(workspace, -1);
        return apply();
      });
    },
  };
}
