import { onTestFinished } from 'vitest';
import { advance } from '../../../src/outbox/advance.ts';
import { SILENT, unreplicated } from '../../../src/outbox/ports.ts';
import { AuditEntry } from '../../../src/requests/model/audit-entry.ts';
import { RUNTIME } from '../../../src/runtime.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import { createUninstallType } from '../../../src/workspaces/installation/uninstall.ts';
import {
  type Check,
  type ReportedUninstall,
  recordUninstall,
  type ServedAlone,
  UNINSTALL_TIMINGS,
  type UninstallDeps,
  UninstallRecord,
  uninstallRecordOf,
} from '../../../src/workspaces/installation/uninstall-record.ts';
import { databaseInMemory } from '../../support/storage/empty-database.ts';

export const HOUR = 3_600_000;

/** A claim that nobody else wants. */
export const CLAIM = { owner: 'one', isHeld: async () => true, release: async () => {} };

/** The answers of Slack and the order service, and the steps of the removal. */
export function createUninstallHarness(given: Partial<UninstallDeps> = {}) {
  const database = databaseInMemory();
  onTestFinished(() => database.close());
  const clock = { now: 1_000_000 };
  const uninstalls = createSqliteRecordStore(database, 'uninstalls', UninstallRecord, () => clock.now);
  const auditEntries = createSqliteRecordStore(database, 'audit_entries', AuditEntry);
  const state = {
    installed: { generation: 'one', workspaces: ['T1'] } as ServedAlone | undefined,
    slack: 'gone' as Check,
    done: [] as string[],
    /** The workspaces in which the bot of the organization has taken the place of their own. */
    replaced: [] as string[],
    /** The installations whose tokens were logged as refused. */
    refused: new Set<string>(),
  };
  const deps: UninstallDeps = {
    uninstalls,
    replicated: unreplicated,
    installed: async () => state.installed,
    checkInstalled: async () => state.slack,
    organizationOf: async () => undefined,
    setOrganization: async () => {},
    revokeOwn: async (workspace) => {
      state.done.push(`revoke ${workspace}`);
      return 'done';
    },
    servedBy: async (workspace) => (state.installed ? workspace : undefined),
    recordUninstall: (reported) => record(reported),
    forget: async (workspace) => {
      state.done.push(`forget ${workspace}`);
      return true;
    },
    removeInstallation: async ({ workspace }) => {
      state.done.push(`remove ${workspace}`);
      state.installed = undefined;
      return true;
    },
    claimRemoval: async () => CLAIM,
    botReplaced: async (workspace) => void state.replaced.push(workspace),
    noteRefused: (workspace) => void state.refused.add(workspace),
    timings: UNINSTALL_TIMINGS,
    log: SILENT,
    ...given,
  };
  const go = (
    id: string,
    organization?: string,
    {
      stopping = new AbortController().signal,
      ...more
    }: Partial<UninstallDeps> & { stopping?: AbortSignal } = {},
  ) => {
    const claiming = {
      owner: RUNTIME.uuid(),
      claimMs: 60_000,
      replicated: unreplicated,
      stopping,
      log: SILENT,
    };
    const type = createUninstallType({ ...deps, ...more });
    return advance(type, { ...RUNTIME, ...claiming }, uninstallRecordOf(id, organization));
  };
  const record = (reported: ReportedUninstall) =>
    recordUninstall({ uninstalls, installed: (left) => deps.installed(left), wake: () => {} }, reported);
  return {
    deps,
    state,
    clock,
    report: (id = 'T1', uninstalled = true, organization?: string) =>
      record({ id, uninstalled, ...(organization ? { organization } : {}) }),
    /** Slack reports an uninstall, and names the organization of the workspace. */
    reportIn: (named: string, id: string, uninstalled = true) => record({ id, uninstalled, named }),
    advance: (id = 'T1', organization?: string, more?: Parameters<typeof go>[2]) =>
      go(id, organization, more),
    /** Advances, and waits as long as it says, until it is over. @returns how long that took in all */
    async seeThrough(id = 'T1', organization?: string) {
      const began = clock.now;
      for (;;) {
        const ms = await go(id, organization);
        if (ms === undefined) return clock.now - began;
        clock.now += ms;
      }
    },
    /** The acts in the audit trail of a workspace. */
    acts: async (id = 'T1') => (await auditEntries.list(id, { limit: 9 })).map(({ act }) => act),
    pending: async (id = 'T1', organization?: string) =>
      (await uninstalls.get(uninstallRecordOf(id, organization)))?.record,
  };
}
