import type { Journal } from '../lib/http/journal.ts';
import type { AppSettings } from './world/app/settings.ts';

/** The settings of Slack and of the app; every field but the journal has a default. */
export type SlackOptions = Partial<AppSettings> & {
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
