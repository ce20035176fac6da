import type { Channel } from '../../world/types.ts';

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
