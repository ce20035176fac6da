import type { Tier } from './method.ts';

/** How many calls Slack takes. */
export type RateLimits = {
  /** Calls a minute, by tier; a burst may use up a whole minute's worth. */
  perMinute: { 1: number; 2: number; 3: number; 4: number };
  /** Messages to one channel: so many at once, then so many a second. */
  posts: { burst: number; perSecond: number };
  /** Messages a minute to all channels of a workspace together. */
  postsOfWorkspace: number;
  /** Calls a minute of single methods. */
  methods: Record<string, number>;
};

/**
 * Slack's own (https://docs.slack.dev/apis/web-api/rate-limits). The burst of posts is not documented ("short bursts are
 * allowed"), nor is the number for a workspace: "several hundred messages per minute"
 * (https://docs.slack.dev/reference/methods/chat.postMessage).
 */
const SLACK_LIMITS: RateLimits = {
  perMinute: { 1: 1, 2: 20, 3: 50, 4: 100 },
  posts: { burst: 10, perSecond: 1 },
  postsOfWorkspace: 300,
  methods: {},
};

/** What calls are counted by. */
export type LimitedCall = {
  team: string;
  method: string;
  tier: Tier;
  channel?: string;
  /** Calls a minute that this app has of the method, whatever its tier says. */
  perMinute?: number | undefined;
};

/** Counts calls. */
export type LimitedCalls = {
  /** Takes one call of a method by a workspace (and to a channel, for posts); the seconds to wait if it is too many. */
  take(call: LimitedCall): number | undefined;
};

type Bucket = {
  tokens: number;
  at: number;
};

/** What a bucket holds, and how fast it fills. `of`: what is counted in it. */
type Size = {
  of: string;
  capacity: number;
  perSecond: number;
};

/** Token buckets that the clock refills; what is left out of the limits is Slack's own. A call that is refused takes none. */
export function createLimitedCalls(limits: Partial<RateLimits>, now: () => number): LimitedCalls {
  const buckets = new Map<string, Bucket>();
  const all = { ...SLACK_LIMITS, ...limits };
  return {
    take: (call) => {
      const filled = sizesOf(all, call).map(({ of, capacity, perSecond }) => {
        // An app that is limited otherwise from now on begins anew.
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
