/** Who and what there is in a workspace, as Slack says it now; what was asked within the last minute is not asked again. */
import type { webApi } from '@slack/bolt';
import type { Channel, Directory, Log, PeopleDirectory } from '../../requests/ports/ports.ts';
import { channelProblem, personProblem } from '../../requests/use-cases/rules.ts';
import { LOOK_MS } from '../../requests/use-cases/sharing.ts';
import { checkScopes } from '../client/access.ts';
import type { SlackClients } from '../client/clients.ts';
import { createGroupMembers, type GroupMembers } from './group-members.ts';
import {
  findChannel,
  findChannelMembers,
  findGroupUsers,
  findPerson,
  findTeams,
  isMember,
  type Reader,
} from './read-people.ts';
import { createLooks, createRemembered, type Looks, type Remembered } from './remembered.ts';

/** What is remembered is asked anew where Slack tells that it has changed. */
export type SlackDirectory = Directory & {
  /** The other workspaces that have a channel. Organizations, which are named in place of theirs at times, are left out. */
  sharedWith(workspace: string, channel: string): Promise<readonly string[]>;
  /** Its members, or what it is. */
  forgetGroup(workspace: string, group: string): void;
  /** That somebody is in a channel. */
  forgetMember(workspace: string, channel: string, user: string): void;
  /** Whatever there is to know of it. */
  forgetChannel(workspace: string, channel: string): void;
  /** The same people, groups and channels as Slack describes them now, read with a client of one's own. */
  readNow(client: webApi.WebClient): PeopleDirectory;
};

const personKey = (workspace: string, user: string) => `person ${workspace} ${user}`;
const channelKey = (workspace: string, channel: string, needs = '') =>
  `channel ${workspace} ${channel} ${needs}`;
const memberKey = (workspace: string, channel: string, user: string) =>
  `member ${workspace} ${channel} ${user}`;
const teamsKey = (workspace: string, channel: string) => `teams ${workspace} ${channel}`;

/** @param client left out: that of somebody who waits for the answer */
async function readerOf(
  clients: SlackClients,
  workspace: string,
  client?: webApi.WebClient,
): Promise<Reader> {
  const installation = await clients.installation(workspace);
  return { installation, client: client ?? (await clients.interactive(workspace)) };
}

const isAnything = () => true;

/** @param now epoch milliseconds */
export function createDirectory(clients: SlackClients, now: () => number, log: Log): SlackDirectory {
  const { cached, forget, forgetAll } = createRemembered(now);
  const looks = createLooks<Channel | undefined>(now);
  const groups = createGroupMembers(now);
  const reader = (workspace: string) => readerOf(clients, workspace);
  // Slack tells of channels fifty times a minute: those who want to know at about the same moment share one look.
  const channelNow: Directory['channelNow'] = (workspace, channel, maxAgeMs = 0) => {
    const look = async () => {
      const found = await findChannel(await reader(workspace), channel);
      // What was just seen to be closed is not open for the rest of a minute.
      if (channelProblem(found)) forgetAll(channelKey(workspace, channel));
      return found;
    };
    return looks.look(`${workspace} ${channel}`, look, maxAgeMs);
  };
  const readNow = createReadNow({ clients, groups, channelNow, forget });
  return {
    person: (workspace, user) =>
      cached(
        personKey(workspace, user),
        async () => findPerson(await reader(workspace), user),
        (person) => personProblem(person) === undefined,
      ),
    isInGroup: (workspace, group, user) =>
      groups.isInGroup(workspace, group, user, async () => findGroupUsers(await reader(workspace), group)),
    channel: (workspace, channel, needs) =>
      cached(
        channelKey(workspace, channel, needs),
        async () => findChannel(await reader(workspace), channel),
        (found) => channelProblem(found) === undefined && (needs === undefined || found?.isPrivate === true),
      ),
    channelNow,
    mayPost: (workspace) =>
      cached(
        `mayPost ${workspace}`,
        async () => mayPost(await readerOf(clients, workspace), workspace, log),
        (may) => may,
      ),
    isChannelMember: (workspace, channel, user) =>
      cached(
        memberKey(workspace, channel, user),
        async () => isMember(await reader(workspace), channel, user),
        (isIn) => isIn,
      ),
    groupMembers: (workspace, group) =>
      groups.list(workspace, group, async () => findGroupUsers(await reader(workspace), group)),
    channelMembers: readNow().channelMembers,
    sharedWith: (workspace, channel) =>
      cached(
        teamsKey(workspace, channel),
        async () => findTeams(await reader(workspace), channel),
        isAnything,
      ),
    ...createForgets({ forget, forgetAll, groups, looks }),
    readNow,
  };
}

type ForgetDeps = Pick<Remembered, 'forget' | 'forgetAll'> & {
  groups: GroupMembers;
  looks: Pick<Looks<unknown>, 'forget'>;
};

/** What Slack tells to have changed is asked anew. */
function createForgets({ forget, forgetAll, groups, looks }: ForgetDeps) {
  return {
    forgetGroup: groups.forget,
    forgetMember: (workspace: string, channel: string, user: string) =>
      forget(memberKey(workspace, channel, user)),
    forgetChannel(workspace: string, channel: string) {
      forgetAll(channelKey(workspace, channel));
      forget(teamsKey(workspace, channel));
      forgetAll(memberKey(workspace, channel, ''));
      looks.forget(`${workspace} ${channel}`);
    },
  };
}

type ReadNowDeps = {
  clients: SlackClients;
  groups: GroupMembers;
  channelNow: Directory['channelNow'];
  /** What was just seen to be taken away is not remembered for the rest of a minute. */
  forget: (key: string) => void;
};

/** Slack tells of channels fifty times a minute: requests that are decided at about the same time share one look. */
function createReadNow({ clients, groups, channelNow, forget }: ReadNowDeps) {
  return (client?: webApi.WebClient): PeopleDirectory => ({
    async person(workspace, user) {
      const found = await findPerson(await readerOf(clients, workspace, client), user);
      if (personProblem(found)) forget(personKey(workspace, user));
      return found;
    },
    async isInGroup(workspace, group, user) {
      const ask = async () => findGroupUsers(await readerOf(clients, workspace, client), group);
      return (await groups.readNow(workspace, group, ask))?.includes(user);
    },
    channel: (workspace, channel) => channelNow(workspace, channel, LOOK_MS),
    channelNow,
    async isChannelMember(workspace, channel, user) {
      const isIn = await isMember(await readerOf(clients, workspace, client), channel, user);
      if (!isIn) forget(memberKey(workspace, channel, user));
      return isIn;
    },
    groupMembers: async (workspace, group) => {
      const ask = async () => findGroupUsers(await readerOf(clients, workspace, client), group);
      return groups.readNow(workspace, group, ask);
    },
    channelMembers: async (workspace, channel) =>
      findChannelMembers(await readerOf(clients, workspace, client), channel),
  });
}

async function mayPost({ client }: Reader, workspace: string, log: Log): Promise<boolean> {
  return !checkScopes(log, workspace, await client.auth.test()).includes('chat:write');
}
