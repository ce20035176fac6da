import { post } from '../lib/http/client.ts';
import type { Journal } from '../lib/http/journal.ts';
import { jsonOrText } from '../lib/json.ts';
import { retryWithDelays } from '../lib/wait-until.ts';
import type { Subscription } from './organization.ts';
import { signBody } from './signature.ts';

/** An event before it is posted, so that a test can edit, delay, repeat or reorder it. */
export type PreparedEvent = {
  topic: string;
  data: Record<string, unknown>;
};

/** One event on its way to one subscription. */
export type Delivery = {
  id: string;
  url: string;
  event: PreparedEvent;
  state: 'under_way' | 'delivered' | 'given_up';
  /** The status of each attempt, or the reason why there is none. */
  attempts: (number | 'timeout' | 'no_connection')[];
  settled: Promise<void>;
};

/** The time-outs and retries of deliveries. */
export type DeliveryOptions = {
  /** The delays before the retries. The service makes five; the interface does not show its backoff. */
  retryDelaysMs: readonly number[];
  timeoutMs: number;
};

/** Posts events and keeps the result of each delivery. */
export type DeliveryService = {
  deliver(subscription: Subscription, event: PreparedEvent): Delivery;
  /** Posts the event of an earlier delivery anew, with the same bytes. */
  redeliver(id: string): Delivery;
  list(): Delivery[];
  /** Aborts the deliveries under way. */
  close(): void;
};

/** Creates the service that delivers over HTTP; each attempt is in the journal. */
export function createDeliveries(journal: Journal, options: DeliveryOptions): DeliveryService {
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
      delaysMs: options.retryDelaysMs,
      closing: closing.signal,
      attempt: async () => {
        const result = await attempt(delivery, subscription, {
          ...options,
          journal,
          closing: closing.signal,
        });
        delivery.attempts.push(result);
        return typeof result === 'number' && result >= 200 && result < 300 ? 'done' : 'again';
      },
    });
    delivery.state = arrived ? 'delivered' : 'given_up';
  }

  return {
    deliver,
    redeliver: (id) => {
      const earlier = made.get(id);
      if (!earlier) throw new Error(`there is no delivery ${id}`);
      return deliver(earlier.subscription, earlier.delivery.event);
    },
    list: () => [...made.values()].map(({ delivery }) => delivery),
    close: () => closing.abort(),
  };
}

/** Posts once. @returns the status, or the reason why there is none */
async function attempt(
  delivery: Delivery,
  subscription: Subscription,
  { journal, timeoutMs, closing }: { journal: Journal; timeoutMs: number; closing: AbortSignal },
): Promise<Delivery['attempts'][number]> {
  const body = JSON.stringify(delivery.event);
  const headers = {
    'content-type': 'application/json',
    topic: delivery.event.topic,
    'x-sibi-signature-256': signBody(body, subscription),
  };
  const underway = journal.begin({
    from: 'order-service',
    to: 'bot',
    kind: 'service_event',
    name: delivery.event.topic,
    request: { url: subscription.url, delivery: delivery.id, headers, body: delivery.event },
  });
  const result = await post(subscription.url, { headers, body, timeoutMs, signal: closing });
  if (result.ended !== 'answered') {
    underway.end({ ended: result.ended });
    return result.ended;
  }
  underway.end({ ended: 'answered', response: { status: result.status, body: jsonOrText(result.body) } });
  return result.status;
}
