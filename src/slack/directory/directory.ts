/** Implements the directory of a workspace from Slack's current data, cached for a minute, and reads facts about it. */
import type { webApi } from '@slack/bolt';
import { createCache } from '../../cache.ts';
import type { Directory, PeopleDirectory } from '../../requests/ports/ports.ts';
import { CHANNEL_MAX_AGE_MS } from '../../requests/use-cases/sharing.ts';
import { channelProblem, personProblem } from '../../requests/use-cases/who-may.ts';
import { missingScopes, type TokenWatch } from '../client/access.ts';
import type { SlackClients } from '../client/clients.ts';
import { createGroupMembers, type GroupMembers } from './group-members.ts';
import {
  findChannel,
  findChannelMembers,
  findGroupUsers,
  findPerson,
  findTeams,
  isMember,
  isOwnChannel,
  type Reader,
} from './read-people.ts';
import { createRemembered, MOST_REMEMBERED, type Remembered } from './remembered.ts';

/** A directory whose cache is cleared when Slack reports a change. */
export type SlackDirectory = Directory & {
  /** The other workspaces that have a channel, without organizations, which sometimes stand for them. */
  sharedWith(workspace: string, channel: string): Promise<readonly string[]>;
  /** Clears a user group. */
  forgetGroup(workspace: string, group: string): void;
  /** Clears a person's membership of a channel. */
  forgetMember(workspace: string, channel: string, user: string): void;
  /** Clears everything about a channel. */
  forgetChannel(workspace: string, channel: string): void;
  /** Reads the same data without the cache, with the given client. */
  readNow(client: webApi.WebClient): PeopleDirectory;
};

const personKey = (workspace: string, user: string) => `person ${workspace} ${user}`;
const channelKey = (workspace: string, channel: string, needs = '') =>
  `channel ${workspace} ${channel} ${needs}`;
const memberKey = (workspace: string, channel: string, user: string) =>
  `member ${workspace} ${channel} ${user}`;
/** Of whether a private channel is one of the person's own: Slack is asked for their channels, not for its members. */
const ownKey = (workspace: string, channel: string, user: string) =>
  `own ${memberKey(workspace, channel, user)}`;
const nowKey = (workspace: string, channel: string) => `now ${workspace} ${channel}`;
const teamsKey = (workspace: string, channel: string) => `teams ${workspace} ${channel}`;

/** @param client if left out, the client for interactive calls */
async function readerOf(
  clients: SlackClients,
  workspace: string,
  client?: webApi.WebClient,
): Promise<Reader> {
  const installation = await clients.installation(workspace);
  return { installation, client: client ?? clients.withToken(workspace, installation.botToken) };
}

type ScopeCheck = Pick<TokenWatch, 'checkScopes'>;

/** @param now milliseconds that only ever grow: on a clock that is set back, a right would be remembered for longer */
export function createDirectory(
  clients: SlackClients,
  now: () => number,
  tokenWatch: ScopeCheck,
): SlackDirectory {
  const { cached, forget, forgetAll } = createRemembered(now);
  const groups = createGroupMembers(now);
  const reader = (workspace: string) => readerOf(clients, workspace);
  // Slack allows fifty reads of channels a minute: callers at about the same moment share one.
  const channelNow: Directory['channelNow'] = (workspace, channel, maxAgeMs = 0) => {
    const look = async () => {
      const found = await findChannel(await reader(workspace), channel);
      // A channel that was just seen to be unusable must not stay cached as usable.
      if (channelProblem(found)) forgetAll(channelKey(workspace, channel));
      return found;
    };
    return cached(nowKey(workspace, channel), look, { maxAgeMs });
  };
  const readNow = createReadNow({ clients, groups, channelNow, forget });
  return {
    person: (workspace, user) =>
      cached(personKey(workspace, user), async () => findPerson(await reader(workspace), user), {
        isKept: (person) => personProblem(person) === undefined,
      }),
    isInGroup: (workspace, group, user) =>
      groups.isInGroup(workspace, group, user, async () => findGroupUsers(await reader(workspace), group)),
    channel: (workspace, channel, needs) =>
      cached(
        channelKey(workspace, channel, needs),
        async () => findChannel(await reader(workspace), channel),
        {
          isKept: (found) =>
            channelProblem(found) === undefined && (needs === undefined || found?.isPrivate === true),
        },
      ),
    channelNow,
    isOrgWide: async (workspace) => (await clients.installation(workspace)).organization !== undefined,
    mayPost: (workspace) =>
      cached(
        `mayPost ${workspace}`,
        async () => mayPost(await readerOf(clients, workspace), workspace, tokenWatch),
        { isKept: (may) => may },
      ),
    ...createMemberships(cached, reader),
    groupMembers: (workspace, group, age = 'now') =>
      groups.list(workspace, group, age, async () => findGroupUsers(await reader(workspace), group)),
    channelMembers: readNow().channelMembers,
    sharedWith: (workspace, channel) =>
      cached(teamsKey(workspace, channel), async () => findTeams(await reader(workspace), channel)),
    ...createForgets({ forget, forgetAll, groups }),
    readNow,
  };
}

/** The members of a channel: a membership is cached, its absence never. */
function createMemberships(
  cached: Remembered['cached'],
  reader: (workspace: string) => Promise<Reader>,
): Pick<Directory, 'isChannelMember' | 'isOwnChannel'> {
  return {
    isChannelMember: (workspace, channel, user) =>
      cached(
        memberKey(workspace, channel, user),
        async () => isMember(await reader(workspace), channel, user),
        { isKept: (isIn) => isIn },
      ),
    isOwnChannel: (workspace, channel, user) =>
      cached(
        ownKey(workspace, channel, user),
        async () => isOwnChannel(await reader(workspace), channel, user),
        { isKept: (isTheirs) => isTheirs },
      ),
  };
}

type ForgetDeps = Pick<Remembered, 'forget' | 'forgetAll'> & { groups: GroupMembers };

/** Clears the cache where Slack reports a change. */
function createForgets({ forget, forgetAll, groups }: ForgetDeps) {
  return {
    forgetGroup: groups.forget,
    forgetMember(workspace: string, channel: string, user: string) {
      forget(memberKey(workspace, channel, user));
      forget(ownKey(workspace, channel, user));
    },
    forgetChannel(workspace: string, channel: string) {
      forgetAll(channelKey(workspace, channel));
      forget(teamsKey(workspace, channel));
      forgetAll(memberKey(workspace, channel, ''));
      forgetAll(ownKey(workspace, channel, ''));
      forget(nowKey(workspace, channel));
    },
  };
}

type ReadNowDeps = {
  clients: SlackClients;
  groups: GroupMembers;
  channelNow: Directory['channelNow'];
  /** A right that was just seen to be lost must not stay cached. */
  forget: (key: string) => void;
};

/** Slack allows fifty reads of channels a minute: requests decided at about the same time share one. */
function createReadNow({ clients, groups, channelNow, forget }: ReadNowDeps) {
  return (client?: webApi.WebClient): PeopleDirectory => {
    const groupMembers = (workspace: string, group: string) =>
      groups.readNow(workspace, group, async () =>
        findGroupUsers(await readerOf(clients, workspace, client), group),
      );
    return {
      async person(workspace, user) {
        const found = await findPerson(await readerOf(clients, workspace, client), user);
        if (personProblem(found)) forget(personKey(workspace, user));
        return found;
      },
      isInGroup: async (workspace, group, user) => (await groupMembers(workspace, group))?.includes(user),
      channel: (workspace, channel) => channelNow(workspace, channel, CHANNEL_MAX_AGE_MS),
      channelNow,
      async isChannelMember(workspace, channel, user) {
        const isIn = await isMember(await readerOf(clients, workspace, client), channel, user);
        if (!isIn) forget(memberKey(workspace, channel, user));
        return isIn;
      },
      groupMembers,
      channelMembers: async (workspace, channel) =>
        findChannelMembers(await readerOf(clients, workspace, client), channel),
    };
  };
}

async function mayPost({ client }: Reader, workspace: string, { checkScopes }: ScopeCheck): Promise<boolean> {
  return !checkScopes(workspace, await client.auth.test()).includes('chat:write');
}

/**
 * The facts about a workspace that Slack gives with the bot's token. `origin`: "https://acme.slack.com"; undefined if Slack did
 * not say. `missingScopes`: the scopes that the token lacks; undefined: the same.
 */
export type AboutWorkspace = {
  origin: string | undefined;
  missingScopes: readonly string[] | undefined;
};

/** Slack leads from a former address to the new one. */
const KEPT_MS = 60 * 60_000;

/** @param isNow whether Slack is asked again, and nothing older is taken. @throws if Slack can't be asked */
export type ReadAboutWorkspace = (workspace: string, isNow?: boolean) => Promise<AboutWorkspace>;

/** @param now milliseconds that only ever grow */
export function createAboutWorkspace(
  clients: Pick<SlackClients, 'interactive'>,
  now: () => number,
): ReadAboutWorkspace {
  const known = createCache<AboutWorkspace>(MOST_REMEMBERED, { ttlMs: KEPT_MS, now });
  return async (workspace, isNow = false) => {
    const before = isNow ? undefined : known.get(workspace);
    if (before) return before;
    const { url, response_metadata } = await (await clients.interactive(workspace)).auth.test();
    const { scopes } = response_metadata ?? {};
    const about = {
      origin: URL.parse(url ?? '')?.origin,
      missingScopes: scopes && missingScopes(scopes),
    };
    known.set(workspace, about);
    return about;
  };
}
