/** The messages and reactions of people, where their client allows them. */
import { PersonError } from '../slack-error.ts';
import { isChannelVisible } from '../world/channels.ts';
import {
  addReaction,
  deleteMessage,
  findMessage,
  isEmojiName,
  postMessage,
  removeReaction,
} from '../world/messages.ts';
import type { Message, User } from '../world/types.ts';
import { channelCalled, type MessageRef, ownChannel, type PeopleContext } from './context.ts';

export function postAsPerson(
  context: PeopleContext,
  user: User,
  text: string,
  { channel: id, thread_ts }: { channel: string; thread_ts?: string | undefined },
): Message {
  const channel = ownChannel(context, user, id);
  if (channel.is_archived) throw new PersonError(`${id} is archived`);
  if (thread_ts !== undefined && !channel.messages.has(thread_ts)) {
    throw new PersonError(`${user.name} sees no thread ${thread_ts} in ${id}`);
  }
  record(context, user, 'say', { text, channel: channel.id, thread_ts });
  return postMessage(context.world, channel, { user: user.id, text, thread_ts });
}

/** Adds a reaction. Skin tones are names of their own: `+1::skin-tone-2`. */
export function react(context: PeopleContext, user: User, reaction: string, where: MessageRef): void {
  if (!isEmojiName(reaction))
    throw new PersonError(`"${reaction}" is no emoji: names have no colons around them`);
  const message = reactableAt(context, user, where);
  record(context, user, 'react', { reaction, ...where });
  if (!addReaction(context.world, message, user.id, reaction)) {
    throw new PersonError(`${user.name} has reacted with ${reaction} before`);
  }
}

export function unreact(context: PeopleContext, user: User, reaction: string, where: MessageRef): void {
  const message = reactableAt(context, user, where);
  record(context, user, 'unreact', { reaction, ...where });
  if (!removeReaction(context.world, message, user.id, reaction)) {
    throw new PersonError(`${user.name} has not reacted with ${reaction}`);
  }
}

export function deleteAsPerson(context: PeopleContext, user: User, where: MessageRef): void {
  const message = messageAt(context, user, where);
  if (message.user !== user.id && !user.is_admin)
    throw new PersonError(`${user.name} may not delete this message`);
  record(context, user, 'delete', { ...where });
  deleteMessage(context.world, message);
}

/** Returns the messages of a channel as a person sees them, oldest first, replies included. */
export function messagesSeen(context: PeopleContext, user: User, channel: string): Message[] {
  const found = channelCalled(context, user, channel);
  if (!isChannelVisible(found, user)) throw new PersonError(`${user.name} does not see ${channel}`);
  return [...found.messages.values()];
}

function reactableAt(context: PeopleContext, user: User, where: MessageRef): Message {
  if (ownChannel(context, user, where.channel).is_archived)
    throw new PersonError(`${where.channel} is archived`);
  return messageAt(context, user, where);
}

function messageAt(context: PeopleContext, user: User, where: MessageRef): Message {
  const message = findMessage(ownChannel(context, user, where.channel), where.ts);
  if (!message) throw new PersonError(`${user.name} sees no message ${where.ts} in ${where.channel}`);
  return message;
}

function record({ journal }: PeopleContext, user: User, name: string, request: unknown): void {
  journal.record({ from: user.name, to: 'slack', kind: 'person', name, request });
}
