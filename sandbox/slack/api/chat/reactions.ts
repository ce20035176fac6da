import { z } from 'zod';
import { presentMessage, presentReactions } from '../../present/message.ts';
import { SlackError } from '../../slack-error.ts';
import { findMessage } from '../../world/messages.ts';
import { addReaction, isEmojiName, removeReaction } from '../../world/reactions.ts';
import type { Channel, Message } from '../../world/types.ts';
import { knownChannel } from '../access.ts';
import { checkTs } from '../arguments.ts';
import { type ApiCall, type ApiMethod, method } from '../method.ts';
import { permalink } from './change.ts';

const item = { channel: z.string().optional(), timestamp: z.string().optional() };

/** The reactions that stand on a message. Slack shortens long lists unless `full`; here they are always whole. */
export const reactionsGet: ApiMethod = method({
  name: 'reactions.get',
  tier: 3,
  scopes: ['reactions:read'],
  args: z.object(item),
  run: (call, args) => {
    const { channel, message } = itemOf(call, args);
    const reactions = presentReactions(message);
    return {
      type: 'message',
      channel: channel.id,
      message: {
        ...presentMessage(call.world, channel, message),
        ...(reactions.length > 0 && { reactions }),
        permalink: permalink(call, channel, message),
      },
    };
  },
});

/** The bot's own reaction, of which it is told as of anybody's. */
export const reactionsAdd: ApiMethod = method({
  name: 'reactions.add',
  tier: 3,
  scopes: ['reactions:write'],
  args: z.object({ ...item, name: z.string().default('') }),
  run: (call, { name, ...args }) => {
    const message = reactableOf(call, name, args);
    if (!addReaction(call.world, message, call.app.bot_user_id, name))
      throw new SlackError('already_reacted');
    return {};
  },
});

export const reactionsRemove: ApiMethod = method({
  name: 'reactions.remove',
  tier: 2,
  scopes: ['reactions:write'],
  args: z.object({ ...item, name: z.string().default('') }),
  run: (call, { name, ...args }) => {
    const message = reactableOf(call, name, args);
    if (!removeReaction(call.world, message, call.app.bot_user_id, name)) throw new SlackError('no_reaction');
    return {};
  },
});

type Item = { channel?: string | undefined; timestamp?: string | undefined };

function itemOf(call: ApiCall, { channel: id, timestamp }: Item): { channel: Channel; message: Message } {
  if (!id || !timestamp) throw new SlackError('no_item_specified');
  checkTs(timestamp, 'bad_timestamp');
  const channel = knownChannel(call, id);
  const message = findMessage(channel, timestamp);
  if (!message) throw new SlackError('message_not_found');
  return { channel, message };
}

function reactableOf(call: ApiCall, name: string, args: Item): Message {
  if (!isEmojiName(name)) throw new SlackError('invalid_name');
  const { channel, message } = itemOf(call, args);
  if (channel.is_archived) throw new SlackError('is_archived');
  if (!channel.members.has(call.app.bot_user_id)) throw new SlackError('not_in_channel');
  return message;
}
