/** What the admins of a workspace have decided about the bot. */
import type Keyv from 'keyv';
import { z } from 'zod';
import { Policy } from '../requests/approvals/policy.ts';
import { KIND_NAMES } from '../requests/kinds.ts';
import type { Settings as SettingsPort } from '../requests/ports.ts';

const Settings = z.object({
  askers: z.string().optional(),
  notificationsChannel: z.string().optional(),
  reasons: z.array(z.string()).optional(),
  orderIdPattern: z.string().optional(),
  sharedChannels: z.boolean().optional(),
  policies: z.partialRecord(z.enum(KIND_NAMES), Policy).optional(),
}) satisfies z.ZodType<SettingsPort>;
export type Settings = z.infer<typeof Settings>;

export type SettingsStore = {
  /** @throws where the settings can't be read: who may ask is then unknown, and nobody may (invariant 10) */
  read(workspace: string): Promise<Settings>;
  /** Changes what is named, and leaves the rest; undefined takes a setting back. */
  change(workspace: string, change: Partial<Settings>): Promise<void>;
  /** A channel has another id now. */
  renameChannel(workspace: string, from: string, to: string): Promise<void>;
  forget(workspace: string): Promise<void>;
};

export function createSettingsStore(store: Keyv): SettingsStore {
  const read = async (workspace: string) => Settings.parse((await store.get(workspace)) ?? {});
  const write = async (workspace: string, settings: Settings) => void (await store.set(workspace, settings));
  return {
    read,
    change: async (workspace, change) => write(workspace, { ...(await read(workspace)), ...change }),
    async renameChannel(workspace, from, to) {
      const settings = await read(workspace);
      if (channelsIn(settings).includes(from)) await write(workspace, withChannel(settings, from, to));
    },
    forget: async (workspace) => void (await store.delete(workspace)),
  };
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
