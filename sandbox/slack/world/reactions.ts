import type { Message } from './types.ts';
import type { World } from './world.ts';

/** Adds a person's reaction; false if it is there already. */
export function addReaction(world: World, message: Message, user: string, reaction: string): boolean {
  const users = message.reactions.get(reaction) ?? [];
  if (users.includes(user)) return false;
  message.reactions.set(reaction, [...users, user]);
  world.changes.publish({ type: 'reaction_added', message, user, reaction });
  return true;
}

/** Removes a person's reaction; false if there is none. */
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
export const isEmojiName = (name: string): boolean => /^[^\s:]+(::skin-tone-[2-6])?$/.test(name);
