/**
 * Implements the core's notifier over Slack: posts notices in the notifications channel, or to admins, which are the creator of
 * the workspace's connection and its administrators.
 */
import type { webApi } from '@slack/bolt';
import type { CopiesPlace } from '../../outbox/delivery.ts';
import type { MessageEffect } from '../../outbox/message.ts';
import type { ClaimGuard } from '../../outbox/ports.ts';
import { TERMINAL } from '../../requests/model/audit-entry.ts';
import {
  type AdminsNotice,
  channelOf,
  type Notice,
  recipientOf,
} from '../../requests/model/notices/notice.ts';
import type { Settings } from '../../requests/model/settings.ts';
import type { Addressees, Directory, Notifier, Person } from '../../requests/ports/ports.ts';
import { CHANNEL_MAX_AGE_MS } from '../../requests/use-cases/sharing.ts';
import {
  type AdministratorsDeps,
  administratorsOf,
  personProblem,
} from '../../requests/use-cases/who-may.ts';
import { NOTICE_METADATA } from '../blocks/ids.ts';
import { readSlack, type SlackCalls } from '../client/call-slack.ts';
import { type LimitedEffect, NOTHING_TAKEN } from '../client/rate-limits.ts';
import type { SlackDirectory } from '../directory/directory.ts';
import { findGroupUsers, findPerson, type Reader, toPerson } from '../directory/read-people.ts';
import { noticeMessage } from './content/notice.ts';
import {
  type Addressed,
  claimedMessageEffect,
  limitedMessageEffect,
  type OutgoingMessage,
  postMessage,
  updateMessage,
} from './deliver.ts';
import { findMessage } from './find-message.ts';
import { adminProblem, NAMELESS, withNames } from './named-people.ts';
import { tidyCopies } from './tidy-messages.ts';

type NotifierDeps = SlackCalls & Pick<AdministratorsDeps, 'settings'> & { directory: SlackDirectory };

export function createNotifier(deps: NotifierDeps): Notifier {
  const outgoingOf = (notice: Notice) => outgoing(deps, notice);
  return {
    post: (notice, guard) => postMessage(deps, outgoingOf(notice), guard),
    update: (notice, guard) => updateMessage(deps, outgoingOf(notice), guard),
    find: (notice, guard) => findMessage(deps, outgoingOf(notice), guard),
    tidy: (notice, guard) => tidyCopies(deps, outgoingOf(notice), ONE_PLACE, guard),
    addressees: (notice, guard) => findAddressees(deps, notice, guard),
  };
}

/** A notice never goes elsewhere. */
const ONE_PLACE: CopiesPlace = { to: undefined, thread: undefined };

const addressed = (notice: Notice): Addressed => {
  const channel = channelOf(notice);
  return {
    workspace: notice.workspace,
    id: notice.id,
    placeOf: () => (channel === undefined ? { person: recipientOf(notice) ?? '' } : { channel }),
  };
};

function outgoing(deps: NotifierDeps, notice: Notice): OutgoingMessage {
  const { directory } = deps;
  const { id, delivery, claim } = notice;
  return {
    ...addressed(notice),
    about: { notice: id },
    to: undefined,
    marker: { event_type: NOTICE_METADATA, event_payload: { notice: id } },
    delivery,
    claimedAt: claim?.startedAt,
    location: delivery.status === 'posted' ? { channel: delivery.channel, ts: delivery.ts } : undefined,
    async render(client) {
      const isForOne = notice.type === 'policy_unmet';
      const problem = isForOne
        ? await adminProblem(deps, client, notice.workspace, notice.to)
        : await channelProblemNow(directory, notice);
      if (problem) return { type: 'hidden', code: problem };
      const where = { client, directory, workspace: notice.workspace };
      const message = await withNames(where, (naming) => noticeMessage(notice, naming));
      return { type: 'written', message, isGuarded: false, seen: {} };
    },
  };
}

async function findAddressees(
  deps: NotifierDeps,
  notice: AdminsNotice,
  guard: ClaimGuard,
): Promise<Addressees> {
  const effect = {
    ...claimedMessageEffect(outgoing(deps, notice), 'post', { guard }),
    main: NOTHING_TAKEN,
  };
  return readSlack(deps, effect, async (client) => {
    const { workspace, connectedBy } = notice;
    const installation = await deps.clients.installation(workspace);
    const found = await administratorsOf(deps, workspace);
    const group = found.of === 'organization' ? found.group : undefined;
    const acted = actedIn(await deps.settings(workspace));
    const people = await adminsToNotify({ client, installation }, { connectedBy, group, acted });
    return { type: 'found' as const, people };
  });
}

/**
 * The problem with the channel of a notice. It may have been shared since it was chosen, and external users must not see a
 * notice. With a token of an organization, a channel that can't be seen may be another workspace's, and yet take the post.
 */
async function channelProblemNow(
  directory: Directory,
  notice: Notice,
): Promise<'channel_not_found' | 'channel_shared' | undefined> {
  const id = channelOf(notice);
  if (id === undefined) return undefined;
  const channel = await directory.channelNow(notice.workspace, id, CHANNEL_MAX_AGE_MS);
  if (!channel) return 'channel_not_found';
  return channel.isShared ? 'channel_shared' : undefined;
}

/** An effect of a notice as the rate limits see it, before it is claimed. */
export const limitedNoticeEffect = (notice: Notice, effect: MessageEffect): LimitedEffect =>
  limitedMessageEffect(addressed(notice), effect);

/**
 * The most people who are notified. Any admin can fix the problem: more messages would only be noise in a company with dozens of
 * admins.
 */
const MOST_PEOPLE = 10;

/** Nearly Slack's largest page, "under 1000" (https://docs.slack.dev/apis/web-api/pagination/). */
const PAGE = 999;

/**
 * As many pages as fit, with one call before them, into half of a claim; one page fewer if a user group is read, too. In a larger
 * workspace these are still notified: the creator of the connection, the admins who have set what is in force, and the user group
 * that administers a workspace of an organization.
 */
const MOST_PAGES = 3;

/**
 * Finds the people to notify about a problem of a workspace.
 *
 * @param connectedBy a member's id, or `TERMINAL`, who can't be notified
 * @param group the user group that administers the workspace, too
 * @param acted people who were admins once
 * @returns ids of full members, the creator of the connection first
 */
async function adminsToNotify(
  reader: Reader,
  { connectedBy, group, acted }: { connectedBy: string; group: string | undefined; acted: string[] },
): Promise<string[]> {
  const { client, installation } = reader;
  const [isCreatorHere, groupMembers, ...known] = await Promise.all([
    isFullMember(reader, connectedBy),
    fullMembersOf(reader, group),
    ...acted.map((id) => findPerson(reader, id)),
  ]);
  const admins = known.flatMap((person) => (person && isAdmin(person) ? [person.id] : []));
  const people = new Set([...(isCreatorHere ? [connectedBy] : []), ...admins, ...groupMembers]);
  let pagesLeft = group === undefined ? MOST_PAGES : MOST_PAGES - 1;
  const isEnough = () => people.size >= MOST_PEOPLE;
  const options = { team_id: installation.workspace, limit: PAGE };
  for await (const page of isEnough() ? [] : client.paginate('users.list', options)) {
    const { members: all = [] } = page as webApi.UsersListResponse;
    for (const { id, ...user } of all) if (id && isAdmin(toPerson(user, id, installation))) people.add(id);
    pagesLeft -= 1;
    if (pagesLeft === 0 || isEnough()) break;
  }
  return [...people].slice(0, MOST_PEOPLE);
}

/** The people who have set a policy in force, paused sending or resumed it. */
function actedIn({ policies = {}, paused, resumed }: Settings): string[] {
  const by = [...Object.values(policies).map((policy) => policy?.setBy), paused?.by, resumed?.by];
  return [...new Set(by)].filter((id) => id !== undefined && !NAMELESS.has(id)) as string[];
}

const isAdmin = (person: Person) => personProblem(person) === undefined && person.isAdmin;

async function fullMembersOf(reader: Reader, group: string | undefined): Promise<string[]> {
  if (group === undefined) return [];
  const members = ((await findGroupUsers(reader, group)) ?? []).slice(0, MOST_PEOPLE);
  const areFull = await Promise.all(members.map((id) => isFullMember(reader, id)));
  return members.filter((_id, n) => areFull[n]);
}

async function isFullMember(reader: Reader, id: string): Promise<boolean> {
  return id !== TERMINAL && personProblem(await findPerson(reader, id)) === undefined;
}
