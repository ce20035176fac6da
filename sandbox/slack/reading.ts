/** Reads a Slack, and waits for messages in it, independent of any person. */
import { type WaitOptions, waitUntil } from '../lib/feed.ts';
import type { Journal } from '../lib/http/journal.ts';
import { renderContent, renderLatest, renderThread } from './render/render.ts';
import { findChannel } from './world/channels.ts';
import { repliesOf } from './world/messages.ts';
import type { Channel, Message } from './world/types.ts';
import type { World } from './world/world.ts';

/** A filter on messages. Text is matched with the rendered message and with the `text` field. */
type MessageFilter = {
  channel?: string;
  thread_ts?: string;
  text?: string | RegExp;
};

/** Creates read access to a Slack. Channels are named by id or `#name`. */
export function createReading(world: World, wait: WorldWait) {
  const channel = (idOrName: string): Channel => {
    const found = findChannel(world, idOrName);
    if (!found) throw new Error(`there is no channel ${idOrName}`);
    return found;
  };
  const messages = (idOrName: string) => [...channel(idOrName).messages.values()];
  return {
    channel,
    messages,
    thread: (idOrName: string, parentTs: string) => {
      const found = channel(idOrName);
      const parent = found.messages.get(parentTs);
      return parent ? [parent, ...repliesOf(found, parentTs)] : [];
    },
    waitForMessage: (
      wanted: MessageFilter | ((message: Message) => boolean),
      options?: WaitOptions,
    ): Promise<Message> => {
      const isMeant = typeof wanted === 'function' ? wanted : filterOf(world, channel, wanted);
      const all = () => [...world.channels.values()].flatMap((each) => [...each.messages.values()]);
      const awaited = `message matching ${typeof wanted === 'function' ? wanted : describe(wanted)}`;
      return wait(() => all().findLast(isMeant), { awaited, ...options });
    },
    renderThread: (idOrName: string, parentTs: string) => renderThread(world, channel(idOrName), parentTs),
  };
}

function filterOf(
  world: World,
  channel: (idOrName: string) => Channel,
  { channel: where, thread_ts, text }: MessageFilter,
): (message: Message) => boolean {
  return (message) =>
    (where === undefined || message.channel === channel(where).id) &&
    (thread_ts === undefined || (message.thread_ts === thread_ts && message.ts !== thread_ts)) &&
    (text === undefined || contains(`${message.text}\n${renderContent(world, message).join('\n')}`, text));
}

const contains = (read: string, text: string | RegExp) =>
  typeof text === 'string' ? read.includes(text) : text.test(read);

const describe = (filter: MessageFilter) =>
  Object.entries(filter)
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(', ');

/** Resolves as soon as `look` finds something in the world, now or after any change. */
export type WorldWait = <T>(look: () => T | undefined, options?: WaitOptions) => Promise<T>;

/** Creates a wait whose error message contains the channels and the newest journal entries. */
export function createWorldWait(world: World, journal: Journal): WorldWait {
  const explain = () => `${renderLatest(world)}\n${journal.describe()}`;
  return (look, options) => waitUntil(world.changes, look, { explain, ...options });
}
