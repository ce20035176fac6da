/** Posts, changes, deletes and finds messages, and adds reactions. */
import { channelOf } from './channels.ts';
import type { Channel, Ephemeral, Message } from './types.ts';
import type { World } from './world.ts';

type NewMessage = Omit<Message, 'ts' | 'channel' | 'reactions' | 'edited' | 'is_tombstone'>;

/**
 * Posts a message. A `thread_ts` that is not a parent in the channel is ignored, and the
 * message appears in the channel, as Slack does with a reply whose parent was deleted
 * (slackapi/python-slack-events-api#87, slack-go/slack#1571, langchain-ai/open-swe#2753).
 */
export function postMessage(world: World, channel: Channel, given: NewMessage): Message {
  const { thread_ts, ...rest } = given;
  const parent = thread_ts === undefined ? undefined : channel.messages.get(thread_ts);
  const isReply = parent !== undefined && !isReplyOf(parent);
  const message: Message = {
    ...rest,
    ts: world.nextTs(),
    channel: channel.id,
    reactions: new Map(),
    ...(isReply && { thread_ts: parent.ts }),
  };
  if (isReply) parent.thread_ts = parent.ts;
  channel.messages.set(message.ts, message);
  world.changes.publish({ type: 'message_posted', message });
  return message;
}

export const isReplyOf = ({ thread_ts, ts }: Message): boolean => thread_ts !== undefined && thread_ts !== ts;

/** Finds a visible message; tombstones do not count. */
export function findMessage(channel: Channel, ts: string): Message | undefined {
  const message = channel.messages.get(ts);
  return message?.is_tombstone ? undefined : message;
}

export function repliesOf(channel: Channel, parentTs: string): Message[] {
  return [...channel.messages.values()].filter(
    ({ thread_ts, ts }) => thread_ts === parentTs && ts !== parentTs,
  );
}

export function editMessage(
  world: World,
  message: Message,
  changes: Partial<Pick<Message, 'text' | 'blocks' | 'metadata' | 'edited'>>,
): void {
  const previous = { ...message };
  Object.assign(message, changes);
  world.changes.publish({ type: 'message_changed', message, previous });
}

/** Deletes a message. A parent that has replies stays as a tombstone, as in Slack. */
export function deleteMessage(world: World, message: Message): void {
  const channel = channelOf(world, message.channel);
  if (!isReplyOf(message) && repliesOf(channel, message.ts).length > 0) {
    const previous = { ...message };
    Object.assign(message, tombstone());
    world.changes.publish({ type: 'message_changed', message, previous });
    return;
  }
  channel.messages.delete(message.ts);
  forgetEmptyThread(channel, message);
  world.changes.publish({ type: 'message_deleted', message });
}

const tombstone = (): Partial<Message> => ({
  is_tombstone: true,
  text: 'This message was deleted.',
  user: 'USLACKBOT',
  blocks: undefined,
  metadata: undefined,
  edited: undefined,
  bot_id: undefined,
  app_id: undefined,
  reactions: new Map(),
});

function forgetEmptyThread(channel: Channel, deleted: Message): void {
  const parent = isReplyOf(deleted) ? channel.messages.get(deleted.thread_ts ?? '') : undefined;
  if (!parent || repliesOf(channel, parent.ts).length > 0) return;
  if (parent.is_tombstone) channel.messages.delete(parent.ts);
  else parent.thread_ts = undefined;
}

/**
 * Shows a message to one person. In a thread without replies it is accepted and shown to nobody: "Ephemeral messages in
 * threads are only shown if there is already an active thread"
 * (https://docs.slack.dev/reference/methods/chat.postEphemeral).
 */
export function postEphemeral(world: World, given: Omit<Ephemeral, 'ts'>): Ephemeral {
  const ephemeral = { ...given, ts: world.nextTs() };
  const { channel, thread_ts } = given;
  const isSeen = thread_ts === undefined || repliesOf(channelOf(world, channel), thread_ts).length > 0;
  if (!isSeen) return ephemeral;
  world.ephemerals.push(ephemeral);
  world.changes.publish({ type: 'ephemeral', ephemeral });
  return ephemeral;
}

export const ephemeralsFor = (world: World, user: string, channel?: string): Ephemeral[] =>
  world.ephemerals.filter((each) => each.user === user && (!channel || each.channel === channel));

export function addReaction(world: World, message: Message, user: string, reaction: string): boolean {
  const users = message.reactions.get(reaction) ?? [];
  if (users.includes(user)) return false;
  message.reactions.set(reaction, [...users, user]);
  world.changes.publish({ type: 'reaction_added', message, user, reaction });
  return true;
}

export function removeReaction(world: World, message: Message, user: string, reaction: string): boolean {
  const users = message.reactions.get(reaction) ?? [];
  if (!users.includes(user)) return false;
  const remaining = users.filter((other) => other !== user);
  if (remaining.length > 0) message.reactions.set(reaction, remaining);
  else message.reactions.delete(reaction);
  world.changes.publish({ type: 'reaction_removed', message, user, reaction });
  return true;
}

/** Whether a text is a valid name of a reaction: without colons, perhaps with a skin tone. */
export const isEmojiName = (name: string): boolean => /^[^\s:]+(::skin-tone-[2-6](-[2-6])?)?$/.test(name);
