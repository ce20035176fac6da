import type { EventDelivery } from './events.ts';

/** Events that are kept from the app, to arrive late, in another order, or never. */
export type HeldEvents = {
  /** Everything that was held, in the order in which it happened. An event keeps its place whatever becomes of it. */
  list(): EventDelivery[];
  /** Delivers the event in this place, before or after the others. */
  deliver(index: number): EventDelivery;
  /** The event in this place never arrives, save by `redeliver`. */
  lose(index: number): EventDelivery;
  /** Delivers what is still held, in order, and holds nothing more. */
  release(): EventDelivery[];
};

/** An event that is ready to go. */
export type Outgoing = {
  delivery: EventDelivery;
  start(): EventDelivery;
  lose(): EventDelivery;
};

/** A place where events are held. */
export type Hold = HeldEvents & {
  takes(type: string): boolean;
  keep(outgoing: Outgoing): void;
};

/** @param types which events; none: every one */
export function createHold(types: readonly string[], end: (hold: Hold) => void): Hold {
  const kept: Outgoing[] = [];
  const isHeld = ({ delivery }: Outgoing) => delivery.state === 'held';

  function heldAt(index: number): Outgoing {
    const outgoing = kept[index];
    if (!outgoing || !isHeld(outgoing)) throw new Error(`no event is held in place ${index}`);
    return outgoing;
  }

  const hold: Hold = {
    takes: (type) => types.length === 0 || types.includes(type),
    keep: (outgoing) => void kept.push(outgoing),
    list: () => kept.map(({ delivery }) => delivery),
    deliver: (index) => heldAt(index).start(),
    lose: (index) => heldAt(index).lose(),
    release: () => {
      end(hold);
      return kept.filter(isHeld).map((outgoing) => outgoing.start());
    },
  };
  return hold;
}
