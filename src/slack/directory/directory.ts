/** Implements the directory of a workspace: reads its people, groups and channels from Slack, cached for a minute. */
import type { webApi } from '@slack/bolt';
import { createCache } from '../../cache.ts';
import type { Directory, PeopleDirectory, Person } from '../../requests/ports/ports.ts';
import { CHANNEL_MAX_AGE_MS } from '../../requests/use-cases/sharing.ts';
import { channelProblem, personProblem } from '../../requests/use-cases/who-may.ts';
import type { TokenWatch } from '../client/access.ts';
import type { SlackClients } from '../client/clients.ts';
import {
  findChannel,
  findChannelMembers,
  findGroupUsers,
  findPerson,
  findTeams,
  isMember,
  type Reader,
} from './read-people.ts';
import { createGroupMembers, createRemembered, type GroupMembers, MOST_REMEMBERED } from './remembered.ts';

/**
 * The facts about a workspace that Slack gives with the bot's token. `origin`: "https://acme.slack.com", with an organization's
 * token the organization's; undefined: Slack did not say. `missingScopes`: the scopes that the token is known to lack.
 */
export type AboutWorkspace = { origin: string | undefined; missingScopes: readonly string[] };

/** A directory whose cached answers can be forgotten when Slack reports a change. */
export type SlackDirectory = Directory & {
  /** Facts that may be a minute old, unless the bot may not post. @throws if Slack does not accept the bot's token */
  about(workspace: string): Promise<AboutWorkspace>;
  /**
   * The workspaces that have a channel, and organizations, each of which may stand for its workspaces. The answer may be a minute
   * old.
   *
   * @param installation the workspace or organization whose bot is in the channel
   */
  teamsWith(installation: string, channel: string): Promise<readonly string[]>;
  /** The last answer of Slack to that for any installation, however old; empty: none is known. */
  lastTeamsWith(channel: string): readonly string[];
  forgetGroup(workspace: string, group: string): void;
  forgetMember(workspace: string, channel: string, user: string): void;
  forgetChannel(workspace: string, channel: string): void;
  /**
   * Reads people, groups and channels for a decision. People and memberships are read now, with the given client. Groups may be
   * 3 s old, and channels 5 s, because callers share them. Channels are read with the client for interactive calls, so they take
   * no token of the effect.
   */
  readNow(client: webApi.WebClient): PeopleDirectory;
};

const personKey = (workspace: string, user: string) => `person ${workspace} ${user}`;
/** The key of a fact about a channel; without `what`, the beginning of all keys about that channel. */
const channelKey = (workspace: string, channel: string, what = '') =>
  `channel ${workspace} ${channel} ${what}`;
const memberKey = (workspace: string, channel: string, user: string) =>
  channelKey(workspace, channel, `member ${user}`);

/** Finds what a read of a workspace uses. @param client if left out, the client for interactive calls */
async function readerOf(
  clients: SlackClients,
  workspace: string,
  client?: webApi.WebClient,
): Promise<Reader> {
  const installation = await clients.installation(workspace);
  return { installation, client: client ?? clients.withToken(workspace, installation.botToken) };
}

/**
 * Whether what was found about a person is cached. That somebody is of another company, or a bot, does not change from one moment
 * to the next; and people of other companies must not use up what Slack lets the bot ask, by a reaction set again and again.
 */
function staysSo(person: Person | undefined): boolean {
  const problem = personProblem(person);
  return person !== undefined && (problem === undefined || problem === 'external_user' || problem === 'bot');
}

/** A read from Slack. `isKept`: whether its answer is cached; left out: `true` is. */
type Kept<T> = { find: (reader: Reader) => Promise<T>; isKept?: (found: T) => boolean };

/**
 * Creates the directory.
 *
 * @param monotonic by a clock that may be set back, a right would be remembered for longer
 */
export function createDirectory(
  clients: SlackClients,
  monotonic: () => number,
  tokenWatch: Pick<TokenWatch, 'checkScopes'>,
): SlackDirectory {
  const { cached, forget, forgetAll } = createRemembered(monotonic);
  const groups = createGroupMembers(monotonic, async (workspace, group, client) =>
    findGroupUsers(await readerOf(clients, workspace, client), group),
  );
  /**
   * Reads from Slack, and caches a permission for a minute. A denial is not cached, because it may end at any moment, unless it
   * is for what somebody is.
   */
  const kept = <T>(key: string, workspace: string, { find, isKept = (found) => found === true }: Kept<T>) =>
    cached(key, async () => find(await readerOf(clients, workspace)), { isKept });
  const teams = createTeams();
  // Slack allows fifty reads of channels a minute, so callers who name an age share one; without an age each caller asks.
  const channelNow: Directory['channelNow'] = (workspace, channel, maxAgeMs = 0) => {
    const look = async () => {
      const found = await findChannel(await readerOf(clients, workspace), channel);
      // A channel that was just seen to be unusable must not stay cached as usable.
      if (channelProblem(found)) forgetAll(channelKey(workspace, channel, 'kept'));
      return found;
    };
    return cached(channelKey(workspace, channel, 'now'), look, { maxAgeMs });
  };
  const readNow = createReadNow({ clients, groups, channelNow, forget });
  const about: SlackDirectory['about'] = (workspace) =>
    kept(`about ${workspace}`, workspace, {
      async find({ client }) {
        const answer = await client.auth.test();
        const missingScopes = tokenWatch.checkScopes(workspace, answer);
        return { origin: URL.parse(answer.url ?? '')?.origin, missingScopes };
      },
      isKept: ({ missingScopes }) => !missingScopes.includes('chat:write'),
    });
  return {
    person: (workspace, user) =>
      kept(personKey(workspace, user), workspace, {
        find: (reader) => findPerson(reader, user),
        isKept: staysSo,
      }),
    isInGroup: groups.isInGroup,
    channel: (workspace, channel, needs) =>
      kept(channelKey(workspace, channel, `kept ${needs}`), workspace, {
        find: (reader) => findChannel(reader, channel),
        isKept: (found) =>
          channelProblem(found) === undefined && (needs === undefined || found?.isPrivate === true),
      }),
    channelNow,
    isOrgWide: async (workspace) => (await clients.installation(workspace)).organization !== undefined,
    about,
    mayPost: async (workspace) => !(await about(workspace)).missingScopes.includes('chat:write'),
    isChannelMember: (workspace, channel, user) =>
      kept(memberKey(workspace, channel, user), workspace, {
        find: (reader) => isMember(reader, channel, user),
      }),
    groupMembers: (workspace, group, age = 'now') => groups.list(workspace, group, age),
    channelMembers: readNow().channelMembers,
    teamsWith: (installation, channel) =>
      kept(channelKey(installation, channel, 'teams'), installation, {
        find: (reader) => teams.find(reader, channel),
        isKept: () => true,
      }),
    lastTeamsWith: teams.last,
    forgetGroup: groups.forget,
    forgetMember: (workspace, channel, user) => forget(memberKey(workspace, channel, user)),
    forgetChannel: (workspace, channel) => forgetAll(channelKey(workspace, channel)),
    readNow,
  };
}

/** Finds who has a channel, and keeps what Slack last said, by the id that the channel has in all companies. */
function createTeams() {
  const last = createCache<readonly string[]>(MOST_REMEMBERED);
  return {
    async find(reader: Reader, channel: string): Promise<readonly string[]> {
      const found = await findTeams(reader, channel);
      if (found.length > 0) last.set(channel, found);
      return found;
    },
    last: (channel: string): readonly string[] => last.get(channel) ?? [],
  };
}

type ReadNowDeps = {
  clients: SlackClients;
  groups: GroupMembers;
  channelNow: Directory['channelNow'];
  /** A right that was just seen to be lost must not stay cached. */
  forget: (key: string) => void;
};

/**
 * Creates the directory for decisions. Requests that are decided at about the same time share the reads of channels and groups:
 * Slack allows fifty and twenty of them a minute.
 */
function createReadNow({ clients, groups, channelNow, forget }: ReadNowDeps) {
  return (client?: webApi.WebClient): PeopleDirectory => {
    const reader = (workspace: string) => readerOf(clients, workspace, client);
    const groupMembers = (workspace: string, group: string) => groups.readNow(workspace, group, client);
    return {
      async person(workspace, user) {
        const found = await findPerson(await reader(workspace), user);
        if (personProblem(found)) forget(personKey(workspace, user));
        return found;
      },
      isInGroup: async (workspace, group, user) => (await groupMembers(workspace, group))?.includes(user),
      channel: (workspace, channel) => channelNow(workspace, channel, CHANNEL_MAX_AGE_MS),
      channelNow,
      async isChannelMember(workspace, channel, user) {
        const isIn = await isMember(await reader(workspace), channel, user);
        if (!isIn) forget(memberKey(workspace, channel, user));
        return isIn;
      },
      groupMembers,
      channelMembers: async (workspace, channel) => findChannelMembers(await reader(workspace), channel),
    };
  };
}
