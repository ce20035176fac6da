import { z } from 'zod';
import { presentChannel } from '../../present/channel.ts';
import { SlackError } from '../../slack-error.ts';
import { findDirectMessage } from '../../world/channels.ts';
import type { Channel } from '../../world/types.ts';
import { isUserVisible } from '../../world/users.ts';
import { directMessageWith, knownChannel } from '../access.ts';
import { flag } from '../arguments.ts';
import { type ApiCall, type ApiMethod, method } from '../method.ts';

/** Opens the direct message with one person. With several people it is not part of the sandbox. */
export const conversationsOpen: ApiMethod = method({
  name: 'conversations.open',
  tier: 3,
  scopes: ['im:write'],
  args: z.object({ channel: z.string().optional(), users: z.string().optional(), return_im: flag }),
  run: (call, { channel: id, users, return_im }) => {
    const { existing, channel } = id === undefined ? openWith(call, users) : resume(call, id);
    const shown = return_im ? presentChannel(call.world, channel, call.app) : { id: channel.id };
    return { ...(existing && { no_op: true, already_open: true }), channel: shown };
  },
});

function openWith(call: ApiCall, users: string | undefined) {
  const { world, app } = call;
  const [first, ...others] = (users ?? '').split(',').filter((id) => id !== '');
  if (first === undefined) throw new SlackError('users_list_not_supplied');
  if (others.length > 0) throw new SlackError('method_not_supported_for_channel_type');
  const user = world.users.get(first);
  if (!user || !isUserVisible(world, app.team_id, user)) throw new SlackError('user_not_found');
  if (user.deleted) throw new SlackError('user_disabled');
  if (user.is_bot) throw new SlackError('cannot_dm_bot');
  const existing = findDirectMessage(world, first, app.bot_user_id) !== undefined;
  return { existing, channel: directMessageWith(call, user) };
}

function resume(call: ApiCall, id: string): { existing: boolean; channel: Channel } {
  const channel = knownChannel(call, id);
  if (channel.kind !== 'im') throw new SlackError('method_not_supported_for_channel_type');
  return { existing: true, channel };
}
