import { isReplyOf, repliesOf } from '../world/messages.ts';
import { compareTs } from '../world/timestamps.ts';
import type { Channel, Ephemeral, Message } from '../world/types.ts';
import type { World } from '../world/world.ts';
import { renderContent } from './blocks.ts';
import { channelName, userName } from './text.ts';

/**
 * Renders a thread: the parent, then its replies, indented; with `user` also their ephemeral messages.
 * @throws if there is no parent
 */
export function renderThread(world: World, channel: Channel, parentTs: string, user?: string): string {
  const parent = channel.messages.get(parentTs);
  if (!parent) throw new Error(`no message ${parentTs} in ${channelName(world, channel.id)}`);
  const own = ephemeralsFor(world, channel, user).filter(({ thread_ts }) => thread_ts === parentTs);
  const replies = inOrder([...repliesOf(channel, parentTs), ...own]).flatMap((reply) =>
    indent('reactions' in reply ? renderMessage(world, reply) : renderEphemeral(world, reply)),
  );
  return [...renderMessage(world, parent), ...replies].join('\n');
}

/** Renders a channel with its threads; with `user` also their ephemeral messages. */
export function renderChannel(world: World, channel: Channel, user?: string): string {
  const own = ephemeralsFor(world, channel, user).filter(({ thread_ts }) => thread_ts === undefined);
  const roots = [...channel.messages.values()].filter((message) => !isReplyOf(message));
  const lines = inOrder([...roots, ...own]).map((each) =>
    'reactions' in each
      ? renderThread(world, channel, each.ts, user)
      : renderEphemeral(world, each).join('\n'),
  );
  return lines.join('\n');
}

const ephemeralsFor = (world: World, channel: Channel, user: string | undefined): Ephemeral[] =>
  world.ephemerals.filter((each) => each.user === user && each.channel === channel.id);

const inOrder = (all: (Message | Ephemeral)[]) => all.sort((one, other) => compareTs(one.ts, other.ts));

/** Renders every channel that has messages, for the error message of a wait. */
export function renderLatest(world: World): string {
  const used = [...world.channels.values()].filter(({ messages }) => messages.size > 0);
  if (used.length === 0) return 'no channel has a message';
  return used
    .map(
      (channel) =>
        `in ${channelName(world, channel.id)}:\n${indent([renderChannel(world, channel)]).join('\n')}`,
    )
    .join('\n');
}

function renderMessage(world: World, message: Message): string[] {
  const [first = '', ...rest] = renderContent(world, message);
  const who = message.is_tombstone ? '' : `${userName(world, message.user).slice(1)}: `;
  const reactions = [...message.reactions].map(([name, users]) => `:${name}: ${users.length}`);
  return [`${who}${first}`, ...indent(rest), ...(reactions.length > 0 ? [`  ${reactions.join('  ')}`] : [])];
}

function renderEphemeral(world: World, ephemeral: Ephemeral): string[] {
  const [first = '', ...rest] = renderContent(world, ephemeral);
  return [`(Only visible to ${userName(world, ephemeral.user).slice(1)}) ${first}`, ...indent(rest)];
}

const indent = (lines: string[]) => lines.flatMap((text) => text.split('\n')).map((line) => `  ${line}`);
