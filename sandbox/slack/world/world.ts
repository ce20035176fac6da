/** The whole state of a Slack, its changes, and the timestamps of messages. */
import { createFeed } from '../../lib/feed.ts';
import type { AppSettings } from '../options.ts';
import type {
  AccessToken,
  Channel,
  Enterprise,
  Ephemeral,
  HomePage,
  Installation,
  Message,
  OAuthCode,
  RefreshToken,
  ResponseUrl,
  Team,
  Trigger,
  User,
  UserGroup,
  View,
} from './types.ts';

/** The whole state of a Slack. One world can hold several workspaces, and one app that is installed in them. */
export type World = ReturnType<typeof createWorld>;

/** Slack's own (https://docs.slack.dev/interactivity/handling-user-interaction): a trigger opens a view within three seconds. */
const TRIGGER_MS = 3_000;

/** @param triggerMs the time within which a trigger opens a view */
export function createWorld(now: () => number, app: AppSettings, triggerMs = TRIGGER_MS) {
  let ids = 0;
  return {
    enterprises: new Map<string, Enterprise>(),
    teams: new Map<string, Team>(),
    users: new Map<string, User>(),
    channels: new Map<string, Channel>(),
    userGroups: new Map<string, UserGroup>(),
    app,
    /** By team, or by organization. */
    installations: new Map<string, Installation>(),
    accessTokens: new Map<string, AccessToken>(),
    refreshTokens: new Map<string, RefreshToken>(),
    oauthCodes: new Map<string, OAuthCode>(),
    ephemerals: [] as Ephemeral[],
    views: new Map<string, View>(),
    /** By installation and user (views/views.ts). */
    homes: new Map<string, HomePage>(),
    /** By user: the ids of the views in the open modal, the root first. */
    modals: new Map<string, string[]>(),
    triggers: new Map<string, Trigger>(),
    triggerMs,
    responseUrls: new Map<string, ResponseUrl>(),
    now,
    nextTs: createTimestamps(now),
    /** Returns a new id: `nextId('C')` is a channel's. */
    nextId: (prefix: string) => {
      ids += 1;
      return `${prefix}0${ids.toString(36).toUpperCase().padStart(8, '0')}`;
    },
    changes: createFeed<WorldChange>(),
  };
}

/** A change in the workspace, the source of events to apps and of live views. */
export type WorldChange =
  | { type: 'message_posted'; message: Message }
  | { type: 'message_changed'; message: Message; previous: Message }
  | { type: 'message_deleted'; message: Message }
  | { type: 'ephemeral'; ephemeral: Ephemeral }
  | { type: 'reaction_added' | 'reaction_removed'; message: Message; user: string; reaction: string }
  | { type: 'member_joined' | 'member_left'; channel: Channel; user: string }
  | { type: 'channel_created' | 'channel_archived' | 'channel_unarchived'; channel: Channel }
  | { type: 'channel_shared'; channel: Channel; team: string }
  /** `from`: its former id. */
  | { type: 'channel_moved'; from: string; channel: Channel }
  /** `copy`: the channel that the former guest workspace has instead. */
  | { type: 'channel_unshared'; channel: Channel; team: string; copy: Channel }
  | { type: 'user_changed'; user: User }
  | { type: 'user_group_changed'; group: UserGroup; added: string[]; removed: string[] }
  | { type: 'app_installed' | 'app_uninstalled' | 'tokens_revoked'; installation: Installation }
  | {
      type: 'team_access_granted' | 'team_access_revoked';
      installation: Installation;
      teams: readonly string[];
    }
  | { type: 'view'; user: string }
  | { type: 'home_opened' | 'home_published'; user: string };

/** Creates a source of strictly increasing message timestamps, in Slack's format of seconds and microseconds. */
function createTimestamps(now: () => number): () => string {
  let last = 0;
  return () => {
    last = Math.max(last + 1, now() * 1000);
    return formatTs(last);
  };
}

const formatTs = (micros: number) =>
  `${Math.floor(micros / 1_000_000)}.${String(micros % 1_000_000).padStart(6, '0')}`;

/** Compares two timestamps of any precision; a double is too coarse for them. */
export function compareTs(one: string, other: string): number {
  const [a, b] = [parseTs(one), parseTs(other)];
  return a.seconds - b.seconds || a.micros - b.micros;
}

function parseTs(ts: string) {
  const [seconds, fraction = ''] = ts.split('.');
  return { seconds: Number(seconds), micros: Number(fraction.padEnd(6, '0')) };
}

export const isTs = (text: string): boolean => /^\d{1,12}(\.\d{1,6})?$/.test(text);
