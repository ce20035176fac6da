import { z } from 'zod';
import { presentMessage } from '../present.ts';
import { SlackError } from '../slack-error.ts';
import { isReplyOf, repliesOf } from '../world/messages.ts';
import type { Message } from '../world/types.ts';
import { compareTs } from '../world/world.ts';
import { historyChannel } from './access.ts';
import { messagesPerPage } from './limits.ts';
import { type ApiMethod, checkTs, flag, limit, method, pageOf, required } from './method.ts';

const HISTORY_SCOPES = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];

const Range = z.strictObject({
  channel: required,
  cursor: z.string().optional(),
  oldest: z.string().optional(),
  latest: z.string().optional(),
  include_all_metadata: flag,
});

/** Lists the channel's messages, newest first, without replies. */
export const conversationsHistory: ApiMethod = method({
  name: 'conversations.history',
  tier: 3,
  scopes: HISTORY_SCOPES,
  args: Range.extend({ limit: limit(100, 999) }),
  run: (call, args) => {
    const channel = historyChannel(call, args.channel);
    const messages = [...channel.messages.values()]
      .filter((message) => !isReplyOf(message))
      .filter(isWithin(args))
      .reverse();
    const page = pageOf(call.world, messages, {
      ...args,
      limit: messagesPerPage(call.world.app, args.limit),
      isAfter: (ts, removed) => compareTs(ts, removed) < 0,
    });
    const withMetadata = args.include_all_metadata;
    return {
      messages: page.items.map((each) => presentMessage(call.world, channel, each, { withMetadata })),
      has_more: page.hasMore,
      response_metadata: page.response_metadata,
    };
  },
});

/** Lists a thread, oldest first, with its parent on every page. The `ts` of a reply returns only that reply. */
export const conversationsReplies: ApiMethod = method({
  name: 'conversations.replies',
  tier: 3,
  scopes: HISTORY_SCOPES,
  args: Range.extend({ ts: required, limit: limit(1000, 1000) }),
  run: (call, args) => {
    const channel = historyChannel(call, args.channel);
    const first = channel.messages.get(args.ts);
    if (!first) throw new SlackError('thread_not_found');
    const replies = repliesOf(channel, first.ts).filter(isWithin(args));
    // The parent counts towards the objects that a limited app gets.
    const limit = Math.min(args.limit, messagesPerPage(call.world.app, Number.POSITIVE_INFINITY) - 1);
    const page = pageOf(call.world, replies, {
      ...args,
      limit,
      isAfter: (ts, removed) => compareTs(ts, removed) > 0,
    });
    const shown = { withMetadata: args.include_all_metadata };
    return {
      messages: [first, ...page.items].map((each) => presentMessage(call.world, channel, each, shown)),
      has_more: page.hasMore,
      response_metadata: page.response_metadata,
    };
  },
});

function isWithin({ oldest, latest }: z.output<typeof Range>): (message: Message) => boolean {
  const from = checkTs(oldest, 'invalid_ts_oldest') ?? '0';
  const to = checkTs(latest, 'invalid_ts_latest') ?? '9999999999.999999';
  return ({ ts }) => compareTs(ts, from) > 0 && compareTs(to, ts) > 0;
}
