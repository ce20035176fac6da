/** The context that the handlers of acts share: the requests made so far, and access to the bot. */
import type { Message } from '../../../sandbox/slack/world/types.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import type { Deliveries } from '../deliveries/deliveries.ts';
import type { Act } from '../draw/plan.ts';
import type { Replica } from '../replica.ts';
import { markOf } from '../tables/messages.ts';
import type { Team } from '../teams.ts';
import type { World } from '../world/world.ts';

/** A handler for each kind of act. */
export type ActHandlers<T extends Act['type']> = { [Type in T]: (act: Extract<Act, { type: Type }>) => void };

export type PeopleContext = {
  world: World;
  /** Slack's timestamps, microseconds; never the same twice. */
  nextMoment: () => number;
  /** The requests made so far, by their number in the plan. */
  requested: Map<number, { team: Team; id: string }>;
  recordOf(n: number): RequestRecord | undefined;
  /** The first message about a request whose key begins with `key`. */
  messageOf(n: number, key: string): Message | undefined;
  /** Presses a button or submits a form; without an answer, again after each of the pauses (milliseconds). */
  use(name: string, handle: (replica: Replica) => Promise<unknown>, pausesMs?: readonly number[]): void;
};

/** Slack's limit for an acknowledgement. */
const ACK_MS = 3_000;

export function createPeopleContext(
  world: World,
  deliveries: Deliveries,
  nextMoment: () => number,
): PeopleContext {
  const requested: PeopleContext['requested'] = new Map();
  const messages = (team: Team) =>
    [...world.slack.of[team].world.channels.values()].flatMap((channel) => [...channel.messages.values()]);
  return {
    world,
    nextMoment,
    requested,
    recordOf(n) {
      const ref = requested.get(n);
      const entries = [...world.stored.requests.entries()];
      return entries.find(({ record }) => record.id === ref?.id)?.record;
    },
    messageOf(n, key) {
      const about = requested.get(n);
      if (!about) return undefined;
      return messages(about.team).find((message) => {
        const told = markOf(message);
        return told?.request === about.id && told?.key.startsWith(key);
      });
    },
    use: (name, handle, pausesMs = []) =>
      deliveries.send({
        name,
        timeoutMs: ACK_MS,
        pausesMs,
        handle: async (replica) => {
          await handle(replica);
          return true;
        },
      }),
  };
}
