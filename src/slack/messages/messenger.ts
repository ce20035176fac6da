/**
 * Implements the core's messenger over Slack: the messages about a request, as the readers of their channel may see them, and
 * what confirms its votes: the reactions that stand on a message, and the rights of the voters.
 */
import { isDeepStrictEqual } from 'node:util';
import type { webApi } from '@slack/bolt';
import type { ClaimGuard } from '../../outbox/ports.ts';
import { needsReactions } from '../../requests/engine/confirm-votes.ts';
import type { OutsideEffect } from '../../requests/model/pending-effects.ts';
import type { ApproversProblem, VoterProblem } from '../../requests/model/policy.ts';
import { fieldsOf, type RequestMessage, type RequestRecord } from '../../requests/model/record.ts';
import {
  approvalMessageOf,
  cardOf,
  isNote,
  messageNamed,
  votedOn,
} from '../../requests/model/record-messages.ts';
import { asksApprovers, placeOf, recipientOf, threadUnder } from '../../requests/model/record-notes.ts';
import type { Messenger, PeopleDirectory } from '../../requests/ports/ports.ts';
import { problemOfOthers } from '../../requests/use-cases/approvals/approval-needed.ts';
import { approvalsChannelProblem, voterProblem } from '../../requests/use-cases/approvals/approvers.ts';
import { CHANNEL_MAX_AGE_MS } from '../../requests/use-cases/sharing.ts';
import type { AdministratorsDeps } from '../../requests/use-cases/who-may.ts';
import { STEP_METADATA } from '../blocks/ids.ts';
import type { Message } from '../blocks/text.ts';
import {
  MESSAGE_GONE,
  MESSAGE_OUT_OF_REACH,
  type OutOfReach,
  readSlack,
  type SlackCalls,
} from '../client/call-slack.ts';
import type { SlackEffect } from '../client/clients.ts';
import type { Links } from '../client/links.ts';
import type { LimitedEffect } from '../client/rate-limits.ts';
import type { SlackDirectory } from '../directory/directory.ts';
import { forExternalUsers, render } from './content/render.ts';
import {
  type Addressed,
  type Location,
  limitedMessageEffect,
  type Marker,
  type OutgoingMessage,
  type Place,
  postMessage,
  type Rendered,
  updateMessage,
} from './deliver.ts';
import { findMessage } from './find-message.ts';
import { adminProblem, mentionUndecided, withNames } from './named-people.ts';
import type { Naming } from './sentences/approval-texts.ts';
import { tidyCopies } from './tidy-messages.ts';

/** `settings`: what the admins of a workspace have set; throws if that can't be read. */
type MessengerDeps = SlackCalls & {
  settings: AdministratorsDeps['settings'];
  links: Pick<Links, 'toMessage'>;
  directory: SlackDirectory;
};

export function createMessenger(deps: MessengerDeps): Messenger {
  const outgoing = (record: RequestRecord, messageKey: string): OutgoingMessage => {
    const message = messageNamed(record, messageKey);
    return {
      ...addressed(record, messageKey),
      about: fieldsOf(record),
      to: message.to,
      marker: markerOf(record, messageKey),
      delivery: message.delivery,
      claimedAt: record.claim?.startedAt,
      location: message.location,
      render: (client, effect) => renderMessage(deps, { record, message, effect }, client),
    };
  };
  return {
    post: (record, key, guard) => named(record, key, postMessage(deps, outgoing(record, key), guard)),
    update: (record, key, guard) => named(record, key, updateMessage(deps, outgoing(record, key), guard)),
    find: (record, key, guard) => named(record, key, findMessage(deps, outgoing(record, key), guard)),
    tidy: (record, { messageKey, ...copies }, guard) =>
      tidyCopies(deps, outgoing(record, messageKey), copies, guard),
    ...createVoteReading(deps),
  };
}

const addressed = (record: RequestRecord, messageKey: string): Addressed => ({
  workspace: record.workspace,
  id: record.id,
  placeOf(copies) {
    const message = messageNamed(record, messageKey);
    return placeInSlack(record, copies ? { ...message, to: copies.to } : message, copies?.thread);
  },
});

/** @param former the thread of copies, which stay there if the message above them was deleted and is to be posted anew */
function placeInSlack(record: RequestRecord, message: RequestMessage, former: string | undefined): Place {
  const { channel, thread } = record;
  switch (message.type) {
    case 'card':
      return thread === undefined ? { channel } : { channel, thread };
    case 'approval':
      return { channel: approvalsChannelOf(record) };
    default: {
      const place = placeOf(record, message);
      return 'under' in place ? placeUnder(record, place.under, former) : place;
    }
  }
}

/** The thread in which a reply to a message stands; if that message is not in Slack, the reply goes to the requester. */
function placeUnder(record: RequestRecord, message: RequestMessage, former: string | undefined): Place {
  const { location } = message;
  const thread = threadUnder(record, message) ?? former;
  if (!thread) return { person: record.requester };
  const posted = message.type === 'approval' ? approvalsChannelOf(record) : record.channel;
  return { channel: location?.channel ?? posted, thread };
}

const approvalsChannelOf = ({ approval }: RequestRecord): string => approval?.policy.channel ?? '';

export const markerOf = ({ id }: Pick<RequestRecord, 'id'>, messageKey: string): Marker => ({
  event_type: STEP_METADATA,
  event_payload: { request: id, message: messageKey },
});

/**
 * The reason why a new message must not be posted now: its channel may have been shared, or its reader may be no admin any more.
 */
async function problemNow(
  deps: MessengerDeps,
  record: RequestRecord,
  message: RequestMessage,
  client: webApi.WebClient,
): Promise<string | undefined> {
  const { workspace, approval } = record;
  // The approvals channel may have been shared meanwhile, and external users must not see the request.
  if (message.type === 'approval')
    return approvalsChannelProblem(deps.directory.readNow(client), workspace, approval?.policy.channel);
  const isAlarm = message.type === 'alarm';
  return isAlarm ? adminProblem(deps, client, workspace, recipientOf(record, message)) : undefined;
}

/** Slack's answers that say what is wrong with the approvals channel. */
const CHANNEL_PROBLEMS: Record<string, ApproversProblem> = {
  is_archived: 'channel_archived',
  is_inactive: 'channel_archived',
  channel_not_found: 'channel_not_visible',
  not_in_channel: 'channel_not_member',
} satisfies Record<OutOfReach, ApproversProblem>;

const problemOfCode = (code: string): string => CHANNEL_PROBLEMS[code] ?? code;

/** Gives the refusal of an approval message the name by which the core knows it. */
async function named<T extends { type: string; code?: string }>(
  record: RequestRecord,
  messageKey: string,
  performed: Promise<T>,
): Promise<T> {
  const result = await performed;
  const { code } = result;
  if (code === undefined || messageNamed(record, messageKey).type !== 'approval') return result;
  return { ...result, code: problemOfCode(code) };
}

/** An effect of a request as the rate limits see it, before it is claimed. */
export function limitedEffect(
  record: RequestRecord,
  effect: Exclude<OutsideEffect, { type: 'call' }>,
): LimitedEffect {
  if (effect.type === 'confirm_votes') return limitedConfirmation(record);
  const copies = effect.type === 'tidy' ? effect : undefined;
  return limitedMessageEffect(addressed(record, effect.messageKey), effect.type, copies);
}

/**
 * Renders a message, after a look at its channel if people of another company must read something else there. The channel may have
 * been shared since the request was made, and Slack's event about that may be late or lost. A channel that can't be seen counts as
 * shared.
 *
 * @param effect for an update, what is known of the channel may be a little old; only a post mentions people
 * @throws if Slack can't be asked
 */
async function renderMessage(
  deps: MessengerDeps,
  { record, message, effect }: { record: RequestRecord; message: RequestMessage; effect: 'post' | 'update' },
  client: webApi.WebClient,
): ReturnType<OutgoingMessage['render']> {
  const isNew = effect === 'post';
  const isApproval = message.type === 'approval';
  const problem = isNew ? await problemNow(deps, record, message, client) : undefined;
  if (problem) return { type: 'hidden', code: problem };
  // Drawn before the look at the channel: reading names takes time, in which the channel could be shared unseen.
  const { open, guarded } = await drawn(deps, { record, message, isNew }, client);
  if (isDeepStrictEqual(open, guarded)) return written(open, !isApproval && record.inSharedChannel);
  const id = isApproval ? record.approval?.policy.channel : record.channel;
  const maxAgeMs = isNew ? undefined : CHANNEL_MAX_AGE_MS;
  const channel = await deps.directory.channelNow(record.workspace, id ?? '', maxAgeMs);
  if (channel && !channel.isShared) return written(open);
  const seen = !isApproval && channel?.isShared ? ({ inSharedChannel: true } as const) : {};
  return written(guarded, true, seen);
}

/** Draws a message as its channel reads it, and as people of another company may read it. */
async function drawn(
  { directory, links, settings }: MessengerDeps,
  { record, message, isNew }: { record: RequestRecord; message: RequestMessage; isNew: boolean },
  client: webApi.WebClient,
): Promise<{ open: Message; guarded: Message }> {
  const { workspace } = record;
  const linked = linkedTo(record, message);
  const link = linked && (await links.toMessage(record, linked));
  const approvers = isNew ? await mentionUndecided(directory, record, message) : undefined;
  // Only these two messages link the order or offer and the ticket.
  const hasLinks = message.type === 'approval' || message.type === 'card';
  const addresses = hasLinks ? await settings(workspace) : undefined;
  const draw = ({ people }: Naming) => ({
    open: render(record, message, { link, approvers, people, addresses }),
    guarded: render(forExternalUsers(record, message), message, { link, approvers, people }),
  });
  return withNames({ client, directory, workspace }, draw, 'somebody');
}

const written = (message: Message, isGuarded = false, seen: Rendered['seen'] = {}): Rendered => ({
  type: 'written',
  message,
  isGuarded,
  seen,
});

/**
 * The message to which a message links: the approval message to the card, and a note about votes to the message on which they
 * count.
 */
function linkedTo(record: RequestRecord, message: RequestMessage): RequestMessage | undefined {
  if (message.type === 'approval') return cardOf(record);
  const isAboutVotes = isNote(message) && (message.type === 'misplaced_vote' || asksApprovers(message));
  return isAboutVotes ? votedOn(record) : undefined;
}

function limitedConfirmation({ id, workspace, approval }: RequestRecord): LimitedEffect {
  const method = needsReactions(approval) ? 'reactions.get' : 'users.info';
  return { workspace, who: id, main: { method, channel: '' }, yields: false };
}

const confirmationEffect = (record: RequestRecord, guard: ClaimGuard): SlackEffect => ({
  ...limitedConfirmation(record),
  about: { ...fieldsOf(record), effect: 'confirm_votes' },
  guard,
});

function createVoteReading(
  deps: MessengerDeps,
): Pick<Messenger, 'readReactions' | 'readVoterRights' | 'readOtherApprovers'> {
  async function read<T>(
    record: RequestRecord,
    guard: ClaimGuard,
    readPeople: (people: PeopleDirectory) => Promise<T>,
  ) {
    const done = await readSlack(deps, confirmationEffect(record, guard), async (client) => ({
      type: 'read' as const,
      ...(await readPeople(deps.directory.readNow(client))),
    }));
    return done.type === 'refused' ? { ...done, type: 'later' as const } : done;
  }

  return {
    async readReactions(record, guard) {
      const { location } = votedOn(record);
      if (!location) return { type: 'gone', code: MESSAGE_GONE };
      const done = await readSlack(deps, confirmationEffect(record, guard), (client) =>
        readReactions(client, location),
      );
      if (done.type !== 'refused') return done;
      if (done.code === MESSAGE_GONE) return { type: 'gone', code: done.code };
      if (!MESSAGE_OUT_OF_REACH.has(done.code)) return { ...done, type: 'later' };
      return {
        type: 'out_of_reach',
        code: approvalMessageOf(record) ? problemOfCode(done.code) : done.code,
      };
    },
    readVoterRights: (record, voters, guard) =>
      read(record, guard, async (people) => ({ problems: await readProblems(people, record, voters) })),
    readOtherApprovers: (record, guard) =>
      read(record, guard, async (people) => ({
        problem: record.approval && (await problemOfOthers(people, record, record.approval.policy)),
      })),
  };
}

async function readProblems(
  directory: PeopleDirectory,
  record: RequestRecord,
  voters: readonly string[],
): Promise<ReadonlyMap<string, VoterProblem>> {
  const found = voters.map(async (voter) => {
    const problem = record.approval && (await voterProblem(directory, record, record.approval, voter));
    return problem ? ([[voter, problem]] as const) : [];
  });
  return new Map((await Promise.all(found)).flat());
}

/** Reads all reactions. Slack shortens lists without `full` (https://docs.slack.dev/reference/methods/reactions.get). */
async function readReactions(client: webApi.WebClient, { channel, ts }: Location) {
  const { message } = await client.reactions.get({ channel, timestamp: ts, full: true });
  const standing = (message?.reactions ?? []).map(({ name = '', users = [] }) => ({ emoji: name, users }));
  return { type: 'read' as const, standing };
}
