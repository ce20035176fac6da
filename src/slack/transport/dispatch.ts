/** Dispatches Slack's requests to Bolt, over either transport, and ensures that each is answered once. */
import type { App } from '@slack/bolt';
import { reportFault } from '../../fault.ts';
import type { Log } from '../../outbox/ports.ts';
import type { Delivered } from './incoming.ts';

/**
 * Slack's time limit (https://docs.slack.dev/interactivity/handling-user-interaction). After it the person sees an error, so the
 * log has one, too.
 */
export const ACK_MS = 3_000;

/** Answers a request of Slack. One of the two functions is called, once. */
export type Responder = {
  /** @param answer the listener's acknowledgement; undefined for an event */
  acknowledge(answer: unknown): void;
  /**
   * Refuses a request that was not acknowledged.
   *
   * @param reference of the fault in the way; undefined: no listener answered
   */
  refuse(reference: string | undefined): void;
};

type Work = Exclude<Delivered, { type: 'rate_limit' }>;

export function createDispatcher(log: Log, ackMs: number = ACK_MS) {
  const working = new Set<Promise<void>>();
  let app: App | undefined;

  /**
   * Acknowledges an event once its listeners are done: Slack delivers it again if they failed. The listener of an interaction
   * acknowledges it, and may go on working after that.
   */
  async function process(incoming: Work, responder: Responder): Promise<void> {
    if (!app) throw new Error('A request of Slack arrived before the Bolt app was ready.');
    const { body } = incoming;
    if (incoming.type === 'event') {
      await app.processEvent({ body, ...incoming.retry, ack: async () => {} });
      responder.acknowledge(undefined);
    } else {
      await app.processEvent({ body, ack: async (answer) => responder.acknowledge(answer) });
      // Refuses it only if no listener has acknowledged it (`onlyFirst`).
      responder.refuse(undefined);
    }
  }

  async function work(incoming: Work, responder: Responder): Promise<void> {
    const { name } = incoming;
    const late = setTimeout(
      () => log.error({ event: 'acknowledged_late', name }, 'not acknowledged within 3 s'),
      ackMs,
    );
    const began = performance.now();
    const once = onlyFirst(responder, () => {
      clearTimeout(late);
      log.debug({ event: 'answered', name, ms: Math.round(performance.now() - began) }, 'answered');
    });
    try {
      await process(incoming, once);
    } catch (error) {
      once.refuse(reportFault(log, error, { name }));
    }
  }

  return {
    init(bolt: App): void {
      app = bolt;
    },
    /** Passes a request to Bolt. Never throws. */
    dispatch(incoming: Delivered, responder: Responder) {
      if (incoming.type === 'rate_limit') {
        const { workspace, sinceIso: since, name } = incoming;
        log.error(
          { workspace, since, name },
          'Slack withholds events of this workspace: too many in an hour, or too few were acknowledged. Votes by emoji may arrive late or never',
        );
        return responder.acknowledge(undefined);
      }
      const done = work(incoming, responder);
      working.add(done);
      void done.finally(() => working.delete(done));
    },
    /** Waits for listeners that still run. */
    idle: async (): Promise<void> => void (await Promise.allSettled(working)),
  };
}

/** Keeps only the first answer: a listener may acknowledge twice, or fail after its acknowledgement. */
function onlyFirst(responder: Responder, answered: () => void): Responder {
  let open = true;
  const first = <T>(answer: (value: T) => void) => {
    return (value: T) => {
      if (!open) return;
      open = false;
      answered();
      answer(value);
    };
  };
  return { acknowledge: first(responder.acknowledge), refuse: first(responder.refuse) };
}
