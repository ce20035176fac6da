/** Shared by all who act in a play: the requests that there are, and the way to the bot. */
import type { Message } from '../../../sandbox/slack/world/types.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { STEP_METADATA } from '../../../src/slack/blocks/ids.ts';
import type { Act } from '../draw/plan.ts';
import type { Replica, World } from '../replica.ts';
import type { Deliveries } from '../world/deliveries.ts';
import type { Team } from '../world/slack-side.ts';

/** The performance of each kind of act. */
export type Acts<T extends Act['type']> = { [Type in T]: (act: Extract<Act, { type: Type }>) => void };

export type Cast = {
  world: World;
  /** Microseconds by Slack's clock, never the same twice. */
  moments: () => number;
  /** By their number in the plan. */
  requested: Map<number, { team: Team; id: string }>;
  recordOf(n: number): RequestRecord | undefined;
  /** The first message about a request whose step begins so: 0 is the card. */
  messageOf(n: number, step: string): Message | undefined;
  /** Presses a button or sends a form: once, or again after these pauses where no answer came. */
  use(name: string, hand: (replica: Replica) => Promise<unknown>, again?: readonly number[]): void;
};

/** Slack's own: an acknowledgement must come within three seconds. */
const ACK_MS = 3_000;

export function createCast(world: World, deliveries: Deliveries, moments: () => number): Cast {
  const requested: Cast['requested'] = new Map();
  const messages = () =>
    [...world.slack.world.channels.values()].flatMap((channel) => [...channel.messages.values()]);
  return {
    world,
    moments,
    requested,
    recordOf(n) {
      const ref = requested.get(n);
      const entries = [...world.stored.requests.entries()];
      return entries.find(({ record }) => record.id === ref?.id)?.record;
    },
    messageOf(n, step) {
      const id = requested.get(n)?.id;
      return messages().find(({ metadata }) => {
        const { event_type, event_payload = {} } = metadata ?? {};
        const isIts = event_type === STEP_METADATA && event_payload['request'] === id;
        return isIts && String(event_payload['step']).startsWith(step);
      });
    },
    use: (name, hand, again = []) =>
      deliveries.send({
        name,
        timeoutMs: ACK_MS,
        pausesMs: again,
        hand: async (replica) => {
          await hand(replica);
          return true;
        },
      }),
  };
}
