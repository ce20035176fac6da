/** Hands to Bolt what Slack sent, whichever way it came, and sees to it that it is answered once. */
import type { App, ReceiverEvent } from '@slack/bolt';
import { reportFault } from '../../fault.ts';
import type { Log } from '../../requests/ports/ports.ts';
import type { Delivered, IncomingEvent, IncomingInteraction, IncomingRateLimit } from './incoming.ts';

/** Slack gives up after 3 s; by then the person reads an error, and so should the log. */
export const ACK_MS = 3_000;

/** How an answer travels back. One of the two is called, once. */
export type Reply = {
  /** @param answer what a listener acknowledged with; undefined for an event */
  acknowledge(answer: unknown): void;
  /** There is no acknowledgement. @param reference of the fault that was why; undefined: nobody was there to answer */
  refuse(reference: string | undefined): void;
};

export type Intake = {
  init(app: App): void;
  take(incoming: Delivered, reply: Reply): void;
  /** Waits for what listeners still do, also after they have answered. */
  idle(): Promise<void>;
};

export function createIntake(log: Log, ackMs: number = ACK_MS): Intake {
  const working = new Set<Promise<void>>();
  let app: App | undefined;

  async function process(event: ReceiverEvent): Promise<void> {
    if (!app) throw new Error('Slack was heard before the Bolt app was there.');
    await app.processEvent(event);
  }

  /** An event is acknowledged once its listeners are done: what they failed to record, Slack delivers again. */
  async function recordEvent({ body, retry }: IncomingEvent, reply: Reply): Promise<void> {
    await process({ body, ...retry, ack: async () => {} });
    reply.acknowledge(undefined);
  }

  /** An interaction is acknowledged by its listener, which may go on working after that. */
  async function interact({ body }: IncomingInteraction, reply: Reply): Promise<void> {
    await process({ body, ack: async (answer) => reply.acknowledge(answer) });
    reply.refuse(undefined);
  }

  async function work(incoming: IncomingEvent | IncomingInteraction, reply: Reply): Promise<void> {
    const { name } = incoming;
    const late = setTimeout(() => log.error({ name }, 'not acknowledged within 3 s'), ackMs);
    const once = firstOf(reply, () => clearTimeout(late));
    try {
      await (incoming.type === 'event' ? recordEvent(incoming, once) : interact(incoming, once));
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
        raiseAlarm(log, incoming);
        return reply.acknowledge(undefined);
      }
      const done = work(incoming, reply);
      working.add(done);
      void done.finally(() => working.delete(done));
    },
    idle: async () => void (await Promise.allSettled(working)),
  };
}

function raiseAlarm(log: Log, { workspace, since, name }: IncomingRateLimit): void {
  log.error(
    { workspace, since, name },
    'Slack holds events of this workspace back: there were too many in an hour, or too few were answered. Votes by emoji may come late, or not at all',
  );
}

/** A listener may acknowledge twice, or fail after it did: Slack has had its answer by then. */
function firstOf(reply: Reply, answered: () => void): Reply {
  let open = true;
  const first = <T>(act: (value: T) => void) => {
    return (value: T) => {
      if (!open) return;
      open = false;
      answered();
      act(value);
    };
  };
  return { acknowledge: first(reply.acknowledge), refuse: first(reply.refuse) };
}
