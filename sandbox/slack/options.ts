import type { Journal } from '../lib/http/journal.ts';

/** The settings of Slack; every field but the journal has a default. */
export type SlackOptions = {
  journal: Journal;
  port?: number;
  signingSecret?: string;
  /** The clock of the world, for triggers, response_urls, rate limits and timestamps. */
  now?: () => number;
  /** The clock of the signatures (left out: the real one, because the app compares it with its own clock). */
  signedAt?: () => number;
  /** Overrides of Slack's own limits. */
  limits?: Partial<RateLimits>;
  /** The time that Slack waits for an acknowledgement (3 s). */
  ackTimeoutMs?: number;
  /** The delays of the retries of an event that was not acknowledged (at once, after 1 min, after 5 min). */
  redeliveryDelaysMs?: readonly number[];
  /** The bot events of the app's manifest; left out: none. */
  subscriptions?: readonly string[];
  /** The bot scopes of the app's manifest, granted wherever it is installed; left out: `DEFAULT_SCOPES`. */
  scopes?: readonly string[];
  /** The app's credentials for OAuth; left out: generated. */
  clientId?: string;
  clientSecret?: string;
  /** The redirect URLs of the app's manifest (left out: any address). */
  redirectUrls?: readonly string[];
  /** Whether tokens expire (left out: no), and whether the app can be installed in a whole organization (left out: yes). */
  tokenRotation?: boolean;
  orgDeploy?: boolean;
  /** Whether the app's manifest has the Home tab on (left out: yes). */
  homeTab?: boolean;
  /** Whether the app's manifest has the messages tab on (left out: yes). */
  messagesTab?: boolean;
  /** Whether the app is distributed commercially outside the Marketplace (left out: no). */
  outsideMarketplace?: boolean;
  /** The most items that the pages of every list hold, in turn (left out: as many as were asked for). */
  shortPages?: readonly number[];
  /** Whether the app is installed in the seeded workspace at the start (left out: yes). */
  installed?: boolean;
  /** Whether there is an organization with two workspaces, too (left out: no). */
  enterprise?: boolean;
  /** The commands and shortcuts of the app's manifest; left out: any. */
  commands?: readonly string[];
  shortcuts?: readonly string[];
};

/** The rate limits of Slack. */
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
