import { createFeed, type Feed } from '../../lib/feed.ts';
import type { AppSettings } from './app-settings.ts';
import type { WorldChange } from './changes.ts';
import { createTimestamps } from './timestamps.ts';
import type {
  AccessToken,
  Channel,
  Enterprise,
  Ephemeral,
  HomePage,
  Installation,
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
export type World = {
  enterprises: Map<string, Enterprise>;
  teams: Map<string, Team>;
  users: Map<string, User>;
  channels: Map<string, Channel>;
  userGroups: Map<string, UserGroup>;
  app: AppSettings;
  /** By team, or by organization. */
  installations: Map<string, Installation>;
  /** By the token itself. */
  accessTokens: Map<string, AccessToken>;
  refreshTokens: Map<string, RefreshToken>;
  oauthCodes: Map<string, OAuthCode>;
  ephemerals: Ephemeral[];
  views: Map<string, View>;
  /** By installation and user (views/home.ts). */
  homes: Map<string, HomePage>;
  /** By user: the ids of the views in the open modal, the root first. */
  modals: Map<string, string[]>;
  triggers: Map<string, Trigger>;
  /** By path. */
  responseUrls: Map<string, ResponseUrl>;
  now(): number;
  nextTs(): string;
  /** Returns a new id: `nextId('C')` is a channel's. */
  nextId(prefix: string): string;
  changes: Feed<WorldChange>;
};

/** Creates an empty world. */
export function createWorld(now: () => number, app: AppSettings): World {
  let ids = 0;
  return {
    enterprises: new Map(),
    teams: new Map(),
    users: new Map(),
    channels: new Map(),
    userGroups: new Map(),
    app,
    installations: new Map(),
    accessTokens: new Map(),
    refreshTokens: new Map(),
    oauthCodes: new Map(),
    ephemerals: [],
    views: new Map(),
    homes: new Map(),
    modals: new Map(),
    triggers: new Map(),
    responseUrls: new Map(),
    now,
    nextTs: createTimestamps(now),
    nextId: (prefix) => {
      ids += 1;
      return `${prefix}0${ids.toString(36).toUpperCase().padStart(8, '0')}`;
    },
    changes: createFeed(),
  };
}
