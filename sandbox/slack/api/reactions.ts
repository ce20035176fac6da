import { z } from 'zod';
import { presentMessage, presentReactions } from '../present/message.ts';
import { SlackError } from '../slack-error.ts';
import { findMessage } from '../world/messages.ts';
import { knownChannel } from './access.ts';
import { checkTs } from './arguments.ts';
import { permalink } from './chat-change.ts';
import { type ApiMethod, method } from './method.ts';

/** The reactions that stand on a message. Slack shortens long lists unless `full`; here they are always whole. */
export const reactionsGet: ApiMethod = method({
  name: 'reactions.get',
  tier: 3,
  scopes: ['reactions:read'],
  args: z.object({ channel: z.string().optional(), timestamp: z.string().optional() }),
  run: (call, { channel: id, timestamp }) => {
    if (!id || !timestamp) throw new SlackError('no_item_specified');
    checkTs(timestamp, 'bad_timestamp');
    const channel = knownChannel(call, id);
    const message = findMessage(channel, timestamp);
    if (!message) throw new SlackError('message_not_found');
    const reactions = presentReactions(message);
    return {
      type: 'message',
      channel: id,
      message: {
        ...presentMessage(call.world, channel, message),
        ...(reactions.length > 0 && { reactions }),
        permalink: permalink(call, channel, message),
      },
    };
  },
});
