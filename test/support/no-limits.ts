/** A Slack that takes any number of calls, and a bot that goes by that: only tests of the limits wait for them. */
import type { RateLimits } from '../../sandbox/slack/options.ts';

export const NO_LIMITS: Partial<RateLimits> = {
  perMinute: { 1: 1e9, 2: 1e9, 3: 1e9, 4: 1e9 },
  posts: { burst: 1e9, perSecond: 1e9 },
  postsOfWorkspace: 1e9,
};

/** For the environment of the bot. */
export const NO_PACE = { SLACK_POSTS_PER_MINUTE: '60000' };
