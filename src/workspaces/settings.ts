/** Stores the settings that the admins of a workspace have made: one record, which holds nothing else. */
import { z } from 'zod';
import { isSamePolicy, Policy } from '../requests/model/approvals/policy.ts';
import { KIND_NAMES, type Kind } from '../requests/model/kinds.ts';
import { isOutdatedBy, Pause, Resumption } from '../requests/model/pause.ts';
import { HIGHEST_LIMIT } from '../requests/model/recent-requests.ts';
import { NOT_STORED } from '../requests/model/stored.ts';
import type { InForce, Settings } from '../requests/ports/ports.ts';
import { type RecordStore, SETTINGS_ID } from '../requests/ports/record-store.ts';

const General = z.object({
  requesters: z.string().optional(),
  admins: z.string().optional(),
  notificationsChannel: z.string().optional(),
  reasons: z.array(z.string()).optional(),
  orderIdPattern: z.string().optional(),
  sharedChannels: z.boolean().optional(),
  requestsPerHour: z.union([z.number().int().min(1).max(HIGHEST_LIMIT), z.literal('unlimited')]).optional(),
});
/** The settings of one form, those that it shows; each policy has a form of its own. */
export type GeneralSettings = z.infer<typeof General>;
export type SettingName = keyof GeneralSettings;
const NAMES = General.keyof().options;

const Stored: z.ZodType<Settings> = General.extend({
  policies: z.partialRecord(z.enum(KIND_NAMES), Policy).optional(),
  paused: Pause.optional(),
  resumed: Resumption.optional(),
});

const Shape = z.object({
  workspace: z.string(),
  id: z.literal(SETTINGS_ID),
  version: z.number(),
  settings: Stored,
});
export type SettingsRecord = z.infer<typeof Shape>;
export const SettingsRecord: z.ZodType<SettingsRecord> = Shape;

/** The version of the settings that a form showed; undefined: nothing was set. */
export type Shown = number | undefined;

/**
 * `conflict`: the settings have changed since they were shown, and nothing was saved. A form may stay open for any time,
 * and must not revert what it did not show. `names`: the settings that would have changed. `version`: after the save.
 * `changed`: what the save has changed.
 */
export type Saved =
  | { type: 'saved'; version: number; changed: Changed }
  | { type: 'unchanged' }
  | { type: 'conflict'; names: SettingName[] };

/** The settings that a save has changed, by name; null: not set. */
type Changed = Readonly<Record<string, { from: unknown; to: unknown }>>;

export type SettingsStore = {
  /**
   * @throws if the settings can't be read: then it is unknown who may create requests, and nobody may (promise 10)
   */
  read(workspace: string): Promise<Settings>;
  /** The same, with the version of the record. @throws as above */
  inForce(workspace: string): Promise<InForce>;
  /** Changes the named settings and leaves the rest; undefined removes a setting. */
  change(workspace: string, change: Partial<Settings>): Promise<void>;
  /** Saves what an admin has entered into a form. */
  save(workspace: string, given: GeneralSettings, shown: Shown): Promise<Saved>;
  savePolicy(workspace: string, policy: KindPolicy, shown: Shown): Promise<Saved>;
  /** Pauses sending, unless it is paused. A click that is older than the one that resumed sending changes nothing. */
  pause(workspace: string, click: Omit<Pause, 'at'>): Promise<PauseChanged>;
  /** Ends the pause, if there is one. A click that is older than the pause changes nothing. */
  resume(workspace: string, click: Omit<Pause, 'at'>): Promise<PauseChanged>;
  /** Replaces the id of a channel. */
  renameChannel(workspace: string, from: string, to: string): Promise<void>;
  forget(workspace: string): Promise<void>;
};

/** `isNew`: whether anything was changed. `former`: the version until then. */
export type PauseChanged = { isNew: boolean; former: Shown } & InForce;

/** `policy` undefined: the kind needs no approval. */
export type KindPolicy = { kind: Kind; policy: Policy | undefined };

const NOTHING_SET: InForce = { settings: {}, version: undefined };

export function createSettingsStore(records: RecordStore<SettingsRecord>): SettingsStore {
  async function inForce(workspace: string): Promise<InForce> {
    const found = await records.get({ workspace, id: SETTINGS_ID });
    if (!found) return NOTHING_SET;
    const { settings, version } = found.record;
    return { settings, version };
  }

  /** @returns the version that was written; undefined: somebody else has written meanwhile */
  async function write(workspace: string, settings: Settings, shown: Shown): Promise<number | undefined> {
    const record: SettingsRecord = { workspace, id: SETTINGS_ID, version: shown ?? NOT_STORED, settings };
    const entry = { record, subjects: [], at: 0, slot: undefined, dueAt: undefined };
    const written = await (shown === undefined ? records.create(entry) : records.update(entry, shown));
    return 'version' in written ? written.version : undefined;
  }

  /** @param decide what to write and to return; called again after a conflict */
  async function change<T>(workspace: string, decide: (current: InForce) => Decided<T>): Promise<T> {
    for (;;) {
      const current = await inForce(workspace);
      const decided = decide(current);
      if (decided.type === 'keep') return decided.result;
      const version = await write(workspace, decided.next, current.version);
      if (version !== undefined) return decided.result(version);
    }
  }

  return {
    read: async (workspace) => (await inForce(workspace)).settings,
    inForce,
    change: (workspace, changed) =>
      change(workspace, ({ settings }) => ({
        type: 'write',
        next: { ...settings, ...changed },
        result: () => undefined,
      })),
    save: (workspace, given, shown) => change(workspace, (current) => merged(current, given, shown)),
    savePolicy: (workspace, policy, shown) =>
      change(workspace, (current) => withPolicy(current, policy, shown)),
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

/** `result`: what a change returns; of a write, by the version that it has written. */
type Decided<T> =
  | { type: 'keep'; result: T }
  | { type: 'write'; next: Settings; result: (version: number) => T };

function merged({ settings, version }: InForce, given: GeneralSettings, shown: Shown): Decided<Saved> {
  const names = NAMES.filter((name) => name in given && !isSame(given[name], settings[name]));
  if (names.length === 0) return UNCHANGED;
  if (version !== shown) return { type: 'keep', result: { type: 'conflict', names } };
  const changed = Object.fromEntries(names.map((name) => [name, fromTo(settings[name], given[name])]));
  return saving({ ...settings, ...given }, changed);
}

function withPolicy(
  { settings, version }: InForce,
  { kind, policy }: KindPolicy,
  shown: Shown,
): Decided<Saved> {
  if (isSamePolicy(policy, settings.policies?.[kind])) return UNCHANGED;
  if (version !== shown) return { type: 'keep', result: { type: 'conflict', names: [] } };
  const policies = { ...settings.policies, [kind]: policy };
  return saving(
    { ...settings, policies },
    { [`policy of ${kind}`]: fromTo(settings.policies?.[kind], policy) },
  );
}

const UNCHANGED: Decided<Saved> = { type: 'keep', result: { type: 'unchanged' } };

const saving = (next: Settings, changed: Changed): Decided<Saved> => ({
  type: 'write',
  next,
  result: (version) => ({ type: 'saved', version, changed }),
});

function withPause(current: InForce, paused: Pause): Decided<PauseChanged> {
  const { resumed, ...rest } = current.settings;
  const isSet = rest.paused !== undefined || isOutdatedBy(paused, resumed);
  return isSet ? asItIs(current) : pausing(current, { ...rest, paused });
}

function withoutPause(current: InForce, click: Pause): Decided<PauseChanged> {
  const { paused: pause, ...rest } = current.settings;
  const isEnded = !pause || isOutdatedBy(click, pause);
  return isEnded ? asItIs(current) : pausing(current, { ...rest, resumed: { ...click, pause } });
}

const asItIs = (current: InForce): Decided<PauseChanged> => ({
  type: 'keep',
  result: { isNew: false, former: current.version, ...current },
});

const pausing = ({ version: former }: InForce, next: Settings): Decided<PauseChanged> => ({
  type: 'write',
  next,
  result: (version) => ({ isNew: true, former, settings: next, version }),
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
