import { isReplyOf, repliesOf } from '../world/messages.ts';
import type { Channel, Message } from '../world/types.ts';
import { userOf } from '../world/users.ts';
import type { World } from '../world/world.ts';

/** Converts a message to Slack's format. Metadata are left out unless requested. */
export function presentMessage(
  world: World,
  channel: Channel,
  message: Message,
  { withMetadata = false, isInThread = false }: { withMetadata?: boolean; isInThread?: boolean } = {},
) {
  const { user, ts, text, bot_id, app_id, blocks, edited, metadata, thread_ts } = message;
  const reactions = presentReactions(message);
  return {
    type: 'message',
    ...(message.is_tombstone && { subtype: 'tombstone', hidden: true }),
    ...(message.reply_broadcast && !isInThread && { subtype: 'thread_broadcast' }),
    user,
    ...(world.users.has(user) && { team: userOf(world, user).team_id }),
    ts,
    text,
    ...(bot_id && { bot_id, app_id }),
    ...(blocks && { blocks }),
    ...(edited && { edited }),
    ...(thread_ts && { thread_ts, ...presentThread(channel, message) }),
    ...(reactions.length > 0 && { reactions }),
    ...(withMetadata && metadata && { metadata }),
  };
}

/** Converts reactions to the format of messages and reactions.get. */
export function presentReactions({ reactions }: Message) {
  return [...reactions].map(([name, users]) => ({ name, users, count: users.length }));
}

function presentThread(channel: Channel, message: Message) {
  if (isReplyOf(message)) {
    const parent = channel.messages.get(message.thread_ts ?? '');
    return { parent_user_id: parent?.user };
  }
  const replies = repliesOf(channel, message.ts);
  const reply_users = [...new Set(replies.map(({ user }) => user))];
  return {
    reply_count: replies.length,
    reply_users_count: reply_users.length,
    latest_reply: replies.at(-1)?.ts,
    reply_users,
    is_locked: false,
    subscribed: false,
  };
}
