/** Use cases about channels that people of another company read, that have got another id, or that are out of reach. */
import { withMovedChannel, withSharing } from '../model/channels.ts';
import { type Policy, usesChannel } from '../model/policy.ts';
import type { RequestRecord } from '../model/record.ts';
import { channelsOf, votedOn } from '../model/record-messages.ts';
import type { Settings } from '../model/settings.ts';
import { STATES } from '../model/states.ts';
import type { Directory, RequestStore } from '../ports/ports.ts';
import { channelSubject, newestRequests, OPEN } from '../store/subjects.ts';
import { type ChangeDeps, changeRequest } from '../store/writes.ts';
import {
  type ApproversChangedDeps,
  approversChanged,
  recountApprovers,
} from './approvals/approvers-changed.ts';

/**
 * The maximum age of what is known of a channel when it is asked whether another company reads it: Slack allows about fifty
 * reads a minute, and a busy channel must not use them up.
 */
export const CHANNEL_MAX_AGE_MS = 5_000;

/** Whether another company reads a channel and, if so, whether requests may be posted there anyway. */
export type Sharing = 'none' | 'allowed' | 'refused';

/** Finds whether a channel is shared, to tell an agent before they submit. An invisible channel is reported on submission. */
export async function sharingOf(
  { directory }: { directory: Directory },
  { workspace, channel, settings }: { workspace: string; channel: string; settings: Settings },
): Promise<Sharing> {
  const found = await directory.channelNow(workspace, channel, CHANNEL_MAX_AGE_MS);
  if (!found?.isShared) return 'none';
  return settings.sharedChannels ? 'allowed' : 'refused';
}

/** The number of ended requests to update, the newest first: each uses one of the few updates a minute that Slack allows. */
const MOST_ENDED = 200;

type SharingDeps = ChangeDeps & { directory: Directory };

/**
 * Updates the messages in a channel for its current readers, and whether people may vote there. Slack's events come late, twice
 * and in any order, so the channel's current data count, and an invisible channel counts as shared.
 *
 * @throws if the storage or Slack is unavailable: Slack must deliver the event again, and records already updated stay
 *   unchanged then
 */
export const sharingChanged = (
  deps: SharingDeps,
  where: { workspace: string; channel: string },
): Promise<void> => deps.replicated(() => showAnew(deps, where));

async function showAnew(
  deps: SharingDeps,
  { workspace, channel }: { workspace: string; channel: string },
): Promise<void> {
  const ids = await shownIn(deps.store, workspace, channel);
  if (ids.size === 0) return;
  const read = async () => (await deps.directory.channelNow(workspace, channel))?.isShared ?? true;
  let isShared = await read();
  for (;;) {
    for (const id of ids) {
      await changeRequest(deps, { workspace, id }, (record, now) => ({
        record: shownAnew(record, channel, isShared, now),
      }));
    }
    // If this process was frozen meanwhile, it may have overwritten newer data of another process: so the channel is read again.
    const before = isShared;
    isShared = await read();
    if (isShared === before) break;
  }
  await recountApprovers(deps, { workspace, ids, isConcerned: (policy) => dependsOn(policy, channel) });
}

/** Whether nobody may vote under a policy while a channel can't be used. */
const dependsOn = (policy: Policy, channel: string): boolean =>
  usesChannel(policy) && policy.channel === channel;

/** Lists the ids of the requests shown in a channel: all open ones, and the newest ended ones. */
async function shownIn(store: RequestStore, workspace: string, channel: string): Promise<Set<string>> {
  const { records: newest } = await store.listBySubject(workspace, channelSubject(channel), MOST_ENDED);
  const ids = new Set(newest.map(({ id }) => id));
  for await (const open of newestRequests(store, { workspace, subject: OPEN }))
    if (channelsOf(open).includes(channel)) ids.add(open.id);
  return ids;
}

/**
 * Updates the sharing of the card's channel. In the approvals channel only a new revision is needed: the channel is
 * checked when the message is updated.
 */
function shownAnew(record: RequestRecord, channel: string, isShared: boolean, now: number): RequestRecord {
  if (record.channel === channel) return withSharing(record, isShared, now);
  return { ...record, revision: record.revision + 1 };
}

/**
 * Leads the bot back into a public channel that it was taken out of while people vote there: an update of the card may succeed
 * from outside, and then nobody would learn that reactions are not reported any more. Whether or not the bot joins, its requests
 * there are looked at.
 *
 * @param join joins the channel; throws if a further try may join it
 * @throws that, or if the storage or Slack is unavailable: Slack must deliver the event again
 */
export async function botLeft(
  deps: SharingDeps,
  where: { workspace: string; channel: string },
  join: () => Promise<void>,
): Promise<void> {
  try {
    if (await isVotedIn(deps, where)) await join();
  } finally {
    await reachChanged(deps, where);
  }
}

async function isVotedIn(
  deps: SharingDeps,
  { workspace, channel }: { workspace: string; channel: string },
): Promise<boolean> {
  for await (const each of votedIn(deps, workspace)) if (each === channel) return true;
  return false;
}

/** Lists the channels where people vote on open requests: a channel of several requests several times. */
async function* votedIn({ store }: SharingDeps, workspace: string): AsyncGenerator<string> {
  for await (const open of newestRequests(store, { workspace, subject: OPEN })) {
    const channel = STATES[open.state].votes ? votedOn(open).location?.channel : undefined;
    if (channel !== undefined) yield channel;
  }
}

/**
 * Leads the bot into the public channels where people vote, because it is another user there than the one that posted the
 * messages, which has left. A failure in one channel keeps it from no other.
 *
 * @throws as `botLeft`
 */
export async function botReplaced(
  deps: SharingDeps,
  workspace: string,
  join: (channel: string) => Promise<void>,
): Promise<void> {
  const channels = new Set(await Array.fromAsync(votedIn(deps, workspace)));
  const failures: unknown[] = [];
  for (const channel of channels)
    await botLeft(deps, { workspace, channel }, () => join(channel)).catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/**
 * Updates the messages of requests in a channel that the bot was taken out of, or that was archived or deleted, as far as they
 * await approval or wait to be sent: no vote by reaction is reported from there any more. The update finds whether the message is
 * out of reach, and then an admin or the requester is told at once. In a channel that is back, it shows that votes count again.
 * A request that was sent already stays as it is.
 *
 * @throws if the storage or Slack is unavailable: Slack must deliver the event again
 */
export function reachChanged(
  deps: SharingDeps,
  { workspace, channel }: { workspace: string; channel: string },
): Promise<void> {
  return deps.replicated(async () => {
    const ids = await shownIn(deps.store, workspace, channel);
    for (const id of ids) {
      await changeRequest(deps, { workspace, id }, (record) => ({
        record: STATES[record.state].beforeCall ? { ...record, revision: record.revision + 1 } : record,
      }));
    }
    await recountApprovers(deps, { workspace, ids, isConcerned: (policy) => dependsOn(policy, channel) });
  });
}

export type ChannelMovedDeps = SharingDeps &
  ApproversChangedDeps & {
    /** Renames the channel in the settings: the notifications channel and the approvals channel. */
    renameInSettings: (workspace: string, from: string, to: string) => Promise<void>;
  };

/**
 * Replaces the id of a channel, in the settings and in the requests that it shows.
 *
 * @throws if the storage or Slack is unavailable: Slack must deliver the event again
 */
export function channelMoved(
  deps: ChannelMovedDeps,
  { workspace, from, to }: { workspace: string; from: string; to: string },
): Promise<void> {
  return deps.replicated(async () => {
    await deps.renameInSettings(workspace, from, to);
    for (const id of await shownIn(deps.store, workspace, from)) {
      await changeRequest(deps, { workspace, id }, (record) => ({
        record: channelsOf(record).includes(from) ? withMovedChannel(record, from, to) : record,
      }));
    }
    await showAnew(deps, { workspace, channel: to });
    // Nobody could tell who was left while the policies named the former id.
    await approversChanged(deps, { workspace, channel: to });
  });
}
