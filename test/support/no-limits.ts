/** A Slack that takes any number of calls, and a bot that goes by that: only tests of the limits wait for them. */
import type { RateLimits, SlackOptions } from '../../sandbox/slack/options.ts';

export const NO_LIMITS: Partial<RateLimits> = {
  perMinute: { 1: 1e9, 2: 1e9, 3: 1e9, 4: 1e9 },
  posts: { burst: 1e9, perSecond: 1e9 },
  postsOfWorkspace: 1e9,
};

/** For the environment of the bot. */
export const NO_PACE = { SLACK_POSTS_PER_MINUTE: '60000' };

/** A busy machine is no trouble: for a late acknowledgement, and a late view, Slack waits for longer than its own three seconds. */
export const PATIENT: Pick<SlackOptions, 'ackTimeoutMs' | 'triggerMs'> = {
  ackTimeoutMs: 10_000,
  triggerMs: 60_000,
};
