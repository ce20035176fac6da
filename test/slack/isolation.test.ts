/**
 * Isolation of what is cached of Slack: one workspace never reads the values of another. A new method has no row here,
 * and does not compile.
 */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createJournal } from '../../sandbox/lib/http/journal.ts';
import { startSlack } from '../../sandbox/slack/start.ts';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import { SILENT } from '../../src/outbox/ports.ts';
import type { Directory } from '../../src/requests/ports/ports.ts';
import { createTokenWatch } from '../../src/slack/client/access.ts';
import type { SlackClients } from '../../src/slack/client/clients.ts';
import { NotInstalledError } from '../../src/slack/client/installation.ts';
import { NOTHING_TAKEN } from '../../src/slack/client/rate-limits.ts';
import { createDirectory } from '../../src/slack/directory/directory.ts';
import { HELD } from '../support/requests/records.ts';
import { slackClientsTo } from '../support/slack-clients.ts';

const MINE = SEED.team;
async function startTwo() {
  const slack = await startSlack({ journal: createJournal() });
  onTestFinished(slack.close);
  const { team, people, channels } = slack.admin.addWorkspace({
    name: 'Umbrella',
    people: [{ name: 'uma' }],
    channels: [{ name: 'umbrella-desk' }],
  });
  const [person = '', channel = ''] = [people[0]?.id, channels[0]?.id];
  const { bot_user_id } = slack.admin.install(team.id);
  slack.admin.invite(channel, bot_user_id);
  const group = slack.admin.addUserGroup({ team_id: team.id, name: 'Voters', users: [person] }).id;
  const clients = slackClientsTo(slack);
  const directory = createDirectory(clients, Date.now, createTokenWatch(SILENT));
  return { slack, clients, directory, theirs: { team: team.id, person, channel, group } };
}

type Theirs = Awaited<ReturnType<typeof startTwo>>['theirs'];

/** The lookups in a workspace, and the answers about ids of another one. */
const DIRECTORY: {
  [Method in keyof Directory]: {
    look: (directory: Directory, workspace: string, theirs: Theirs) => Promise<unknown>;
    own: unknown;
    other: unknown;
  };
} = {
  person: {
    look: (directory, workspace, { person }) => directory.person(workspace, person),
    own: expect.objectContaining({ ownTeam: true }),
    other: undefined,
  },
  isInGroup: {
    look: (directory, workspace, { group, person }) => directory.isInGroup(workspace, group, person),
    own: true,
    other: undefined,
  },
  channel: {
    look: (directory, workspace, { channel }) => directory.channel(workspace, channel),
    own: expect.objectContaining({ isShared: false }),
    other: undefined,
  },
  channelNow: {
    look: (directory, workspace, { channel }) => directory.channelNow(workspace, channel, 60_000),
    own: expect.objectContaining({ isShared: false }),
    other: undefined,
  },
  isOrgWide: {
    look: (directory, workspace) => directory.isOrgWide(workspace),
    own: false,
    other: false,
  },
  mayPost: {
    look: (directory, workspace) => directory.mayPost(workspace),
    own: true,
    other: true,
  },
  isChannelMember: {
    look: (directory, workspace, { channel, person }) =>
      directory.isChannelMember(workspace, channel, person),
    own: true,
    other: false,
  },
  groupMembers: {
    look: (directory, workspace, { group }) => directory.groupMembers(workspace, group),
    own: expect.arrayContaining([expect.any(String)]),
    other: undefined,
  },
  channelMembers: {
    look: (directory, workspace, { channel }) => directory.channelMembers(workspace, channel),
    own: expect.arrayContaining([expect.any(String)]),
    other: undefined,
  },
};

describe('the directory of one workspace knows nothing of another', () => {
  test.each(Object.entries(DIRECTORY))('%s', async (_method, { look, own, other }) => {
    const { directory, theirs } = await startTwo();
    // Twice, with the other one in between: a cached value of one must not be given to the other.
    for (const [workspace, known] of [
      [MINE, other],
      [theirs.team, own],
      [MINE, other],
      [theirs.team, own],
    ] as const) {
      expect(await look(directory, workspace, theirs)).toEqual(known);
    }
  });
});

const whoseIs = async (client: { auth: { test(): Promise<{ team_id?: string }> } }) =>
  (await client.auth.test()).team_id;

/** Getters of clients, with the workspace that each result belongs to. */
const CLIENTS: {
  [Method in Exclude<
    keyof SlackClients,
    'options' | 'memberOf' | 'slackNow'
  >]: typeof workspaceOfInstallation;
} = {
  installation: workspaceOfInstallation,
  interactive: async (clients, workspace) => whoseIs(await clients.interactive(workspace)),
  withToken: async (clients, workspace) => {
    const { botToken } = await clients.installation(workspace);
    return whoseIs(clients.withToken(workspace, botToken));
  },
  forEffect: async (clients, workspace) => {
    const effect = { workspace, about: {}, who: 'a test', main: NOTHING_TAKEN, guard: HELD };
    return clients.forEffect(effect, whoseIs);
  },
};

async function workspaceOfInstallation(
  clients: SlackClients,
  workspace: string,
): Promise<string | undefined> {
  return (await clients.installation(workspace)).workspace;
}

describe('a client of Slack works for its own workspace alone', () => {
  test.each(Object.entries(CLIENTS))('%s', async (_method, look) => {
    const { clients, theirs } = await startTwo();
    for (const workspace of [theirs.team, MINE, theirs.team, MINE]) {
      expect(await look(clients, workspace)).toBe(workspace);
    }
    await expect(look(clients, SEED.otherTeam)).rejects.toThrow(NotInstalledError);
  });
});
