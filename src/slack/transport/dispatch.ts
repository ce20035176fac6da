/** Dispatches Slack's requests to Bolt, over either transport, and ensures that each is answered once. */
import type { App, ReceiverEvent } from '@slack/bolt';
import { reportFault } from '../../fault.ts';
import type { Log } from '../../outbox/ports.ts';
import type { Delivered, IncomingEvent, IncomingInteraction, IncomingRateLimit } from './incoming.ts';

/** Slack's time limit, 3 s. After it the person sees an error, so the log should, too. */
export const ACK_MS = 3_000;

/** Returns an answer to Slack. One of the two is called, once. */
export type Reply = {
  /** @param answer the listener's acknowledgement; undefined for an event */
  acknowledge(answer: unknown): void;
  /**
   * Reports a missing acknowledgement.
   *
   * @param reference the reference of the fault that caused it; undefined: no listener answered
   */
  refuse(reference: string | undefined): void;
};

export type Dispatch = {
  init(app: App): void;
  take(incoming: Delivered, reply: Reply): void;
  idle(): Promise<void>;
};

export function createDispatch(log: Log, ackMs: number = ACK_MS): Dispatch {
  const working = new Set<Promise<void>>();
  let app: App | undefined;

  async function process(event: ReceiverEvent): Promise<void> {
    if (!app) throw new Error('A request of Slack arrived before the Bolt app was ready.');
    await app.processEvent(event);
  }

  /** Acknowledges an event once its listeners are done: Slack delivers it again if they failed. */
  async function processEvent({ body, retry }: IncomingEvent, reply: Reply): Promise<void> {
    await process({ body, ...retry, ack: async () => {} });
    reply.acknowledge(undefined);
  }

  /** Processes an interaction. Its listener acknowledges it, and may go on working after that. */
  async function interact({ body }: IncomingInteraction, reply: Reply): Promise<void> {
    await process({ body, ack: async (answer) => reply.acknowledge(answer) });
    reply.refuse(undefined);
  }

  async function work(incoming: IncomingEvent | IncomingInteraction, reply: Reply): Promise<void> {
    const { name } = incoming;
    const late = setTimeout(
      () => log.error({ event: 'acknowledged_late', name }, 'not acknowledged within 3 s'),
      ackMs,
    );
    const began = performance.now();
    const once = firstOf(reply, () => {
      clearTimeout(late);
      log.debug({ event: 'acknowledged', name, ms: Math.round(performance.now() - began) }, 'acknowledged');
    });
    try {
      await (incoming.type === 'event' ? processEvent(incoming, once) : interact(incoming, once));
    } catch (error) {
      once.refuse(reportFault(log, error, { route: 'slack', name }));
    }
  }

  return {
    init: (bolt) => {
      app = bolt;
    },
    take: (incoming, reply) => {
      if (incoming.type === 'rate_limit') {
        logRateLimit(log, incoming);
        return reply.acknowledge(undefined);
      }
      const done = work(incoming, reply);
      working.add(done);
      void done.finally(() => working.delete(done));
    },
    idle: async () => void (await Promise.allSettled(working)),
  };
}

function logRateLimit(log: Log, { workspace, since, name }: IncomingRateLimit): void {
  log.error(
    { workspace, since, name },
    'Slack withholds events of this workspace: too many in an hour, or too few were acknowledged. Votes by emoji may arrive late or never',
  );
}

/** Keeps only the first answer: a listener may acknowledge twice, or fail after its acknowledgement. */
function firstOf(reply: Reply, answered: () => void): Reply {
  let open = true;
  const first = <T>(answer: (value: T) => void) => {
    return (value: T) => {
      if (!open) return;
      open = false;
      answered();
      answer(value);
    };
  };
  return { acknowledge: first(reply.acknowledge), refuse: first(reply.refuse) };
}
