/**
 * Reads and changes the settings of a workspace. Each change by an admin is in the audit trail, and the notifications channel
 * hears of it.
 */
import {
  type Further,
  NOT_STORED,
  type RecordRef,
  type RecordStore,
  SETTINGS_ID,
} from '../outbox/record-store.ts';
import { isSamePolicy, type Policy } from '../requests/model/approvals/policy.ts';
import {
  type ChangedSettings,
  type NewAuditEntry,
  sendingPaused,
  sendingResumed,
  settingsChanged,
} from '../requests/model/audit-entry.ts';
import type { Kind } from '../requests/model/kinds.ts';
import { newSettingsNotice, type SettingsNotice } from '../requests/model/notices/notice.ts';
import { isOutdatedBy, type Pause } from '../requests/model/pause.ts';
import type { InForce, Settings } from '../requests/ports/ports.ts';
import { audited } from '../requests/store/audit-trail.ts';
import { noticeEntry } from '../requests/store/entry.ts';
import {
  GENERAL_SETTINGS,
  type GeneralSettings,
  type SettingName,
  type SettingsRecord,
} from './settings-record.ts';

/** The version of the settings that a form showed; undefined: nothing was set. */
export type Shown = number | undefined;

/**
 * `conflict`: the settings have changed since they were shown, and nothing was saved. A form may stay open for any time,
 * and must not revert what it did not show. `names`: the settings that would have changed. `version`: after the save.
 * `changed`: what the save has changed. `notices`: those that were written with it, to be woken.
 */
export type Saved =
  | { type: 'saved'; version: number; changed: ChangedSettings; notices: readonly RecordRef[] }
  | { type: 'unchanged' }
  | { type: 'conflict'; names: SettingName[] };

export type SettingsStore = {
  /**
   * @throws if the settings can't be read: then it is unknown who may create requests, and nobody may (promise 10)
   */
  read(workspace: string): Promise<Settings>;
  /** The same, with the version of the record. @throws as above */
  inForce(workspace: string): Promise<InForce>;
  /** Changes the named settings and leaves the rest; undefined removes a setting. */
  change(workspace: string, change: Partial<Settings>): Promise<void>;
  /** Saves what an admin (`by`) has entered into a form. */
  save(workspace: string, given: GeneralSettings, shown: Shown, by: string): Promise<Saved>;
  savePolicy(workspace: string, policy: KindPolicy, shown: Shown, by: string): Promise<Saved>;
  /** Pauses sending, unless it is paused. A click that is older than the one that resumed sending changes nothing. */
  pause(workspace: string, click: Omit<Pause, 'at'>): Promise<PauseChanged>;
  /** Ends the pause, if there is one. A click that is older than the pause changes nothing. */
  resume(workspace: string, click: Omit<Pause, 'at'>): Promise<PauseChanged>;
  /** Replaces the id of a channel. */
  renameChannel(workspace: string, from: string, to: string): Promise<void>;
  forget(workspace: string): Promise<void>;
};

/** `isNew`: whether anything was changed. `former`: the version until then. */
type PauseChanged = { isNew: boolean; former: Shown } & InForce;

/** `policy` undefined: the kind needs no approval. */
type KindPolicy = { kind: Kind; policy: Policy | undefined };

/** The stored settings. `now`: the moment of reading; undefined: nothing is stored. */
type Current = InForce & { now: number | undefined };

const NOTHING_SET: Current = { settings: {}, version: undefined, now: undefined };

export function createSettingsStore(records: RecordStore<SettingsRecord>): SettingsStore {
  async function read(workspace: string): Promise<Current> {
    const found = await records.get({ workspace, id: SETTINGS_ID });
    if (!found) return NOTHING_SET;
    const { settings, version } = found.record;
    return { settings, version, now: found.now };
  }

  async function inForce(workspace: string): Promise<InForce> {
    const { settings, version } = await read(workspace);
    return { settings, version };
  }

  /** @param decide what to write and to return; called again after a conflict */
  async function change<T>(workspace: string, decide: (current: Current) => Decided<T>): Promise<T> {
    for (;;) {
      const current = await read(workspace);
      const decided = decide(current);
      if (decided.type === 'keep') return decided.result;
      const { version: former, now } = current;
      const writing = { workspace, former, at: now ?? (await records.now()) };
      const notices = decided.notices?.(writing) ?? [];
      const further = [...audited(decided.acts?.(writing) ?? []), ...notices.map(asFurther)];
      const version = await write(records, { workspace, former, settings: decided.next, further });
      if (version !== undefined) return decided.result(version, notices);
    }
  }

  return {
    read: async (workspace) => (await read(workspace)).settings,
    inForce,
    change: (workspace, changed) =>
      change(workspace, ({ settings }) => ({
        type: 'write',
        next: { ...settings, ...changed },
        result: () => undefined,
      })),
    save: (workspace, given, shown, by) =>
      change(workspace, (current) => merged(current, given, { shown, by })),
    savePolicy: (workspace, policy, shown, by) =>
      change(workspace, (current) => withPolicy(current, policy, { shown, by })),
    async pause(workspace, click) {
      const at = await records.now();
      return change(workspace, (current) => withPause(current, { ...click, at }));
    },
    async resume(workspace, click) {
      const at = await records.now();
      return change(workspace, (current) => withoutPause(current, { ...click, at }));
    },
    renameChannel: (workspace, from, to) =>
      change(workspace, ({ settings }) =>
        channelsIn(settings).includes(from)
          ? { type: 'write', next: withChannel(settings, from, to), result: () => undefined }
          : { type: 'keep', result: undefined },
      ),
    forget: async (workspace) => void (await records.remove({ workspace, id: SETTINGS_ID })),
  };
}

/** @returns the version that was written; undefined: somebody else has written meanwhile */
async function write(
  records: RecordStore<SettingsRecord>,
  {
    workspace,
    former,
    settings,
    further,
  }: { workspace: string; former: Shown; settings: Settings; further: Further[] },
): Promise<number | undefined> {
  const record: SettingsRecord = { workspace, id: SETTINGS_ID, version: former ?? NOT_STORED, settings };
  const entry = { record, subjects: [], at: 0, slot: undefined, dueAt: undefined };
  const written = await (former === undefined
    ? records.create(entry, [], further)
    : records.update(entry, former, [], further));
  return 'version' in written ? written.version : undefined;
}

const asFurther = (notice: SettingsNotice): Further => ({ type: 'notices', entry: noticeEntry(notice) });

/** A write, as its audit entries tell of it. `at`: after the former write, because its version was read with it. */
type Writing = { workspace: string; former: Shown; at: number };

/**
 * `result`: what a change returns; of a write, by the version and the notices that it has written. `acts`: what an admin did
 * by it.
 */
type Decided<T> =
  | { type: 'keep'; result: T }
  | {
      type: 'write';
      next: Settings;
      result: (version: number, notices: readonly RecordRef[]) => T;
      acts?: (writing: Writing) => NewAuditEntry[];
      notices?: (writing: Writing) => SettingsNotice[];
    };

/** A form: the version of the settings that it showed, and the admin who submitted it. */
type Form = { shown: Shown; by: string };

function merged({ settings, version }: InForce, given: GeneralSettings, form: Form): Decided<Saved> {
  const names = GENERAL_SETTINGS.filter((name) => name in given && !isSame(given[name], settings[name]));
  if (names.length === 0) return UNCHANGED;
  if (version !== form.shown) return { type: 'keep', result: { type: 'conflict', names } };
  const changed = Object.fromEntries(names.map((name) => [name, fromTo(settings[name], given[name])]));
  return saving(settings, { ...settings, ...given }, changed, form);
}

function withPolicy(
  { settings, version }: InForce,
  { kind, policy }: KindPolicy,
  form: Form,
): Decided<Saved> {
  if (isSamePolicy(policy, settings.policies?.[kind])) return UNCHANGED;
  if (version !== form.shown) return { type: 'keep', result: { type: 'conflict', names: [] } };
  const policies = { ...settings.policies, [kind]: policy };
  const changed = { [`policy of ${kind}`]: fromTo(settings.policies?.[kind], policy) };
  return saving(settings, { ...settings, policies }, changed, form);
}

const UNCHANGED: Decided<Saved> = { type: 'keep', result: { type: 'unchanged' } };

const saving = (
  before: Settings,
  next: Settings,
  changed: ChangedSettings,
  { by }: Form,
): Decided<Saved> => ({
  type: 'write',
  next,
  result: (version, written) => {
    const notices = written.map(({ workspace, id }) => ({ workspace, id }));
    return { type: 'saved', version, changed, notices };
  },
  acts: (writing) => settingsChanged({ ...writing, by }, changed),
  notices: (writing) =>
    hearing(before, next).map((channel) => newSettingsNotice({ ...writing, by, channel, changes: changed })),
});

/** The channels that hear of a change: also that which was the notifications channel until then. */
const hearing = (before: Settings, next: Settings): string[] => [
  ...new Set(
    [before, next].flatMap(({ notificationsChannel: channel }) => (channel === undefined ? [] : [channel])),
  ),
];

function withPause(current: InForce, paused: Pause): Decided<PauseChanged> {
  const { resumed, ...rest } = current.settings;
  const isSet = rest.paused !== undefined || isOutdatedBy(paused, resumed);
  return isSet ? asItIs(current) : pausing(current, { ...rest, paused }, paused, sendingPaused);
}

function withoutPause(current: InForce, click: Pause): Decided<PauseChanged> {
  const { paused: pause, ...rest } = current.settings;
  const isEnded = !pause || isOutdatedBy(click, pause);
  return isEnded
    ? asItIs(current)
    : pausing(current, { ...rest, resumed: { ...click, pause } }, click, sendingResumed);
}

const asItIs = ({ settings, version }: InForce): Decided<PauseChanged> => ({
  type: 'keep',
  result: { isNew: false, former: version, settings, version },
});

const pausing = (
  { version: former }: InForce,
  next: Settings,
  { by }: Pause,
  told: (acting: Writing & { by: string }) => NewAuditEntry,
): Decided<PauseChanged> => ({
  type: 'write',
  next,
  result: (version) => ({ isNew: true, former, settings: next, version }),
  acts: (writing) => [told({ ...writing, by })],
});

const fromTo = (from: unknown, to: unknown) => ({ from: from ?? null, to: to ?? null });

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const channelsIn = ({ notificationsChannel, policies = {} }: Settings) => [
  notificationsChannel,
  ...Object.values(policies).map((policy) => policy?.channel),
];

function withChannel(settings: Settings, from: string, to: string): Settings {
  const { notificationsChannel, policies = {} } = settings;
  const renamed = Object.entries(policies).map(([kind, policy]) => [
    kind,
    policy?.channel === from ? { ...policy, channel: to } : policy,
  ]);
  return {
    ...settings,
    ...(notificationsChannel === from ? { notificationsChannel: to } : {}),
    ...(settings.policies ? { policies: Object.fromEntries(renamed) } : {}),
  };
}
