/** A workspace for tests of use cases: its requests in SQLite, and its people, groups and channels as Slack describes them. */
import { unreplicated } from '../../../src/outbox/ports.ts';
import { Notice } from '../../../src/requests/model/notices/notice.ts';
import { RequestRecord } from '../../../src/requests/model/record.ts';
import type { Settings } from '../../../src/requests/model/settings.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import type {
  Channel,
  ConnectionState,
  Directory,
  Person,
  Workspaces,
} from '../../../src/requests/ports/ports.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import { createSettingsStore } from '../../../src/workspaces/settings.ts';
import { SettingsRecord } from '../../../src/workspaces/settings-record.ts';
import { databaseInMemory } from '../storage/empty-database.ts';
import { MEMBER } from './directory.ts';
import { limitDeps } from './recent-requests.ts';
import { T0 } from './records.ts';

const PUBLIC = { isPrivate: false, isShared: false, isArchived: false, isMember: true };

type Members = { members?: readonly string[] };

/** Slack's data about T1; it knows nothing of any other workspace. */
export type Company = {
  people: Record<string, Partial<Person>>;
  groups: Record<string, readonly string[]>;
  /** The groups and channels whose members Slack does not list at the moment. */
  unlisted?: readonly string[];
  /** The groups for which Slack does not say at the moment whether a person is in them. */
  unsaid?: readonly string[];
  channels: Record<string, Partial<Channel> & Members>;
  mayPost: boolean;
  /** Whether the bot is installed in the whole organization. Slack then says who administers that, and not the workspace. */
  isOrgWide: boolean;
  /** Whether Slack does not answer. */
  isAway: boolean;
};

/** U1 is the requester. Ana, Ben and Cleo are the group S1 and the members of the private channel C2; C1 is public. */
export const COMPANY: Company = {
  people: {
    U1: {},
    UANA: {},
    UBEN: {},
    UCLEO: {},
    UOTHER: {},
    UADMIN: { isAdmin: true },
    UGUEST: { isGuest: true },
    UBOT: { isBot: true },
    UGONE: { isDeactivated: true },
    UEXTERNAL: { ownTeam: false },
  },
  groups: { S1: ['UANA', 'UBEN', 'UCLEO'] },
  channels: { C1: { members: ['U1'] }, C2: { isPrivate: true, members: ['UANA', 'UBEN', 'UCLEO'] } },
  mayPost: true,
  isOrgWide: false,
  isAway: false,
};

/** People who may neither request nor vote, whatever the settings are, and the reasons. */
export const OUTSIDERS = [
  ['UGUEST', 'guest'],
  ['UBOT', 'bot'],
  ['UGONE', 'deactivated'],
  ['UEXTERNAL', 'external_user'],
  ['UNKNOWN', 'external_user'],
] as const;

export function directoryOfCompany(company: Company): Directory {
  async function answer<T>(workspace: string, read: () => T): Promise<T | undefined> {
    if (company.isAway) throw new Error('Slack is away');
    return workspace === 'T1' ? read() : undefined;
  }
  const channel = (workspace: string, id: string) =>
    answer(workspace, () => {
      const { members: _members, ...known } = company.channels[id] ?? {};
      return company.channels[id] && { id, ...PUBLIC, ...known };
    });
  const channelMembers = (workspace: string, id: string) =>
    answer(workspace, () => company.channels[id] && (company.channels[id].members ?? []));
  return {
    person: (workspace, id) =>
      answer(workspace, () => company.people[id] && { id, ...MEMBER, ...company.people[id] }),
    isInGroup: (workspace, group, user) =>
      answer(workspace, () => {
        if (company.unsaid?.includes(group)) throw new Error('Slack lists no members');
        return company.groups[group]?.includes(user);
      }),
    groupMembers: (workspace, group) =>
      answer(workspace, () => {
        if (company.unlisted?.includes(group)) throw new Error('Slack lists no members');
        return company.groups[group];
      }),
    channel,
    channelNow: channel,
    channelMembers,
    async isChannelMember(workspace, id, user) {
      if (company.unlisted?.includes(id)) throw new Error('Slack lists no members');
      return (await channelMembers(workspace, id))?.includes(user) === true;
    },
    isOrgWide: async (workspace) => (await answer(workspace, () => company.isOrgWide)) === true,
    mayPost: async (workspace) => (await answer(workspace, () => company.mayPost)) === true,
  };
}

/** @returns also `state`: the clock, the company, the settings and the connection, which a test may change at any time */
export function createWorkspace(given: { company?: Partial<Company>; settings?: Settings } = {}) {
  const database = databaseInMemory();
  const state = {
    now: T0,
    company: { ...COMPANY, ...given.company },
    settings: given.settings ?? {},
    connection: 'connected' as ConnectionState,
  };
  const now = () => state.now;
  const store = createSqliteRecordStore(database, 'requests', RequestRecord, now);
  const settingsOf = (workspace: string): Settings => (workspace === 'T1' ? state.settings : {});
  const woken: string[] = [];
  const { told, ...limiting } = limitDeps(now, database);
  const notices = createSqliteRecordStore(database, 'notices', Notice, now);
  const settings = createSettingsStore(createSqliteRecordStore(database, 'settings', SettingsRecord, now));
  const wake = ({ id }: { id: string }) => void woken.push(id);
  const deps = {
    store,
    notices,
    notifying: { notices, wake },
    directory: directoryOfCompany(state.company),
    workspaces: {
      connection: async () => state.connection,
      settings: async (workspace: string) => settingsOf(workspace),
      inForce: async (workspace: string) => ({ settings: settingsOf(workspace), version: undefined }),
    },
    wake,
    timings: TIMINGS,
    replicated: unreplicated,
    ...limiting,
  };
  return {
    state,
    deps,
    /** The store of settings; `deps` reads `state.settings` instead. */
    settings,
    /** The port to the stored settings: right after each reading, an admin saves the next of `saves`. */
    workspacesSaving(...saves: Settings[]): Workspaces {
      const inForce = async (workspace: string) => {
        const read = await settings.inForce(workspace);
        const next = saves.shift();
        if (next) await settings.change(workspace, next);
        return read;
      };
      return { ...deps.workspaces, inForce };
    },
    /** The messages to admins about people who met the limit of requests. */
    told,
    /** The ids of the records that were woken. */
    woken,
    async seed(...records: RequestRecord[]) {
      for (const record of records) await store.create(requestEntry(record, TIMINGS));
    },
    async read({ workspace, id }: { workspace: string; id: string }) {
      const found = await store.get({ workspace, id });
      if (!found) throw new Error(`no request ${id}`);
      return found.record;
    },
  };
}
