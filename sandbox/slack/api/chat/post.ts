import { z } from 'zod';
import { readContent } from '../../blocks/validate.ts';
import { presentMessage } from '../../present/message.ts';
import { SlackError } from '../../slack-error.ts';
import { postMessage, postEphemeral as showEphemeral } from '../../world/messages.ts';
import type { MessageMetadata } from '../../world/types.ts';
import { knownChannel, postableChannel } from '../access.ts';
import { flag, json } from '../arguments.ts';
import { type ApiMethod, method } from '../method.ts';

/** The arguments of every method that writes a message. */
export const contentArguments = {
  text: z.string().optional(),
  blocks: json.optional(),
  metadata: json.optional(),
};

const MAX_METADATA_BYTES = 16_000;

const Metadata = z.object({
  event_type: z.string().min(1).max(255),
  event_payload: z.record(z.string(), z.unknown()),
});

/** Returns valid metadata; undefined if none were given. */
export function readMetadata(metadata: unknown): MessageMetadata | undefined {
  if (metadata === undefined) return undefined;
  const parsed = Metadata.safeParse(metadata);
  if (!parsed.success) throw new SlackError('invalid_metadata_format');
  if (Buffer.byteLength(JSON.stringify(parsed.data)) > MAX_METADATA_BYTES) {
    throw new SlackError('metadata_too_large');
  }
  return parsed.data;
}

const PostArguments = z.object({
  ...contentArguments,
  channel: z.string().default(''),
  thread_ts: z.string().optional(),
  reply_broadcast: flag,
});

/** Posts a message. A reply whose parent is gone is posted without `thread_ts`, which only the answer shows, as in Slack. */
export const chatPostMessage: ApiMethod = method({
  name: 'chat.postMessage',
  tier: 'post',
  scopes: ['chat:write'],
  args: PostArguments,
  run: (call, { thread_ts, reply_broadcast, ...args }) => {
    const channel = postableChannel(call, args.channel);
    if (channel.kind === 'im' && !call.world.app.messagesTab) throw new SlackError('messages_tab_disabled');
    const { bot_user_id: user, bot_id, app_id } = call.app;
    const content = { ...readContent(args), metadata: readMetadata(args.metadata) };
    const broadcast = thread_ts && reply_broadcast ? { reply_broadcast: true } : {};
    const posted = postMessage(call.world, channel, {
      ...content,
      ...broadcast,
      thread_ts,
      user,
      bot_id,
      app_id,
    });
    const message = presentMessage(call.world, channel, posted, { withMetadata: true });
    return { channel: channel.id, ts: posted.ts, message };
  },
});

const EphemeralArguments = z.object({
  ...contentArguments,
  channel: z.string().default(''),
  user: z.string().default(''),
  thread_ts: z.string().optional(),
});

export const chatPostEphemeral: ApiMethod = method({
  name: 'chat.postEphemeral',
  tier: 4,
  scopes: ['chat:write'],
  args: EphemeralArguments,
  run: (call, { user, thread_ts, ...args }) => {
    const channel = knownChannel(call, args.channel);
    if (channel.is_archived) throw new SlackError('is_archived');
    if (!channel.members.has(call.app.bot_user_id)) throw new SlackError('not_in_channel');
    const { text, blocks } = readContent(args);
    if (!channel.members.has(user)) throw new SlackError('user_not_in_channel');
    const content = { text, blocks, thread_ts, bot_id: call.app.bot_id };
    const { ts } = showEphemeral(call.world, { channel: channel.id, user, ...content });
    return { message_ts: ts };
  },
});
