/** Brings what Slack and the order service have to say to one of the replicas, again and again where it is not taken. */
import { amountOf } from '../draw/fates.ts';
import type { Replica, World } from '../replica.ts';

export type Delivery = {
  name: string;
  /** Done in a replica. @returns whether it was taken @throws where it was not */
  hand: (replica: Replica) => Promise<boolean>;
  /** How long the sender waits for an answer, and the pauses before it tries again; the last one for hours where `insists`. */
  timeoutMs: number;
  pausesMs: readonly number[];
  insists?: boolean;
};

export type Deliveries = {
  send(delivery: Delivery): void;
  /** How many are still under way. */
  pending(): number;
};

/**
 * An admin whose browser never heard of the new secret leaves the service with the old one: what it sends is refused, until
 * somebody connects again.
 */
const MOST_TRIES = 300;

/** A balancer knows after a while that a replica is down or frozen. */
const isUp = (replica: Replica) => replica.life().isAlive() && !replica.life().isFrozen();

export function createDeliveries(world: World, replicas: readonly Replica[]): Deliveries {
  const { timeline, choices, trace } = world;
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
    const fate = choices.take(name, world.fates().delivery);
    trace.note(`${timeline.now()} ${name}: ${fate}`);
    let isOver = false;
    const over = (isTaken: boolean) => {
      if (isOver) return;
      isOver = true;
      giveUp();
      ended(delivery, tries, isTaken);
    };
    const giveUp = timeline.after(timeoutMs, () => over(false));
    if (fate === 'lost' || fate === 'refused') return;
    const late = fate.startsWith('late') || fate.startsWith('+') ? amountOf(fate) : 0;
    const arrive = () => hand(delivery, (isTaken) => fate !== 'answer lost' && over(isTaken));
    timeline.after(20 + late, arrive);
    // The same thing comes twice, to another replica, perhaps.
    if (fate === 'answer late') timeline.after(30, arrive);
  }

  function ended(delivery: Delivery, tries: number, isTaken: boolean): void {
    const { pausesMs, insists } = delivery;
    const goesOn = insists && tries < MOST_TRIES;
    const pause = pausesMs[tries] ?? (goesOn ? pausesMs.at(-1) : undefined);
    if (isTaken || pause === undefined) pending -= 1;
    else timeline.after(pause, () => attempt(delivery, tries + 1));
  }

  function hand(delivery: Delivery, answer: (isTaken: boolean) => void): void {
    const replica = pick();
    const life = replica.life();
    life.enter(() => {
      delivery.hand(replica).then(
        (isTaken) => life.isAlive() && timeline.after(20, () => answer(isTaken)),
        (error) => {
          world.witness.fault(error);
          if (life.isAlive()) timeline.after(20, () => answer(false));
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
