/** The methods of conversations, without their messages. */
import { z } from 'zod';
import { presentChannel } from '../present.ts';
import { SlackError } from '../slack-error.ts';
import { channelScope, joinChannel } from '../world/channels.ts';
import type { Channel } from '../world/types.ts';
import { isInTeam, isUserVisible } from '../world/users.ts';
import { directMessageWith, knownChannel, readableChannel, requireScope } from './access.ts';
import { type ApiCall, type ApiMethod, limit, method, pageOf, required } from './method.ts';

const READ_SCOPES = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];

export const conversationsInfo: ApiMethod = method({
  name: 'conversations.info',
  tier: 3,
  scopes: READ_SCOPES,
  args: z.strictObject({ channel: required }),
  run: (call, args) => {
    const found = readableChannel(call, args.channel);
    return { channel: presentChannel(call.world, found, call.app) };
  },
});

export const conversationsMembers: ApiMethod = method({
  name: 'conversations.members',
  tier: 4,
  scopes: READ_SCOPES,
  args: z.strictObject({ channel: required, cursor: z.string().optional(), limit: limit(100, 1000) }),
  run: (call, args) => {
    // Sorted by id, as in Slack's example, so that no page skips anybody when a member leaves.
    const members = [...readableChannel(call, args.channel).members].sort();
    const isAfter = (id: string, removed: string) => id > removed;
    const { items, response_metadata } = pageOf(call.world, members, { ...args, isAfter });
    return { members: items, response_metadata };
  },
});

export const conversationsJoin: ApiMethod = method({
  name: 'conversations.join',
  tier: 3,
  scopes: ['channels:join'],
  args: z.strictObject({ channel: required }),
  run: (call, args) => {
    const found = knownChannel(call, args.channel);
    if (found.kind !== 'public') throw new SlackError('method_not_supported_for_channel_type');
    if (found.is_archived) throw new SlackError('is_archived');
    joinChannel(call.world, found, call.app.bot_user_id);
    return { channel: presentChannel(call.world, found, call.app) };
  },
});

const KINDS = { public_channel: 'public', private_channel: 'private' } as const;

/**
 * Lists the conversations of a person; a private one only if the app is in it, too
 * (https://docs.slack.dev/reference/methods/users.conversations).
 */
export const usersConversations: ApiMethod = method({
  name: 'users.conversations',
  tier: 3,
  scopes: READ_SCOPES,
  needsTeam: true,
  args: z.strictObject({
    types: z.string().default('public_channel'),
    user: z.string().optional(),
    cursor: z.string().optional(),
    limit: limit(100, 999),
  }),
  run: (call, args) => {
    const user = args.user ?? call.app.bot_user_id;
    const kinds = args.types.split(',').map((type) => readKind(call, type.trim()));
    const all = [...call.world.channels.values()].filter(
      (each) => kinds.includes(each.kind) && each.members.has(user) && isListed(call, each),
    );
    const { items, response_metadata } = pageOf(call.world, all, args);
    return { channels: items.map((each) => presentChannel(call.world, each, call.app)), response_metadata };
  },
});

/** Reads a kind of channel. The sandbox lists no direct messages. */
function readKind({ app }: ApiCall, type: string): Channel['kind'] {
  if (!Object.hasOwn(KINDS, type)) throw new SlackError('invalid_types');
  const kind = KINDS[type as keyof typeof KINDS];
  requireScope(app, channelScope(kind, 'read'));
  return kind;
}

const isListed = ({ app, teams }: ApiCall, each: Channel) =>
  teams.some((team) => isInTeam(each, team)) && (each.members.has(app.bot_user_id) || each.kind === 'public');

/** Opens the direct message with one person. The sandbox has none with several people. */
export const conversationsOpen: ApiMethod = method({
  name: 'conversations.open',
  tier: 3,
  scopes: ['im:write'],
  args: z.strictObject({ users: z.string().default('') }),
  run: (call, { users }) => {
    const { world, app } = call;
    const [first, ...others] = users.split(',').filter((id) => id !== '');
    if (first === undefined) throw new SlackError('users_list_not_supplied');
    if (others.length > 0) throw new SlackError('method_not_supported_for_channel_type');
    const user = world.users.get(first);
    if (!user || !isUserVisible(world, app.team_id, user)) throw new SlackError('user_not_found');
    if (user.deleted) throw new SlackError('user_disabled');
    if (user.is_bot) throw new SlackError('cannot_dm_bot');
    return { channel: { id: directMessageWith(call, user).id } };
  },
});
