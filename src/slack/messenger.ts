/** The core's messenger, over Slack: posts, updates, finds and removes the bot's own messages. */
import type { webApi } from '@slack/bolt';
import type { ApproversProblem } from '../requests/approvals/approval.ts';
import { approvalsChannelProblem } from '../requests/approvals/approvers.ts';
import type { Found, Posting, Updating } from '../requests/delivery.ts';
import type { Directory, Log, Messenger } from '../requests/ports.ts';
import { type RequestRecord, votedOn } from '../requests/record.ts';
import { LOOK_MS } from '../requests/sharing.ts';
import { deliveryOf, type Telling } from '../requests/telling.ts';
import { type Attempting, attempt, toLater } from './attempt.ts';
import type { SlackClients } from './clients.ts';
import { failureOf, type SlackFailure } from './failure.ts';
import { findMessage } from './find-message.ts';
import { joining } from './join.ts';
import { metadata, type Place, placeOf } from './place.ts';
import { type Written, write } from './writing.ts';

/** The answers to chat.update that mean that nobody can see the card, or reply to it, any more. */
const GONE: ReadonlySet<string> = new Set([
  'message_not_found',
  'channel_not_found',
  'is_archived',
  'is_inactive',
  'not_in_channel',
]);

/** Somebody else may have posted it by now. */
const TOO_LATE: Posting = { type: 'later', code: 'too_late' };

export function createMessenger(deps: Attempting, directory: Directory): Messenger {
  const { clients, log } = deps;
  return {
    async post(record, telling, inTime) {
      const obstacle = telling.type === 'ballot' ? await ballotObstacle(deps, directory, record) : undefined;
      if (obstacle) return obstacle;
      const made = await write(deps, directory, record, telling);
      if (made.type !== 'written') return toLater(made);
      const posted = await attempt(deps, record, async (client) => {
        const place = await placeOf(client, record, telling);
        const message = { ...place, ...made.message, ...metadata(record, telling) };
        const done = await joining(client, message.channel, async () =>
          inTime() ? post(client, log, message) : TOO_LATE,
        );
        return done.type === 'posted' ? { ...done, ...made.seen } : done;
      });
      return telling.type === 'ballot' && posted.type === 'refused' ? namedTrouble(posted) : posted;
    },
    async update(record, telling) {
      const { place } = (telling.type === 'ballot' ? record.approval?.ballot : record.card) ?? {};
      if (!place) return { type: 'gone', code: 'message_not_found' };
      const made = await write(deps, directory, record, telling, LOOK_MS);
      if (made.type !== 'written') return { ...made, type: 'later' };
      const updated = await attempt(deps, record, async (client) => {
        await client.chat.update({ ...place, ...made.message });
        return { type: 'posted' as const, ...made.seen };
      });
      if (updated.type === 'posted') return updated;
      return telling.type === 'ballot' ? namedTrouble(toUpdating(updated)) : toUpdating(updated);
    },
    async find(record, telling) {
      const found = await attempt(deps, record, (client) => find(client, clients, record, telling));
      return found.type === 'posted' || found.type === 'absent' ? found : toLater(found);
    },
    async readReactions(record) {
      const { place } = votedOn(record);
      if (!place) return { type: 'gone', code: 'message_not_found' };
      const read = await attempt(deps, record, (client) => readReactions(client, place));
      if (read.type === 'read') return read;
      const isGone = read.type === 'refused' && GONE.has(read.code);
      if (!isGone) return { ...read, type: 'later' };
      return { type: 'gone', code: record.approval?.ballot ? namedTrouble(read).code : read.code };
    },
    async remove(record, message) {
      const failure = await attempt(deps, record, (client) =>
        client.chat.delete(message).then(() => undefined),
      );
      if (failure) log.error({ request: record.id, message }, 'a post that is not wanted was not removed');
    },
  };
}

/** What is decided on is shown to nobody but the company's own: the channel may have been shared meanwhile. */
async function ballotObstacle(
  deps: Parameters<typeof attempt>[0],
  directory: Directory,
  record: RequestRecord,
): Promise<Posting | undefined> {
  const channel = record.approval?.policy.channel;
  const asked = await attempt(deps, record, async () => {
    const look: Directory['channel'] = (workspace, id) => directory.channelNow(workspace, id, LOOK_MS);
    const problem = await approvalsChannelProblem({ channel: look }, record.workspace, channel);
    return { type: 'asked' as const, problem };
  });
  if (asked.type !== 'asked') return toLater(asked);
  return asked.problem && { type: 'refused', code: asked.problem };
}

/** The same, with the trouble of the approvals channel by the name that the core knows it by. */
function namedTrouble<T extends { code: string }>(result: T): T {
  return { ...result, code: CHANNEL_PROBLEMS[result.code] ?? result.code };
}

/** Slack's answers that say what is wrong with the approvals channel. */
const CHANNEL_PROBLEMS: Record<string, ApproversProblem> = {
  is_archived: 'channel_archived',
  channel_not_found: 'channel_not_visible',
  not_in_channel: 'channel_not_member',
};

/** Whole: without `full` Slack shortens long lists of people (https://docs.slack.dev/reference/methods/reactions.get). */
async function readReactions(client: webApi.WebClient, { channel, ts }: { channel: string; ts: string }) {
  const { message } = await client.reactions.get({ channel, timestamp: ts, full: true });
  const standing = (message?.reactions ?? []).map(({ name = '', users = [] }) => ({ emoji: name, users }));
  return { type: 'read' as const, standing };
}

function toUpdating(failure: SlackFailure): Exclude<Updating, { type: 'posted' }> {
  if (failure.type === 'refused')
    return { type: GONE.has(failure.code) ? 'gone' : 'kept', code: failure.code };
  return { ...failure, type: 'later' };
}

type FoundOrNot = Extract<Found, { type: 'posted' | 'absent' }>;

async function find(
  client: webApi.WebClient,
  clients: SlackClients,
  record: RequestRecord,
  telling: Telling,
): Promise<FoundOrNot> {
  const delivery = deliveryOf(record, telling);
  const place = await placeOf(client, record, telling);
  const since = delivery?.status === 'doubtful' ? delivery.since : record.askedAt;
  const { botId } = await clients.installation(record.workspace);
  const ts = await findMessage(client, place, { botId, ...metadata(record, telling), since });
  return ts === undefined ? { type: 'absent' } : { type: 'posted', channel: place.channel, ts };
}

type Posted = Written['message'] & Place & ReturnType<typeof metadata>;

async function post(client: webApi.WebClient, log: Log, message: Posted): Promise<Posting> {
  const posted = await client.chat.postMessage({ ...message, unfurl_links: false, unfurl_media: false });
  const { channel, ts } = posted;
  if (!channel || !ts) return { type: 'doubtful', code: 'no_ts' };
  if (message.thread_ts === undefined || posted.message?.thread_ts === message.thread_ts) {
    return { type: 'posted', channel, ts };
  }
  // Slack does not refuse a reply to a message that is gone: it posts it into the channel, where it means nothing.
  await client.chat.delete({ channel, ts }).catch((error) => {
    log.error({ channel, ts, code: failureOf(error).code }, 'a stray reply was not removed');
  });
  return { type: 'refused', code: 'thread_not_found' };
}
