import type { Delivery, DeliveryService, PreparedEvent } from './deliveries.ts';
import type { Order, Organization } from './organization.ts';
import { REVIEWED, type ReviewedKind } from './reviewed.ts';

/** An event that the paused stream keeps. */
export type KeptEvent = {
  organization: string;
  event: PreparedEvent;
};

/** An event that was emitted, and the deliveries that carry it (none while the stream is paused). */
export type Emission = {
  event: PreparedEvent;
  deliveries: Delivery[];
  /** Resolves when every delivery has arrived or was given up. */
  settled: Promise<void>;
};

/** The events of all organizations. */
export type EventStream = {
  /** Posts an event to every subscription of the organization, or keeps it while paused. */
  emit(organization: Organization, event: PreparedEvent): Emission;
  /** Keeps later events instead of posting them. */
  pause(): void;
  /** Posts the kept events in order, and posts later ones at once. */
  resume(): Emission[];
  /** Returns the kept events and removes them, so that `resume` does not post them. */
  takeKept(): KeptEvent[];
};

/** Returns the event about the current state of a request: the newest version, not a difference. */
export function requestEvent(
  change: 'created' | 'updated',
  { id, poNumber, requests }: Order,
  kind: ReviewedKind,
): PreparedEvent {
  const request = requests[kind];
  if (!request) throw new Error(`order ${id} has no ${REVIEWED[kind].noun} to tell of`);
  return {
    topic: `${REVIEWED[kind].topic}.${change}`,
    data: { orderId: id, poNumber, ...request, requestedByUserId: 'api-user-1' },
  };
}

/** Creates a stream that posts at once. */
export function createEventStream(
  deliveries: DeliveryService,
  organizationOf: (id: string) => Organization,
): EventStream {
  const kept: KeptEvent[] = [];
  let paused = false;

  function emit(organization: Organization, event: PreparedEvent): Emission {
    if (paused) {
      kept.push({ organization: organization.id, event });
      return { event, deliveries: [], settled: Promise.resolve() };
    }
    const started = organization.subscriptions.map((to) => deliveries.deliver(to, event));
    const settled = Promise.all(started.map((delivery) => delivery.settled)).then(() => undefined);
    return { event, deliveries: started, settled };
  }

  const takeKept = () => kept.splice(0);
  return {
    emit,
    takeKept,
    pause: () => {
      paused = true;
    },
    resume: () => {
      paused = false;
      return takeKept().map(({ organization, event }) => emit(organizationOf(organization), event));
    },
  };
}
