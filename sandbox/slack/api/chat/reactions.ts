import { z } from 'zod';
import { presentMessage, presentReactions } from '../../present/message.ts';
import { SlackError } from '../../slack-error.ts';
import { findMessage } from '../../world/messages.ts';
import type { Channel, Message } from '../../world/types.ts';
import { knownChannel } from '../access.ts';
import { checkTs } from '../arguments.ts';
import { type ApiCall, type ApiMethod, method } from '../method.ts';
import { permalink } from './change.ts';

const item = { channel: z.string().optional(), timestamp: z.string().optional() };

/** Lists the reactions to a message. Slack shortens long lists unless `full` is set; here they are always complete. */
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

type Item = { channel?: string | undefined; timestamp?: string | undefined };

function itemOf(call: ApiCall, { channel: id, timestamp }: Item): { channel: Channel; message: Message } {
  if (!id || !timestamp) throw new SlackError('no_item_specified');
  checkTs(timestamp, 'bad_timestamp');
  const channel = knownChannel(call, id);
  const message = findMessage(channel, timestamp);
  if (!message) throw new SlackError('message_not_found');
  return { channel, message };
}
