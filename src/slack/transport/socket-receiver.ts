/** A small Bolt receiver over Socket Mode, with the manners of the one over HTTP: no public address is needed for it. */
import { createIntake } from './dispatch.ts';
import type { SlackReceiver } from './receiver.ts';
import { openConnection, type SocketOptions } from './socket-connection.ts';
import { createSocketLink, type LinkTimings } from './socket-link.ts';

export function createSocketReceiver(options: SocketOptions & { timings?: LinkTimings }): SlackReceiver {
  const intake = createIntake(options.log);
  const link = createSocketLink({ ...options, open: () => openConnection(options, intake.take) });
  return {
    init: intake.init,
    start: link.start,
    // Whatever comes until then is taken: Slack gives a command to one connection, once.
    stop: link.stop,
    routes: [],
    isReachable: link.isUp,
    idle: intake.idle,
  };
}
