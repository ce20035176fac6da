import type { Channel } from '../../world/types.ts';

/** Events that are held back, so that they arrive late, in another order, or never. */
export type HeldEvents = {
  /**
   * Returns all held events, in the order in which they happened. An event keeps its index after it was delivered or lost.
   */
  list(): EventDelivery[];
  /** Delivers the event at this index, before or after the others. */
  deliver(index: number): EventDelivery;
  /** Drops the event at this index; only `redeliver` can still deliver it. */
  lose(index: number): EventDelivery;
  /** Delivers the events that are still held, in order, and stops holding. */
  release(): EventDelivery[];
};

/** An event that is ready to go. */
export type OutgoingEvent = {
  delivery: EventDelivery;
  start(): EventDelivery;
  lose(): EventDelivery;
};

/** A hold on some types of events. */
export type Hold = HeldEvents & {
  takes(type: string): boolean;
  keep(outgoing: OutgoingEvent): void;
};

/** @param types the types to hold; none: all */
export function createHold(types: readonly string[], end: (hold: Hold) => void): Hold {
  const kept: OutgoingEvent[] = [];
  const isHeld = ({ delivery }: OutgoingEvent) => delivery.state === 'held';

  function heldAt(index: number): OutgoingEvent {
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

/** An event, with the subscription that an app needs to receive it. */
export type AppEvent = {
  /** The name in the app's manifest: `message.channels`, `app_uninstalled`. */
  subscription: string;
  /** The scope that the app needs to receive it. */
  scope?: string;
  event: Record<string, unknown>;
  channel?: Channel;
};

/** The delivery of one event to the app. */
export type EventDelivery = {
  event_id: string;
  envelope: Record<string, unknown>;
  /** 'held' and 'lost' are set only by a test. */
  state: 'held' | 'lost' | 'under_way' | 'delivered' | 'given_up';
  /** The status of each attempt, or the reason why there is none. */
  attempts: (number | 'timeout' | 'no_connection')[];
  /** Resolves once the event was delivered, given up or lost. */
  settled: Promise<void>;
};
