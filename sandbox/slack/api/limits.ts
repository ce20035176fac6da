import type { Tier } from './method.ts';

/** How many calls Slack takes. */
export type RateLimits = {
  /** Calls a minute, by tier; a burst may use up a whole minute's worth. */
  perMinute: { 1: number; 2: number; 3: number; 4: number };
  /** Messages to one channel: so many at once, then so many a second. */
  posts: { burst: number; perSecond: number };
  /** Calls a minute of single methods; apps sold outside the Marketplace get one of conversations.history. */
  methods: Record<string, number>;
};

/** Slack's own tiers. The burst of posts is not documented ("short bursts are allowed"). */
const SLACK_LIMITS: RateLimits = {
  perMinute: { 1: 1, 2: 20, 3: 50, 4: 100 },
  posts: { burst: 10, perSecond: 1 },
  methods: {},
};

/** What calls are counted by. */
export type LimitedCall = {
  team: string;
  method: string;
  tier: Tier;
  channel?: string;
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

/** Token buckets that the clock refills; what is left out of the limits is Slack's own. */
export function createLimitedCalls(limits: Partial<RateLimits>, now: () => number): LimitedCalls {
  const buckets = new Map<string, Bucket>();
  const all = { ...SLACK_LIMITS, ...limits };
  return {
    take: (call) => {
      const size = sizeOf(all, call);
      if (!size) return undefined;
      const { capacity, perSecond } = size;
      const key = [call.team, call.method, call.channel].join(' ');
      const bucket = refilled(buckets.get(key), capacity, perSecond, now());
      buckets.set(key, bucket);
      if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond));
      bucket.tokens -= 1;
      return undefined;
    },
  };
}

function sizeOf({ perMinute, posts, methods }: RateLimits, { method, tier }: LimitedCall) {
  const own = methods[method];
  if (own !== undefined) return { capacity: own, perSecond: own / 60 };
  if (tier === 'unlimited') return undefined;
  if (tier === 'post') return { capacity: posts.burst, perSecond: posts.perSecond };
  return { capacity: perMinute[tier], perSecond: perMinute[tier] / 60 };
}

function refilled(bucket: Bucket | undefined, capacity: number, perSecond: number, at: number): Bucket {
  if (!bucket) return { tokens: capacity, at };
  const gained = ((at - bucket.at) / 1000) * perSecond;
  return { tokens: Math.min(capacity, bucket.tokens + gained), at };
}
