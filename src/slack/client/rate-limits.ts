/**
 * Handles Slack's rate limits (https://docs.slack.dev/apis/web-api/rate-limits). An effect takes a token from the bucket
 * of a method before a call (`PER_MINUTE`), so that Slack seldom has to refuse one.
 *
 * A call that is answered with a 429 fails as `later` (`rateLimitOf` in call-slack.ts). The 429 also pauses the bucket of
 * the method, if it has one, or for a post the bucket of its channel, in all replicas for as long as Retry-After says
 * (`pauseAfter`), at most an hour (slack-fetch.ts); without that header nothing is paused. Slack's library repeats no call by
 * itself (clients.ts). A message stays owed, or doubtful, and is tried again after a backoff, and no sooner than Slack asked (`later`
 * in outbox/attempt.ts, `retryAt` in outbox/record-type.ts). An update waits in the same way (`updatePostponed` in
 * outbox/message.ts), and so does a search (`readPage` in messages/find-message.ts). If that delays a card, nothing is sent to
 * the order service, and a direct message tells the requester (`card_delayed` in requests/model/record-notes.ts). A person who
 * waits for a form or an answer is told at once (listeners/answers.ts).
 */
import type { HttpAnswer } from '../../http/exchange.ts';
import { type Bucket, type Log, NO_WAIT, type RateLimiter, type Wait } from '../../outbox/ports.ts';
import { NotSentError, type SlackCall } from './slack-fetch.ts';

/** `postsPerMinute`: messages in one channel (`SLACK_POSTS_PER_MINUTE`). All other limits scale with it. */
export type Pace = { postsPerMinute: number };

/** Slack's "1 per second per channel": the pace to which the numbers below belong. */
const USUAL_POSTS_PER_MINUTE = 60;

/** Slack allows short bursts of posts beyond that pace. */
const POSTS_BURST = 6;

/**
 * Calls a minute of each method for which effects take a token, including the burst. Of posts, a workspace takes "several
 * hundred" (https://docs.slack.dev/reference/methods/chat.postMessage).
 *
 * The other methods of effects take none, so that a 429 holds up nothing else: `conversations.members` and
 * `users.conversations` (one question reads several pages, and begins anew if it is cut short), `conversations.info` (people who
 * wait share its answers), `auth.test` and `chat.getPermalink` (seldom called, and Slack does not name their limits) and
 * `usergroups.list` (only for notices that name a group, which is otherwise shown by its id).
 */
const PER_MINUTE: Readonly<Record<string, number>> = {
  'users.list': 20,
  'usergroups.users.list': 20,
  'chat.postMessage': 300,
  'chat.update': 50,
  'chat.delete': 50,
  'conversations.history': 50,
  'conversations.join': 50,
  'conversations.open': 50,
  'conversations.replies': 50,
  'reactions.get': 50,
  'users.info': 100,
  'views.publish': 100,
};
const BURST_SHARE = 0.4;

/**
 * The bucket of a call. Limits apply to each method and workspace, and for posts to each channel, too.
 *
 * @returns undefined for a method that takes no token
 */
export function bucketOf(workspace: string, call: SlackCall, pace: Pace): Bucket | undefined {
  const { method } = call;
  const perMinute = PER_MINUTE[method];
  if (perMinute === undefined) return undefined;
  const faster = pace.postsPerMinute / USUAL_POSTS_PER_MINUTE;
  const everyMs = Math.ceil(60_000 / (perMinute * (1 - BURST_SHARE) * faster));
  const ofWorkspace = { name: method, everyMs, burst: perMinute * BURST_SHARE };
  if (method !== 'chat.postMessage') return { workspace, ...ofWorkspace };
  return {
    workspace,
    name: bucketName(call),
    everyMs: Math.ceil(60_000 / pace.postsPerMinute),
    burst: POSTS_BURST,
    within: ofWorkspace,
  };
}

/**
 * The bucket of the calls with which people install the app. Slack counts `oauth.v2.access` for the app as a whole, and the
 * renewal of tokens uses it, too: anybody may open the page of an installation, so most of the limit is left to renewals. No
 * workspace has the id ''.
 */
const INSTALLING: Bucket = { workspace: '', name: 'oauth.v2.access', everyMs: 3_000, burst: 10 };

/** Whether the code of an installation may be exchanged. It yields to others and keeps no place in the queue: nobody comes back. */
export const mayInstall = async (limiter: Pick<RateLimiter, 'take'>): Promise<boolean> =>
  (await limiter.take(INSTALLING, 'install', true)).ms === 0;

const bucketName = ({ method, channel }: SlackCall): string =>
  method === 'chat.postMessage' ? `${method} ${channel}` : method;

/** An effect as the rate limits see it. */
export type LimitedEffect = {
  workspace: string;
  /**
   * Identifies the record in the queue of each bucket. The main calls of its effects share one place there: if an effect is no
   * longer wanted, the next one takes its turn.
   */
  who: string;
  /** The main call, whose token is taken before the effect is claimed. */
  main: SlackCall;
  /** Whether all other calls take precedence. */
  yields?: boolean;
};

/** Stands in for the main call of an effect that takes no token before it is claimed. */
export const NOTHING_TAKEN: SlackCall = { method: '', channel: '' };

export type SlackRateLimits = ReturnType<typeof createSlackRateLimits>;

export function createSlackRateLimits(limiter: Pick<RateLimiter, 'take' | 'pause'>, pace: Pace, log: Log) {
  async function take(call: SlackCall, { workspace, who, yields }: LimitedEffect): Promise<Wait> {
    const bucket = bucketOf(workspace, call, pace);
    // A post waits in the queue of its channel and in that of its workspace, where the record has a place for each channel.
    return bucket ? limiter.take(bucket, `${who} ${bucket.name}`, yields) : NO_WAIT;
  }
  return {
    takeForMainCall: (effect: LimitedEffect): Promise<Wait> => take(effect.main, effect),

    /**
     * Takes a token before each call under a claim but the main one. The returned function throws a NotSentError if there
     * is none: the call fails as `later`, as after a 429. Each call keeps a place of its own until the effect is tried again: if
     * all shared one place, the first would use up what the second waits for, each time.
     */
    takeForOtherCalls(effect: LimitedEffect): (call: SlackCall) => Promise<void> {
      let isMainCallAhead = true;
      const made = new Map<string, number>();
      return async (call) => {
        if (isMainCallAhead && call.method === effect.main.method) {
          isMainCallAhead = false;
          return;
        }
        const nth = (made.get(call.method) ?? 0) + 1;
        made.set(call.method, nth);
        const { ms } = await take(call, { ...effect, who: `${effect.who} ${nth}` });
        if (ms > 0) throw new NotSentError('ratelimited', { retryAfterMs: ms });
      };
    },

    /** Pauses the bucket of a call that was answered with a 429 and a Retry-After. Other methods go on. */
    async pauseAfter(workspace: string, call: SlackCall, { status, headers }: HttpAnswer): Promise<void> {
      const retryAfterMs = Number(headers['retry-after']) * 1_000;
      if (status !== 429 || !(retryAfterMs > 0)) return;
      const { method } = call;
      log.warn({ workspace, method, retryAfterMs }, 'Slack asked to slow down');
      if (!bucketOf(workspace, call, pace)) return;
      await limiter
        .pause({ workspace, name: bucketName(call) }, retryAfterMs, 'rate_limited')
        .catch((err) => {
          log.warn({ workspace, method, err }, 'pause not recorded');
        });
    },
  };
}
