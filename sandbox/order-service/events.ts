/** The events of the order service: emits them, signs them, and delivers them with retries. */
import { createHmac } from 'node:crypto';
import { retryWithDelays } from '../lib/feed.ts';
import { type NoAnswer, post } from '../lib/http/client.ts';
import type { Journal } from '../lib/http/journal.ts';
import { jsonOrText } from '../lib/json.ts';
import {
  type Order,
  type Organization,
  REVIEWED,
  type ReviewedKind,
  type Subscription,
} from './organization.ts';

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

export type EventStream = ReturnType<typeof createEventStream>;

export function createEventStream(deliveries: DeliveryService, organizationOf: (id: string) => Organization) {
  const kept: { organization: string; event: PreparedEvent }[] = [];
  let paused = false;

  /**
   * Posts an event to every subscription of the organization, or keeps it while paused. `settled` resolves when every delivery
   * has arrived or was given up.
   */
  function emit(organization: Organization, event: PreparedEvent) {
    if (paused) kept.push({ organization: organization.id, event });
    const started = paused ? [] : organization.subscriptions.map((to) => deliveries.deliver(to, event));
    const settled = Promise.all(started.map((delivery) => delivery.settled)).then(() => {});
    return { event, deliveries: started, settled };
  }

  /** Returns the kept events and removes them, so that `resume` does not post them. */
  const takeKept = () => kept.splice(0);
  return {
    emit,
    takeKept,
    pause: () => {
      paused = true;
    },
    /** Posts the kept events in order, and posts later ones at once. */
    resume: () => {
      paused = false;
      return takeKept().map(({ organization, event }) => emit(organizationOf(organization), event));
    },
  };
}

/** An event before it is posted, so that a test can edit, delay, repeat or reorder it. */
export type PreparedEvent = {
  topic: string;
  data: Record<string, unknown>;
};

export type Delivery = {
  id: string;
  url: string;
  event: PreparedEvent;
  state: 'under_way' | 'delivered' | 'given_up';
  /** The status of each attempt, or the reason why there is none. */
  attempts: (number | NoAnswer)[];
  settled: Promise<void>;
};

export type DeliveryService = ReturnType<typeof createDeliveries>;

/**
 * Creates the service that delivers over HTTP; each attempt is in the journal.
 * @param options the delays before the retries, of which the real service makes five (the interface does not show its
 *   backoff), and the time-out of an attempt
 */
export function createDeliveries(
  journal: Journal,
  { retryDelaysMs, timeoutMs }: { retryDelaysMs: readonly number[]; timeoutMs: number },
) {
  const made = new Map<string, { delivery: Delivery; subscription: Subscription }>();
  const closing = new AbortController();

  function deliver(subscription: Subscription, event: PreparedEvent): Delivery {
    const id = `delivery-${made.size + 1}`;
    const delivery: Delivery = {
      id,
      url: subscription.url,
      event,
      state: 'under_way',
      attempts: [],
      settled: Promise.resolve(),
    };
    made.set(id, { delivery, subscription });
    delivery.settled = settle(delivery, subscription);
    return delivery;
  }

  async function settle(delivery: Delivery, subscription: Subscription): Promise<void> {
    const arrived = await retryWithDelays({
      delaysMs: retryDelaysMs,
      closing: closing.signal,
      attempt: async () => {
        const result = await postOnce(delivery, subscription);
        delivery.attempts.push(result);
        return typeof result === 'number' && result >= 200 && result < 300 ? 'done' : 'again';
      },
    });
    delivery.state = arrived ? 'delivered' : 'given_up';
  }

  async function postOnce({ id, url, event }: Delivery, subscription: Subscription) {
    const body = JSON.stringify(event);
    const signature = signBody(body, subscription);
    const headers = {
      'content-type': 'application/json',
      topic: event.topic,
      'x-sibi-signature-256': signature,
    };
    const request = { url, delivery: id, headers, body: event };
    const about = { kind: 'service_event', name: event.topic, request } as const;
    const underway = journal.begin({ from: 'order-service', to: 'bot', ...about });
    const result = await post(url, { headers, body, timeoutMs, signal: closing.signal });
    if (result.ended !== 'answered') {
      underway.end({ ended: result.ended });
      return result.ended;
    }
    const { status } = result;
    underway.end({ ended: 'answered', response: { status, body: jsonOrText(result.body) } });
    return status;
  }

  return {
    deliver,
    /** Posts the event of an earlier delivery anew, with the same bytes. */
    redeliver: (id: string) => {
      const earlier = made.get(id);
      if (!earlier) throw new Error(`there is no delivery ${id}`);
      return deliver(earlier.subscription, earlier.delivery.event);
    },
    list: () => [...made.values()].map(({ delivery }) => delivery),
    close: () => closing.abort(),
  };
}

/** Computes X-Sibi-Signature-256 for a body: a SHA-256 HMAC, in the format of the subscription. */
export function signBody(body: string, { secret, format }: Subscription): string {
  const hmac = createHmac('sha256', secret).update(body);
  if (format === 'base64') return hmac.digest('base64');
  const hex = hmac.digest('hex');
  return format === 'hex' ? hex : `sha256=${hex}`;
}
