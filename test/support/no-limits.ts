/** Lifts the rate limits of the local Slack and of the bot: only tests of these limits wait for them. */
import type { RateLimits, SlackOptions } from '../../sandbox/slack/options.ts';

export const NO_LIMITS: Partial<RateLimits> = {
  perMinute: { 1: 1e9, 2: 1e9, 3: 1e9, 4: 1e9 },
  posts: { burst: 1e9, perSecond: 1e9 },
  postsOfWorkspace: 1e9,
};

/** Variables for the bot's environment. */
export const NO_PACE = { SLACK_POSTS_PER_MINUTE: '60000' };

/** Has Slack wait for an acknowledgement and a view for longer than its own three seconds, as a busy machine is slow. */
export const PATIENT: Pick<SlackOptions, 'ackTimeoutMs' | 'triggerMs'> = {
  ackTimeoutMs: 10_000,
  triggerMs: 60_000,
};
