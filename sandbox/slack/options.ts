/** The options of a local Slack, and the settings of the app, which may be changed while it runs. */
import type { Journal } from '../lib/http/journal.ts';

/** The settings of Slack and of the app; every field but the journal has a default. */
export type SlackOptions = Partial<AppSettings> & {
  journal: Journal;
  port?: number;
  signingSecret?: string;
  /** The clock of the world, for triggers, response_urls, rate limits and timestamps. */
  now?: () => number;
  /** The clock of the signatures; left out: the real one, because the app compares it with its own. */
  signedAt?: () => number;
  /** Overrides of Slack's own limits. */
  limits?: Partial<RateLimits>;
  /** The time that Slack waits for an acknowledgement (3 s). */
  ackTimeoutMs?: number;
  /** The time within which a trigger opens a view (3 s). */
  triggerMs?: number;
  /** The delays of the retries of an event that was not acknowledged (at once, after 1 min, after 5 min). */
  redeliveryDelaysMs?: readonly number[];
  /** The bot events of the app's manifest; left out: none. */
  subscriptions?: readonly string[];
  /** Whether the app is installed in the seeded workspace at the start (left out: yes). */
  installed?: boolean;
  /** Whether there is an organization with two workspaces, too (left out: no). */
  enterprise?: boolean;
  /** The commands and shortcuts of the app's manifest; left out: any. */
  commands?: readonly string[];
  shortcuts?: readonly string[];
};

export type RateLimits = {
  /** Calls a minute, by tier; a burst may use the calls of a whole minute. */
  perMinute: { 1: number; 2: number; 3: number; 4: number };
  /** Messages to one channel: `burst` at once, then `perSecond`. */
  posts: { burst: number; perSecond: number };
  /** Messages a minute to all channels of a workspace together. */
  postsOfWorkspace: number;
  /** Calls a minute of single methods. */
  methods: Record<string, number>;
};

/** The settings of the app, mostly of its manifest, and how Slack serves it. */
export type AppSettings = {
  clientId: string;
  clientSecret: string;
  /** The bot scopes of the manifest, which the app gets wherever an admin installs it. */
  scopes: readonly string[];
  /** The addresses that a person may be sent back to; undefined: any. */
  redirectUrls?: readonly string[] | undefined;
  /** Whether tokens expire (token_rotation_enabled). */
  tokenRotation: boolean;
  tokenLifetimeSeconds: number;
  /** Whether it may be installed in a whole organization (org_deploy_enabled). */
  orgDeploy: boolean;
  /** Whether its Home tab is on (features.app_home.home_tab_enabled); without it, it can't publish pages. */
  homeTab: boolean;
  /** Whether its messages tab is on (features.app_home.messages_tab_enabled), as its bot's direct messages need it. */
  messagesTab: boolean;
  /**
   * Whether it is distributed commercially outside the Marketplace: its access to message histories is then limited
   * (`api/limits.ts`).
   */
  outsideMarketplace: boolean;
  /**
   * The most items on a page of a list: a number for each page in turn, then from the first again; empty: as many as were
   * requested. "Fewer than the requested number of items may be returned, even if the end of the list hasn't been
   * reached" (https://docs.slack.dev/reference/methods/conversations.history, and every other method with a cursor).
   */
  shortPages: readonly number[];
  /**
   * The workspace that an interaction names to an installation of an organization, as its person's and its view's: the one in
   * which they act, or their own wherever they act. No page says which; the second was seen for clicks
   * (https://github.com/slackapi/bolt-js/issues/1875).
   */
  namedTeam: 'acting' | 'own';
};
