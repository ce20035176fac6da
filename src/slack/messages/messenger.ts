/** The core's messenger, over Slack: posts, updates, finds and removes the bot's own messages. */

import type { webApi } from '@slack/bolt';
import type { PostResult } from '../../outbox/delivery.ts';
import type { Log } from '../../outbox/ports.ts';
import { deliveryOf } from '../../requests/model/facts/messages.ts';
import type { MessageKey } from '../../requests/model/message.ts';
import type { RequestRecord } from '../../requests/model/record.ts';
import type { Messenger } from '../../requests/ports/messenger.ts';
import type { Directory } from '../../requests/ports/ports.ts';
import { approvalsChannelProblem } from '../../requests/use-cases/approvals/approvers.ts';
import { CHANNEL_MAX_AGE_MS } from '../../requests/use-cases/sharing.ts';
import type { SlackDirectory } from '../directory/directory.ts';
import { callSlack, ensureMember, type SlackCalls } from './call-slack.ts';
import { destinationOf, type MessageThread, metadata } from './destination.ts';
import { createSearching } from './duplicates/find-and-tidy.ts';
import { removeMisplacedReply } from './duplicates/misplaced-reply.ts';
import { namedProblem, toLater, toUpdateResult } from './effect-failures.ts';
import { createVoteReading } from './read-votes.ts';
import { type Rendered, renderMessage } from './render-message.ts';
import { slackEffect } from './slack-effect.ts';

export function createMessenger(deps: SlackCalls, directory: SlackDirectory): Messenger {
  return {
    ...createPosting(deps, directory),
    ...createSearching(deps),
    ...createVoteReading(deps, directory),
  };
}

function createPosting(deps: SlackCalls, directory: Directory): Pick<Messenger, 'post' | 'update'> {
  return {
    async post(record, messageKey, guard) {
      const effect = slackEffect(record, { type: 'post', messageKey }, guard);
      const prepared = await callSlack(deps, effect, async (client) => {
        const obstacle =
          messageKey.type === 'approval_message'
            ? await approvalsChannelRefusal(directory, record)
            : undefined;
        return obstacle ?? (await renderMessage(client, directory, record, messageKey));
      });
      if (prepared.type !== 'written') return toLater(prepared);
      const { message, seen } = prepared;
      const posted = await callSlack(deps, effect, async (client) => {
        const place = await destinationOf(client, record, messageKey);
        const whole = { ...place, ...message, ...metadata(record, messageKey) };
        const done = await ensureMember(client, place.channel, () => post(client, deps.log, whole));
        return done.type === 'posted' ? { ...done, ...seen } : done;
      });
      return messageKey.type === 'approval_message' && posted.type === 'refused'
        ? namedProblem(posted)
        : posted;
    },
    async update(record, messageKey, guard) {
      const location = locationOf(record, messageKey);
      if (!location) return { type: 'gone', code: 'message_not_found' };
      const effect = slackEffect(record, { type: 'update', messageKey }, guard);
      const prepared = await callSlack(deps, effect, (client) =>
        renderMessage(client, directory, record, messageKey, CHANNEL_MAX_AGE_MS),
      );
      if (prepared.type !== 'written') return { ...prepared, type: 'later' };
      const updated = await callSlack(deps, effect, async (client) => {
        await client.chat.update({ ...location, ...prepared.message });
        return { type: 'posted' as const, ...prepared.seen };
      });
      if (updated.type === 'posted') return updated;
      return messageKey.type === 'approval_message'
        ? namedProblem(toUpdateResult(updated))
        : toUpdateResult(updated);
    },
  };
}

/** The place of a message that is to be updated. The card and the approval message keep theirs after they are gone. */
function locationOf(
  record: RequestRecord,
  messageKey: MessageKey,
): { channel: string; ts: string } | undefined {
  if (messageKey.type === 'card') return record.card.location;
  if (messageKey.type === 'approval_message') return record.approval?.approvalMessage?.location;
  const delivery = deliveryOf(record, messageKey);
  return delivery?.status === 'posted' ? { channel: delivery.channel, ts: delivery.ts } : undefined;
}

/** Refuses to show a request for approval to external users: the channel may have been shared meanwhile. */
async function approvalsChannelRefusal(
  directory: Directory,
  { workspace, approval }: RequestRecord,
): Promise<Extract<PostResult, { type: 'refused' }> | undefined> {
  const look: Directory['channel'] = (of, id) => directory.channelNow(of, id, CHANNEL_MAX_AGE_MS);
  const problem = await approvalsChannelProblem({ channel: look }, workspace, approval?.policy.channel);
  return problem && { type: 'refused', code: problem };
}

type Posted = Rendered['message'] & MessageThread & ReturnType<typeof metadata>;

async function post(client: webApi.WebClient, log: Log, message: Posted): Promise<PostResult> {
  const posted = await client.chat.postMessage({ ...message, unfurl_links: false, unfurl_media: false });
  const { channel, ts } = posted;
  if (!channel || !ts) return { type: 'doubtful', code: 'no_ts' };
  if (message.thread_ts === undefined || posted.message?.thread_ts === message.thread_ts) {
    return { type: 'posted', channel, ts };
  }
  return removeMisplacedReply(client, log, { channel, ts });
}
