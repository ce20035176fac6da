/** What the admins of a workspace have decided about the bot. */
import { createHash } from 'node:crypto';
import type Keyv from 'keyv';
import { z } from 'zod';
import { Policy } from '../requests/model/approvals/policy.ts';
import { KIND_NAMES, type Kind } from '../requests/model/kinds.ts';
import type { Locks, Patience } from '../requests/ports/locks.ts';
import type { Settings as SettingsPort } from '../requests/ports/ports.ts';
import { perObject } from './per-object.ts';
import { lockedRow } from './rows.ts';

const General = z.object({
  askers: z.string().optional(),
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
 * How a setting was when a form showed it. A form may be open for as long as somebody likes, and whoever saves it must
 * not take back what another admin has changed meanwhile.
 */
export type Shown = Partial<Record<SettingName, string>>;

/** `overtaken`: somebody else has changed these since they were shown, and nothing was saved. */
export type Saved<Name = SettingName> =
  | { type: 'saved' | 'unchanged' }
  | { type: 'overtaken'; names: Name[] };

export type SettingsStore = {
  /** @throws where the settings can't be read: who may ask is then unknown, and nobody may (invariant 10) */
  read(workspace: string): Promise<Settings>;
  /** Changes what is named, and leaves the rest; undefined takes a setting back. */
  change(workspace: string, change: Partial<Settings>): Promise<void>;
  /** Changes what an admin has changed in a form that showed `shown`. */
  save(workspace: string, given: GeneralSettings, shown: Shown): Promise<Saved>;
  /** @param shown the digest of the policy that the form showed */
  savePolicy(workspace: string, policy: KindPolicy, shown: string): Promise<Saved<Kind>>;
  /** A channel has another id now. */
  renameChannel(workspace: string, from: string, to: string): Promise<void>;
  forget(workspace: string): Promise<void>;
};

/** `policy` undefined: the kind needs no approval. */
export type KindPolicy = { kind: Kind; policy: Policy | undefined };

/** Slack waits 3 s for what a form has led to. */
const PATIENCE: Patience = { heldMs: 5_000, waitMs: 1_500 };

const NOTHING_SET = {};

export function createSettingsStore(store: Keyv, locks: Locks): SettingsStore {
  const alone = lockedRow(locks, 'settings', PATIENCE);
  const parse = perObject((value: object) => Settings.parse(value));
  const read = async (workspace: string) => parse((await store.get<object>(workspace)) ?? NOTHING_SET);

  /** @param decide gives back the same settings where there is nothing to write */
  async function change<T>(workspace: string, decide: (standing: Settings) => { next: Settings; result: T }) {
    return alone(workspace, async (lease) => {
      const standing = await read(workspace);
      const { next, result } = decide(standing);
      if (next !== standing) {
        lease.check();
        await store.set(workspace, next);
      }
      return result;
    });
  }

  return {
    read,
    change: (workspace, changed) =>
      change(workspace, (standing) => ({ next: { ...standing, ...changed }, result: undefined })),
    save: (workspace, given, shown) => change(workspace, (standing) => merge(standing, given, shown)),
    savePolicy: (workspace, policy, shown) =>
      change(workspace, (standing) => mergePolicy(standing, policy, shown)),
    renameChannel: (workspace, from, to) =>
      change(workspace, (standing) => ({
        next: channelsIn(standing).includes(from) ? withChannel(standing, from, to) : standing,
        result: undefined,
      })),
    forget: (workspace) => alone(workspace, async () => void (await store.delete(workspace))),
  };
}

/** Short, since a form carries several, and long enough that no two values of a setting share one. */
const digestOf = (value: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('base64url')
    .slice(0, 16);

export function shownOf(settings: GeneralSettings): Required<Shown> {
  const digests = NAMES.map((name) => [name, digestOf(settings[name])]);
  return Object.fromEntries(digests);
}

/** Parsed first, for one order of its keys. Whoever sets what is set already changes nothing, so who it was does not count. */
export const shownPolicy = (policy: Policy | undefined): string =>
  digestOf(policy && { ...Policy.parse(policy), setBy: '' });

function merge(standing: Settings, given: GeneralSettings, shown: Shown): { next: Settings; result: Saved } {
  const [mine, now] = [shownOf(given), shownOf(standing)];
  const changed = NAMES.filter((name) => mine[name] !== shown[name] && mine[name] !== now[name]);
  const names = changed.filter((name) => now[name] !== shown[name]);
  if (names.length > 0) return { next: standing, result: { type: 'overtaken', names } };
  if (changed.length === 0) return { next: standing, result: { type: 'unchanged' } };
  const values = Object.fromEntries(changed.map((name) => [name, given[name]]));
  return { next: { ...standing, ...values }, result: { type: 'saved' } };
}

function mergePolicy(
  standing: Settings,
  { kind, policy }: KindPolicy,
  shown: string,
): { next: Settings; result: Saved<Kind> } {
  const now = shownPolicy(standing.policies?.[kind]);
  if (shownPolicy(policy) === now) return { next: standing, result: { type: 'unchanged' } };
  if (now !== shown) return { next: standing, result: { type: 'overtaken', names: [kind] } };
  const policies = { ...standing.policies, [kind]: policy };
  return { next: { ...standing, policies }, result: { type: 'saved' } };
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
