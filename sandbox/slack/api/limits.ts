/**
 * The limits of the Web API: on the calls a minute, and on what some apps get of a history
 * (https://docs.slack.dev/apis/web-api/rate-limits).
 */
import type { AppSettings, RateLimits } from '../options.ts';

/**
 * Slack's rate-limit tiers: 1, 20, 50 and 100 calls a minute, by method and workspace. 'post' is chat.postMessage's own: about
 * one message a second in each channel.
 */
export type Tier = 1 | 2 | 3 | 4 | 'post' | 'unlimited';

/**
 * Slack's own limits. The burst of posts is not documented ("short bursts
 * are allowed"), nor is the number for a workspace: "several hundred messages per minute"
 * (https://docs.slack.dev/reference/methods/chat.postMessage).
 */
const SLACK_LIMITS: RateLimits = {
  perMinute: { 1: 1, 2: 20, 3: 50, 4: 100 },
  posts: { burst: 10, perSecond: 1 },
  postsOfWorkspace: 300,
  methods: {},
};

type LimitedCall = {
  team: string;
  method: string;
  tier: Tier;
  /** Counts for posts only. */
  channel?: string;
  /** Calls a minute that this app has of the method, in place of its tier's. */
  perMinute?: number | undefined;
};

export type LimitedCalls = ReturnType<typeof createLimitedCalls>;

type Bucket = { tokens: number; at: number };

/** The size of a bucket: its capacity, its rate of refill, and in `of` the channel or workspace that it counts for. */
type Size = { of: string; capacity: number; perSecond: number };

/** Creates token buckets that the clock refills, with Slack's own limits for those left out. A refused call takes no token. */
export function createLimitedCalls(limits: Partial<RateLimits>, now: () => number) {
  const buckets = new Map<string, Bucket>();
  const all = { ...SLACK_LIMITS, ...limits };
  return {
    /**
     * Counts one call of a method by a workspace (and to a channel, for posts).
     * @returns the seconds to wait if the limit is exceeded
     */
    take: (call: LimitedCall): number | undefined => {
      const filled = sizesOf(all, call).map(({ of, capacity, perSecond }) => {
        // The capacity is part of the key: an app whose limit changes starts with a full bucket.
        const key = [call.team, call.method, of, capacity].join(' ');
        const bucket = refilled(buckets.get(key), capacity, perSecond, now());
        buckets.set(key, bucket);
        return { bucket, perSecond };
      });
      const waits = filled.flatMap(({ bucket: { tokens }, perSecond }) =>
        tokens < 1 ? [Math.max(1, Math.ceil((1 - tokens) / perSecond))] : [],
      );
      if (waits.length > 0) return Math.max(...waits);
      for (const { bucket } of filled) bucket.tokens -= 1;
      return undefined;
    },
  };
}

function sizesOf(limits: RateLimits, { method, tier, channel, ...call }: LimitedCall): Size[] {
  const own = limits.methods[method] ?? call.perMinute;
  if (own !== undefined) return [perMinute(own)];
  if (tier === 'unlimited') return [];
  if (tier !== 'post') return [perMinute(limits.perMinute[tier])];
  const { burst: capacity, perSecond } = limits.posts;
  return [{ of: String(channel), capacity, perSecond }, perMinute(limits.postsOfWorkspace)];
}

const perMinute = (capacity: number): Size => ({ of: 'the workspace', capacity, perSecond: capacity / 60 });

function refilled(bucket: Bucket | undefined, capacity: number, perSecond: number, at: number): Bucket {
  if (!bucket) return { tokens: capacity, at };
  const gained = ((at - bucket.at) / 1000) * perSecond;
  return { tokens: Math.min(capacity, bucket.tokens + gained), at };
}

/**
 * Limits on reading messages for apps that are distributed commercially outside the Marketplace, by method and workspace:
 * one call a minute, and 15 objects a page whatever is asked for ("the maximum and default values for the limit parameter
 * have both been reduced to 15 objects", https://docs.slack.dev/reference/methods/conversations.history).
 */
const LIMITED = { methods: ['conversations.history', 'conversations.replies'], perMinute: 1, objects: 15 };

/** Returns the calls a minute that an app has of a method, if its distribution limits them. */
export const limitedPerMinute = ({ outsideMarketplace }: AppSettings, method: string): number | undefined =>
  outsideMarketplace && LIMITED.methods.includes(method) ? LIMITED.perMinute : undefined;

export const messagesPerPage = ({ outsideMarketplace }: AppSettings, limit: number): number =>
  outsideMarketplace ? Math.min(limit, LIMITED.objects) : limit;
