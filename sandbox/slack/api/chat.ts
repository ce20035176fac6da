/** The methods of messages: chat.* and reactions.get. */
import { z } from 'zod';
import type { Block } from '../blocks/blocks.ts';
import { readContent } from '../blocks/validate.ts';
import { presentMessage, presentReactions } from '../present.ts';
import { SlackError } from '../slack-error.ts';
import { botIdIn } from '../world/app/installations.ts';
import {
  deleteMessage,
  editMessage,
  findMessage,
  isReplyOf,
  postMessage,
  postEphemeral as showEphemeral,
} from '../world/messages.ts';
import type { Channel, Message, MessageMetadata } from '../world/types.ts';
import { placeWith } from '../world/workspaces.ts';
import { knownChannel, postableChannel, writableChannel } from './access.ts';
import { teamUrl } from './auth.ts';
import { type ApiCall, type ApiMethod, checkTs, flag, json, method, required } from './method.ts';

const contentArguments = { text: z.string().optional(), blocks: json.optional() };

const metadata = json.optional();

/** The sandbox shows no previews of links. */
const unfurl = flag;

const postArguments = { ...contentArguments, channel: required, thread_ts: z.string().optional() };

const MAX_METADATA_BYTES = 16_000;

/**
 * "Event types can contain letters, numbers, underscores, and hyphens" (https://docs.slack.dev/messaging/message-metadata).
 * Slack ignores metadata with any other one, and only warns; here they are refused, so that a mistake is seen.
 */
const Metadata = z.object({
  event_type: z.string().regex(/^[\w-]{1,255}$/),
  event_payload: z.record(z.string(), z.unknown()),
});

function readMetadata(metadata: unknown): MessageMetadata | undefined {
  if (metadata === undefined) return undefined;
  const parsed = Metadata.safeParse(metadata);
  if (!parsed.success) throw new SlackError('invalid_metadata_format');
  if (Buffer.byteLength(JSON.stringify(parsed.data)) > MAX_METADATA_BYTES) {
    throw new SlackError('metadata_too_large');
  }
  return parsed.data;
}

/** Posts a message. A reply whose parent is gone is posted without `thread_ts`, which only the answer shows, as in Slack. */
export const chatPostMessage: ApiMethod = method({
  name: 'chat.postMessage',
  tier: 'post',
  scopes: ['chat:write'],
  args: z.strictObject({ ...postArguments, metadata, unfurl_links: unfurl, unfurl_media: unfurl }),
  run: (call, { thread_ts, ...args }) => {
    const channel = postableChannel(call, args.channel);
    if (channel.kind === 'im' && !call.world.app.messagesTab) throw new SlackError('messages_tab_disabled');
    const { bot_user_id: user, app_id } = call.app;
    const bot_id = botIdIn(call.world, call.app, channel.team_id);
    const content = { ...readContent(args), metadata: readMetadata(args.metadata) };
    const author = { user, bot_id, app_id };
    const posted = postMessage(call.world, channel, { ...content, ...author, thread_ts });
    const message = presentMessage(call.world, channel, posted, { withMetadata: true });
    return { channel: channel.id, ts: posted.ts, message };
  },
});

export const chatPostEphemeral: ApiMethod = method({
  name: 'chat.postEphemeral',
  tier: 4,
  scopes: ['chat:write'],
  args: z.strictObject({ ...postArguments, user: required }),
  run: (call, { user, thread_ts, ...args }) => {
    const channel = writableChannel(call, args.channel);
    const { text, blocks } = readContent(args);
    if (!channel.members.has(user)) throw new SlackError('user_not_in_channel');
    const bot_id = botIdIn(call.world, call.app, channel.team_id);
    const content = { text, blocks, thread_ts, bot_id };
    const { ts } = showEphemeral(call.world, { channel: channel.id, user, ...content });
    return { message_ts: ts };
  },
});

const target = { channel: required, ts: required };

/** "The text field cannot exceed 4,000 characters" (https://docs.slack.dev/reference/methods/chat.update). */
const MAX_UPDATED_TEXT = 4_000;

/**
 * Updates a message. Metadata stay unless they are sent empty. Blocks stay only if neither text nor blocks are sent; text alone
 * replaces them (hexdocs.pm/slack_kit has the newest wording of the reference).
 */
export const chatUpdate: ApiMethod = method({
  name: 'chat.update',
  tier: 3,
  scopes: ['chat:write'],
  args: z.strictObject({ ...target, ...contentArguments, metadata }),
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
    if (losesRichText(message.blocks, blocks)) throw new SlackError('block_mismatch');
    const edited = blocks ? message.edited : { user: app.bot_user_id, ts: world.nextTs() };
    editMessage(world, message, { text, blocks, edited, metadata: nextMetadata(message, args.metadata) });
    return { channel: channel.id, ts: message.ts, text, message: presentMessage(world, channel, message) };
  },
});

/**
 * "Rich-text blocks cannot be replaced with non-rich-text blocks" (https://docs.slack.dev/reference/methods/chat.update, errors).
 * Measured for messages of an app: one of rich text alone can't become one without any, and one that also has other blocks can
 * (geminixiang/mikan, docs/research/slack-chat-update-block-mismatch.md).
 */
function losesRichText(before: readonly Block[] = [], after: readonly Block[] = []): boolean {
  const isRich = ({ type }: Block) => type === 'rich_text';
  return before.length > 0 && before.every(isRich) && after.length > 0 && !after.some(isRich);
}

export const chatDelete: ApiMethod = method({
  name: 'chat.delete',
  tier: 3,
  scopes: ['chat:write'],
  args: z.strictObject(target),
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
  args: z.strictObject({ channel: required, message_ts: required }),
  run: (call, args) => {
    const { channel, message } = knownMessage(call, args.channel, args.message_ts);
    return { channel: args.channel, permalink: permalink(call, channel, message) };
  },
});

function permalink({ world, app }: ApiCall, channel: Channel, message: Message): string {
  const link = `${teamUrl(placeWith(world, app.team_id)?.domain ?? '')}archives/${channel.id}/p${message.ts.replace('.', '')}`;
  return isReplyOf(message) ? `${link}?thread_ts=${message.thread_ts}&cid=${channel.id}` : link;
}

function knownMessage(call: ApiCall, id: string, ts: string) {
  const channel = knownChannel(call, id);
  const message = findMessage(channel, ts);
  if (!message) throw new SlackError('message_not_found');
  return { channel, message };
}

function ownMessage(call: ApiCall, { channel, ts }: { channel: string; ts: string }, notOwn: string) {
  const found = knownMessage(call, channel, ts);
  if (found.message.user !== call.app.bot_user_id) throw new SlackError(notOwn);
  return found;
}

function nextMetadata(message: Message, metadata: unknown): Message['metadata'] {
  if (metadata === undefined) return message.metadata;
  const isEmpty = metadata !== null && typeof metadata === 'object' && Object.keys(metadata).length === 0;
  return isEmpty ? undefined : readMetadata(metadata);
}

/** Lists the reactions to a message. Slack shortens long lists unless `full` is set; here they are always complete. */
export const reactionsGet: ApiMethod = method({
  name: 'reactions.get',
  tier: 3,
  scopes: ['reactions:read'],
  args: z.strictObject({ channel: z.string().optional(), timestamp: z.string().optional(), full: flag }),
  run: (call, args) => {
    if (!args.channel || !args.timestamp) throw new SlackError('no_item_specified');
    checkTs(args.timestamp, 'bad_timestamp');
    const { channel, message } = knownMessage(call, args.channel, args.timestamp);
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
