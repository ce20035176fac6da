/** A small Bolt receiver over Socket Mode, with the manners of the one over HTTP: no public address is needed for it. */
import { createIntake } from './intake.ts';
import type { SlackReceiver } from './receiver.ts';
import { openConnection, type Receive, type SocketOptions } from './socket-connection.ts';
import { createSocketLink, type LinkTimings } from './socket-link.ts';

export function createSocketReceiver(options: SocketOptions & { timings?: LinkTimings }): SlackReceiver {
  const intake = createIntake(options.log);
  const link = createSocketLink({ ...options, open: () => openConnection(options, receive) });
  let stopping = false;

  const receive: Receive = (incoming, reply) => {
    if (!stopping) return intake.take(incoming, reply);
    // An event comes again, to whoever is connected then.
    options.log.warn({ name: incoming.name }, 'not taken: the bot is stopping');
    reply.refuse(undefined);
  };

  return {
    init: intake.init,
    start: link.start,
    async stop() {
      stopping = true;
      await link.stop();
    },
    routes: [],
    mustBeReachable: link.mustBeUp,
    idle: intake.idle,
  };
}
