/** Slack's limits as buckets, so that Slack never has to refuse a call (https://docs.slack.dev/apis/web-api/rate-limits). */
import type { Bucket } from '../../requests/ports/rate-limiter.ts';

/** Messages a minute into one channel; a Slack that takes more of them takes more of everything. */
export type Pace = { postsPerMinute: number };

const USUAL_POSTS_PER_MINUTE = 60;

/** "1 per second per channel", and short bursts. `SLACK_POSTS_PER_MINUTE` says otherwise. */
const POSTS_BURST = 6;

/** Calls a minute of each method that effects use. A burst, and what follows in the same minute, make as many. */
const PER_MINUTE: Readonly<Record<string, number>> = {
  'users.list': 20,
  'usergroups.users.list': 20,
  'chat.update': 50,
  'chat.delete': 50,
  'conversations.history': 50,
  'conversations.info': 50,
  'conversations.join': 50,
  'conversations.open': 50,
  'conversations.replies': 50,
  'reactions.get': 50,
  'users.info': 100,
};
const BURST_SHARE = 0.4;

/** The bucket that a call is taken from: limits are counted for each method and workspace, posts for each channel. */
export function bucketOf(workspace: string, method: string, channel: string, pace: Pace): Bucket | undefined {
  if (method === 'chat.postMessage') {
    const everyMs = Math.ceil(60_000 / pace.postsPerMinute);
    return { workspace, name: bucketName(method, channel), everyMs, burst: POSTS_BURST };
  }
  const perMinute = PER_MINUTE[method];
  if (perMinute === undefined) return undefined;
  const faster = pace.postsPerMinute / USUAL_POSTS_PER_MINUTE;
  const everyMs = Math.ceil(60_000 / (perMinute * (1 - BURST_SHARE) * faster));
  return { workspace, name: bucketName(method, channel), everyMs, burst: perMinute * BURST_SHARE };
}

export const bucketName = (method: string, channel: string): string =>
  method === 'chat.postMessage' ? `${method} ${channel}` : method;

/** The call that an effect is made for. What it takes is taken before the effect is claimed. */
export type MainCall = { method: string; channel: string };

/** Nothing was taken from any bucket. */
export const NOTHING_TAKEN: MainCall = { method: '', channel: '' };
