import { z } from 'zod';
import { readContent } from '../../blocks/validate.ts';
import { presentMessage } from '../../present/message.ts';
import { SlackError } from '../../slack-error.ts';
import { deleteMessage, editMessage, findMessage, isReplyOf } from '../../world/messages.ts';
import type { Channel, Message } from '../../world/types.ts';
import { knownChannel } from '../access.ts';
import { teamUrl } from '../app/auth.ts';
import { type ApiCall, type ApiMethod, method } from '../method.ts';
import { contentArguments, readMetadata } from './post.ts';

const target = { channel: z.string().default(''), ts: z.string().default('') };

/** "The text field cannot exceed 4,000 characters" (https://docs.slack.dev/reference/methods/chat.update). */
const MAX_UPDATED_TEXT = 4_000;

/**
 * Metadata stay unless they are sent empty. Blocks stay only if neither text nor blocks are sent; text
 * alone replaces them (hexdocs.pm/slack_kit has the newest wording of the reference).
 */
export const chatUpdate: ApiMethod = method({
  name: 'chat.update',
  tier: 3,
  scopes: ['chat:write'],
  args: z.object({ ...target, ...contentArguments }),
  run: (call, args) => {
    const { channel, message } = ownMessage(call, args, 'cant_update_message');
    if (channel.is_archived) throw new SlackError('is_inactive');
    if ((args.text?.length ?? 0) > MAX_UPDATED_TEXT) throw new SlackError('msg_too_long');
    const { world, app } = call;
    const isUntouched = args.text === undefined && args.blocks === undefined;
    const { text, blocks } = readContent({
      text: args.text ?? message.text,
      blocks: isUntouched ? message.blocks : args.blocks,
    });
    const edited = blocks ? message.edited : { user: app.bot_user_id, ts: world.nextTs() };
    editMessage(world, message, { text, blocks, edited, metadata: nextMetadata(message, args.metadata) });
    return { channel: channel.id, ts: message.ts, text, message: presentMessage(world, channel, message) };
  },
});

export const chatDelete: ApiMethod = method({
  name: 'chat.delete',
  tier: 3,
  scopes: ['chat:write'],
  args: z.object(target),
  run: (call, args) => {
    const { channel, message } = ownMessage(call, args, 'cant_delete_message');
    deleteMessage(call.world, message);
    return { channel: channel.id, ts: message.ts };
  },
});

export const chatGetPermalink: ApiMethod = method({
  name: 'chat.getPermalink',
  tier: 'unlimited',
  scopes: [],
  args: z.object({ channel: z.string().default(''), message_ts: z.string().default('') }),
  run: (call, { channel: id, message_ts }) => {
    const channel = knownChannel(call, id);
    const message = findMessage(channel, message_ts);
    if (!message) throw new SlackError('message_not_found');
    return { channel: id, permalink: permalink(call, channel, message) };
  },
});

/** Returns the permalink of a message. */
export function permalink({ world, app }: ApiCall, channel: Channel, message: Message): string {
  const domain = (world.teams.get(app.team_id) ?? world.enterprises.get(app.team_id))?.domain ?? '';
  const link = `${teamUrl(domain)}archives/${channel.id}/p${message.ts.replace('.', '')}`;
  return isReplyOf(message) ? `${link}?thread_ts=${message.thread_ts}&cid=${channel.id}` : link;
}

function ownMessage(call: ApiCall, { channel: id, ts }: { channel: string; ts: string }, notOwn: string) {
  const channel = knownChannel(call, id);
  const message = findMessage(channel, ts);
  if (!message) throw new SlackError('message_not_found');
  if (message.bot_id !== call.app.bot_id) throw new SlackError(notOwn);
  return { channel, message };
}

function nextMetadata(message: Message, metadata: unknown): Message['metadata'] {
  if (metadata === undefined) return message.metadata;
  const isEmpty = metadata !== null && typeof metadata === 'object' && Object.keys(metadata).length === 0;
  return isEmpty ? undefined : readMetadata(metadata);
}
