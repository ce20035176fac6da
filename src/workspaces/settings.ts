/** Stores the settings that the admins of a workspace have made. */
import { createHash } from 'node:crypto';
import type Keyv from 'keyv';
import { z } from 'zod';
import { Policy } from '../requests/model/approvals/policy.ts';
import { KIND_NAMES, type Kind } from '../requests/model/kinds.ts';
import type { LockOptions, Locks } from '../requests/ports/locks.ts';
import type { Settings as SettingsPort } from '../requests/ports/ports.ts';
import { perObject } from './per-object.ts';
import { lockedRow } from './rows.ts';

const General = z.object({
  requesters: z.string().optional(),
  notificationsChannel: z.string().optional(),
  reasons: z.array(z.string()).optional(),
  orderIdPattern: z.string().optional(),
  sharedChannels: z.boolean().optional(),
});
/** The settings of one form; each policy has a form of its own. */
export type GeneralSettings = z.infer<typeof General>;
export type SettingName = keyof GeneralSettings;
const NAMES = General.keyof().options;

const Settings = General.extend({
  policies: z.partialRecord(z.enum(KIND_NAMES), Policy).optional(),
}) satisfies z.ZodType<SettingsPort>;
export type Settings = z.infer<typeof Settings>;

/**
 * The settings as a form showed them. A form may stay open for any time, and saving it must not revert another admin's
 * changes.
 */
export type Shown = Partial<Record<SettingName, string>>;

/** `conflict`: somebody else has changed these settings since they were shown, and nothing was saved. */
export type Saved<Name = SettingName> = { type: 'saved' | 'unchanged' } | { type: 'conflict'; names: Name[] };

export type SettingsStore = {
  /**
   * @throws if the settings can't be read: then it is unknown who may create requests, and nobody may (promise 10)
   */
  read(workspace: string): Promise<Settings>;
  /** Changes the named settings and leaves the rest; undefined removes a setting. */
  change(workspace: string, change: Partial<Settings>): Promise<void>;
  /** Saves the changes that an admin made in a form that showed `shown`. */
  save(workspace: string, given: GeneralSettings, shown: Shown): Promise<Saved>;
  /** @param shown the digest of the policy that the form showed */
  savePolicy(workspace: string, policy: KindPolicy, shown: string): Promise<Saved<Kind>>;
  /** Replaces the id of a channel. */
  renameChannel(workspace: string, from: string, to: string): Promise<void>;
  forget(workspace: string): Promise<void>;
};

/** `policy` undefined: the kind needs no approval. */
export type KindPolicy = { kind: Kind; policy: Policy | undefined };

/** Slack waits 3 s for the result of a form. */
const LOCK_OPTIONS: LockOptions = { ttlMs: 5_000, timeoutMs: 1_500 };

const NOTHING_SET = {};

export function createSettingsStore(store: Keyv, locks: Locks): SettingsStore {
  const withLock = lockedRow(locks, 'settings', LOCK_OPTIONS);
  const parse = perObject((value: object) => Settings.parse(value));
  const read = async (workspace: string) => parse((await store.get<object>(workspace)) ?? NOTHING_SET);

  /** @param decide returns the same settings if there is nothing to write */
  async function change<T>(workspace: string, decide: (current: Settings) => { next: Settings; result: T }) {
    return withLock(workspace, async (lease) => {
      const current = await read(workspace);
      const { next, result } = decide(current);
      if (next !== current) await lease.write(() => store.set(workspace, next));
      return result;
    });
  }

  return {
    read,
    change: (workspace, changed) =>
      change(workspace, (current) => ({ next: { ...current, ...changed }, result: undefined })),
    save: (workspace, given, shown) => change(workspace, (current) => merge(current, given, shown)),
    savePolicy: (workspace, policy, shown) =>
      change(workspace, (current) => mergePolicy(current, policy, shown)),
    renameChannel: (workspace, from, to) =>
      change(workspace, (current) => ({
        next: channelsIn(current).includes(from) ? withChannel(current, from, to) : current,
        result: undefined,
      })),
    forget: (workspace) => withLock(workspace, async () => void (await store.delete(workspace))),
  };
}

/** Short, because a form carries several, but long enough that no two values of a setting share one. */
const digestOf = (value: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('base64url')
    .slice(0, 16);

export function shownOf(settings: GeneralSettings): Required<Shown> {
  const digests = NAMES.map((name) => [name, digestOf(settings[name])]);
  return Object.fromEntries(digests);
}

/**
 * Digests a policy. It is parsed first for a stable order of keys. `setBy` is left out: setting the same policy again
 * is no change, whoever does it.
 */
export const shownPolicy = (policy: Policy | undefined): string =>
  digestOf(policy && { ...Policy.parse(policy), setBy: '' });

function merge(current: Settings, given: GeneralSettings, shown: Shown): { next: Settings; result: Saved } {
  const [mine, now] = [shownOf(given), shownOf(current)];
  const changed = NAMES.filter((name) => mine[name] !== shown[name] && mine[name] !== now[name]);
  const names = changed.filter((name) => now[name] !== shown[name]);
  if (names.length > 0) return { next: current, result: { type: 'conflict', names } };
  if (changed.length === 0) return { next: current, result: { type: 'unchanged' } };
  const values = Object.fromEntries(changed.map((name) => [name, given[name]]));
  return { next: { ...current, ...values }, result: { type: 'saved' } };
}

function mergePolicy(
  current: Settings,
  { kind, policy }: KindPolicy,
  shown: string,
): { next: Settings; result: Saved<Kind> } {
  const now = shownPolicy(current.policies?.[kind]);
  if (shownPolicy(policy) === now) return { next: current, result: { type: 'unchanged' } };
  if (now !== shown) return { next: current, result: { type: 'conflict', names: [kind] } };
  const policies = { ...current.policies, [kind]: policy };
  return { next: { ...current, policies }, result: { type: 'saved' } };
}

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
