/** Delivers events and interactions to the replicas through a balancer, with retries. */
import { USUAL } from '../draw/choices.ts';
import { amountOf } from '../draw/faults.ts';
import type { Replica } from '../replica.ts';
import type { World } from '../world/world.ts';

export type Delivery = {
  name: string;
  /** Runs in a replica. @returns whether it acknowledged the delivery; throwing counts as no */
  handle: (replica: Replica) => Promise<boolean>;
  /** The time that the sender waits for an answer. */
  timeoutMs: number;
  /** The pauses before its retries. */
  pausesMs: readonly number[];
  /** Whether it goes on retrying, with the last pause, up to MAX_TRIES. */
  repeatsLastPause?: boolean;
};

export type Deliveries = {
  send(delivery: Delivery): void;
  /** The number of deliveries that are neither acknowledged nor given up. */
  pending(): number;
};

/**
 * The most tries of a delivery. Not every event can be acknowledged: if the answer with a new secret is lost, the service goes on
 * signing with the old one, and the bot refuses its events until somebody connects again.
 */
const MAX_TRIES = 300;

/** Whether a replica passes the balancer's health check. */
const isUp = (replica: Replica) =>
  replica.process().isAlive() && !replica.process().isFrozen() && !replica.isStopping();

export function createDeliveries(world: World, replicas: readonly Replica[]): Deliveries {
  const { scheduler, choices, trace } = world;
  let turn = 0;
  let pending = 0;

  function pick(): Replica {
    turn += 1;
    const up = replicas.filter(isUp);
    const from = up.length > 0 ? up : replicas;
    return from[turn % from.length] as Replica;
  }

  function attempt(delivery: Delivery, tries: number): void {
    const { name, timeoutMs } = delivery;
    const fault = choices.take(name, world.faultRates().delivery);
    trace.note(`${scheduler.now()} ${name}: ${fault}`);
    if (fault !== USUAL) trace.tell(scheduler.now(), () => `${name}: ${fault}`);
    if (fault !== USUAL) world.spans.fault(fault, 'delivery', { about: name });
    let isOver = false;
    const finish = (isAcknowledged: boolean) => {
      if (isOver) return;
      isOver = true;
      cancelTimeout();
      retryOrEnd(delivery, tries, isAcknowledged);
    };
    const cancelTimeout = scheduler.after(timeoutMs, () => finish(false));
    if (fault === 'lost' || fault === 'refused') return;
    const late = fault.startsWith('late') || fault.startsWith('+') ? amountOf(fault) : 0;
    const arrive = () =>
      handle(delivery, (isAcknowledged) => fault !== 'answer lost' && finish(isAcknowledged));
    scheduler.after(20 + late, arrive);
    // It arrives twice, perhaps at two replicas.
    if (fault === 'answer late') scheduler.after(30, arrive);
  }

  function retryOrEnd(delivery: Delivery, tries: number, isAcknowledged: boolean): void {
    const { pausesMs, repeatsLastPause } = delivery;
    const mayRepeat = repeatsLastPause && tries < MAX_TRIES;
    const pause = pausesMs[tries] ?? (mayRepeat ? pausesMs.at(-1) : undefined);
    if (isAcknowledged || pause === undefined) pending -= 1;
    else scheduler.after(pause, () => attempt(delivery, tries + 1));
  }

  function handle(delivery: Delivery, answer: (isAcknowledged: boolean) => void): void {
    const replica = pick();
    const process = replica.process();
    process.enter(() => {
      world.witness
        .deliver(delivery.name, () => replica.handle(() => delivery.handle(replica)))
        .then(
          (isAcknowledged) => process.isAlive() && scheduler.after(20, () => answer(isAcknowledged)),
          (error) => {
            world.witness.onError(error);
            if (process.isAlive()) scheduler.after(20, () => answer(false));
          },
        );
    });
  }

  return {
    pending: () => pending,
    send(delivery) {
      pending += 1;
      attempt(delivery, 0);
    },
  };
}
