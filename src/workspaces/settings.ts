/**
 * Reads and changes the settings of a workspace. Each change by an admin is in the audit trail, and one that is made in a form
 * is told to the notifications channel.
 */
import {
  byId,
  type Further,
  NOT_STORED,
  type RecordStore,
  SETTINGS_ID,
  writeRecord,
} from '../outbox/record-store.ts';
import type { Kind } from '../requests/model/kinds.ts';
import type { SendingNotice, SettingsNotice } from '../requests/model/notices/notice.ts';
import type {
  GeneralSettings,
  InForce,
  PauseChanged,
  PauseClick,
  Settings,
} from '../requests/model/settings.ts';
import type { Directory } from '../requests/ports/ports.ts';
import { audited } from '../requests/store/audit-trail.ts';
import { noticeEntry } from '../requests/store/writes.ts';
import { type Drafted, type PolicyDraft, readPolicy } from '../requests/use-cases/approvals/draft-policy.ts';
import {
  type Current,
  type Decided,
  isSame,
  type KindPolicy,
  type Saved,
  type SettingsRecord,
  type ShownVersion,
  withChannelRenamed,
  withGeneral,
  withoutPause,
  withPause,
  withPolicy,
} from './settings-record.ts';

/** @param stored undefined: nothing is set */
const inForceOf = (stored: SettingsRecord | undefined): InForce => ({
  settings: stored?.settings ?? {},
  version: stored?.version,
});

/** Changes the stored settings. @param decide what to write and to return; called again after a conflict */
async function decideAndWrite<T>(
  records: RecordStore<SettingsRecord>,
  workspace: string,
  decide: (current: Current) => Decided<T>,
): Promise<T> {
  for (;;) {
    const found = await records.get({ workspace, id: SETTINGS_ID });
    const current = { workspace, ...inForceOf(found?.record), at: found?.now ?? (await records.now()) };
    const decided = decide(current);
    if (decided.type === 'keep') return decided.result;
    const { next: settings, acts = [], notices = [] } = decided;
    const record = { workspace, id: SETTINGS_ID, version: current.version ?? NOT_STORED, settings } as const;
    const further = [...audited(acts), ...notices.map(asFurther)];
    const written = await writeRecord(records, byId(record), [], further);
    if (written.type === 'written') return decided.result(written.version);
  }
}

const asFurther = (notice: SettingsNotice | SendingNotice): Further => ({
  type: 'notices',
  entry: noticeEntry(notice),
});

export type SettingsStore = ReturnType<typeof createSettingsStore>;

export function createSettingsStore(records: RecordStore<SettingsRecord>) {
  const change = <T>(workspace: string, decide: (current: Current) => Decided<T>): Promise<T> =>
    decideAndWrite(records, workspace, decide);

  const inForce = async (workspace: string): Promise<InForce> =>
    inForceOf(await records.read({ workspace, id: SETTINGS_ID }));

  return {
    /** Reads the settings. Where they can't be read, nobody knows who may create requests, so nobody may (promise 10). */
    read: async (workspace: string): Promise<Settings> => (await inForce(workspace)).settings,
    /** Reads the settings with the version of their record. */
    inForce,
    /**
     * Changes the named settings and leaves the rest; undefined removes a setting.
     *
     * @param given a function is called again after a conflict, and may return undefined to change nothing
     * @returns whether anything was written
     */
    change: (
      workspace: string,
      given: Partial<Settings> | ((settings: Settings) => Partial<Settings> | undefined),
    ): Promise<boolean> =>
      change(workspace, ({ settings }): Decided<boolean> => {
        const changed = typeof given === 'function' ? given(settings) : given;
        if (changed === undefined) return { type: 'keep', result: false };
        return { type: 'write', next: { ...settings, ...changed }, result: () => true };
      }),
    /** Saves what an admin (`by`) has entered into the form of settings. */
    save: (workspace: string, given: GeneralSettings, shown: ShownVersion, by: string): Promise<Saved> =>
      change(workspace, (current) => withGeneral(current, given, { shown, by })),
    /** Saves a policy, as `save`. */
    savePolicy: (workspace: string, policy: KindPolicy, shown: ShownVersion, by: string): Promise<Saved> =>
      change(workspace, (current) => withPolicy(current, policy, { shown, by })),
    /** Pauses sending, unless it is paused. A click that is older than the one that resumed sending changes nothing. */
    pause: (workspace: string, click: PauseClick): Promise<PauseChanged> =>
      change(workspace, (current) => withPause(current, click)),
    /** Ends the pause, if there is one. A click that is older than the pause changes nothing. */
    resume: (workspace: string, click: PauseClick): Promise<PauseChanged> =>
      change(workspace, (current) => withoutPause(current, click)),
    /** Replaces the id of a channel that has another one now. */
    renameChannel: (workspace: string, from: string, to: string): Promise<void> =>
      change(workspace, ({ settings }) => {
        const next = withChannelRenamed(settings, from, to);
        return isSame(next, settings)
          ? { type: 'keep', result: undefined }
          : { type: 'write', next, result: () => undefined };
      }),
    async forget(workspace: string): Promise<void> {
      await records.remove({ workspace, id: SETTINGS_ID });
    },
  };
}

/** A submitted form of a policy. */
export type ChangingPolicy = {
  workspace: string;
  by: string;
  kind: Kind;
  shown: ShownVersion;
};

export type PolicyChanged =
  | Extract<Drafted, { type: 'invalid' }>
  | (Saved & Omit<Extract<Drafted, { type: 'policy' }>, 'type'>);

/**
 * Use case: an admin changes the approval policy of a kind of request. Earlier requests keep theirs.
 *
 * @throws if the storage or Slack is unavailable: nothing was changed
 */
export async function changePolicy(
  { directory, settings }: { directory: Directory; settings: SettingsStore },
  { workspace, by, kind, shown }: ChangingPolicy,
  draft: PolicyDraft,
): Promise<PolicyChanged> {
  const drafted = await readPolicy(directory, { workspace, by }, draft);
  if (drafted.type === 'invalid') return drafted;
  const saved = await settings.savePolicy(workspace, { kind, policy: drafted.policy }, shown, by);
  return { ...drafted, ...saved };
}
