import type { Journal } from '../lib/http/journal.ts';
import type { RateLimits } from './api/limits.ts';

/** How Slack is to behave; every field but the journal has a default. */
export type SlackOptions = {
  journal: Journal;
  port?: number;
  signingSecret?: string;
  /** The clock of the world: triggers, response_urls, rate limits and timestamps go by it. */
  now?: () => number;
  /** What is left out is as Slack has it. */
  limits?: Partial<RateLimits>;
  /** How long Slack waits for an acknowledgement (3 s). */
  ackTimeoutMs?: number;
  /** When an event that was not acknowledged is sent again (at once, after 1 min, after 5 min). */
  redeliveryDelaysMs?: readonly number[];
  /** The bot events of the app's manifest; left out: none. */
  subscriptions?: readonly string[];
  /** The bot scopes of the app's manifest, granted wherever it is installed; left out: `DEFAULT_SCOPES`. */
  scopes?: readonly string[];
  /** The app's credentials for OAuth; left out: some are made up. */
  clientId?: string;
  clientSecret?: string;
  /** Of the app's manifest: where people may be sent back to (left out: anywhere), … */
  redirectUrls?: readonly string[];
  /** … whether tokens expire (left out: no), and whether it may be installed in a whole organization (left out: yes). */
  tokenRotation?: boolean;
  orgDeploy?: boolean;
  /** Whether the app's manifest has the messages tab on (left out: yes). */
  messagesTab?: boolean;
  /** Whether the app is distributed commercially outside the Marketplace (left out: no). */
  outsideMarketplace?: boolean;
  /** How many items the pages of every list hold at most, in turn (left out: as many as were asked for). */
  shortPages?: readonly number[];
  /** Whether the app is installed in the seeded workspace at the start (left out: yes). */
  installed?: boolean;
  /** Whether there is an organization with two workspaces, too (left out: no). */
  enterprise?: boolean;
  /** The commands and shortcuts of the app's manifest; left out: any. */
  commands?: readonly string[];
  shortcuts?: readonly string[];
};
