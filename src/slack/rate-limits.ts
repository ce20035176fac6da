/** Slack's limits as buckets, so that Slack never has to refuse a call (https://docs.slack.dev/apis/web-api/rate-limits). */
import type { OutsideAct } from '../requests/acts.ts';
import { needsReactions } from '../requests/approvals/confirm-votes.ts';
import type { Destination } from '../requests/delivery.ts';
import type { LimitedNoticeAct, Notice } from '../requests/notice.ts';
import { type Bucket, NOW, type RateLimiter, type Wait } from '../requests/rate-limiter.ts';
import { destinationOfNote, type RequestRecord } from '../requests/record.ts';
import { destinationOfReply, type Telling } from '../requests/telling.ts';
import { named } from './place.ts';

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

export type SlackAct = Exclude<OutsideAct, { type: 'call' }>;

/** The call that an effect is made for. What it takes is taken before the effect is claimed. */
export type MainCall = { method: string; channel: string };

/** Nothing was taken from any bucket. */
export const NOTHING_TAKEN: MainCall = { method: '', channel: '' };

export function mainCall(record: RequestRecord, act: SlackAct): MainCall {
  switch (act.type) {
    case 'post':
      return { method: 'chat.postMessage', channel: channelOf(record, act.telling) };
    case 'update':
      return { method: 'chat.update', channel: '' };
    case 'find':
    case 'tidy':
      return { method: searchMethod(record, act.telling, destinationOf(record, act)), channel: '' };
    case 'confirm_votes':
      return { method: needsReactions(record.approval) ? 'reactions.get' : 'users.info', channel: '' };
  }
}

export function mainCallOfNotice(notice: Notice, act: LimitedNoticeAct): MainCall {
  const channel = (notice.type === 'event' ? notice.channel : notice.to) ?? '';
  return { method: act === 'post' ? 'chat.postMessage' : 'conversations.history', channel };
}

/** Takes from the buckets what the main call of an effect needs, before it is claimed. */
export function createSlackLimits(limiter: Pick<RateLimiter, 'take'>, pace: Pace) {
  const take = async (workspace: string, { method, channel }: MainCall, who: string, yields: boolean) => {
    const bucket = bucketOf(workspace, method, channel, pace);
    return bucket ? limiter.take(bucket, who, yields) : NOW;
  };
  return {
    ofRequest: (record: RequestRecord, act: SlackAct): Promise<Wait> =>
      take(record.workspace, mainCall(record, act), waiterOf(record, act), act.type === 'tidy'),
    ofNotice: (notice: Notice, act: LimitedNoticeAct): Promise<Wait> =>
      take(notice.workspace, mainCallOfNotice(notice, act), `${notice.id} ${act}`, act === 'tidy'),
  };
}

/** Names what waits for a limit. */
export function waiterOf({ id }: RequestRecord, act: SlackAct): string {
  const telling = 'telling' in act ? act.telling : undefined;
  return [id, act.type, telling?.type, telling && 'n' in telling ? telling.n : ''].join(' ');
}

/** The channel that a message goes to, or the person whom it is for. */
function channelOf(record: RequestRecord, telling: Telling): string {
  switch (telling.type) {
    case 'card':
      return record.channel;
    case 'ballot':
      return record.approval?.policy.channel ?? '';
    case 'reply':
      return named(record.steps, telling.n).reply?.to === 'asker' ? record.asker : record.channel;
    case 'note': {
      const destination = destinationOfNote(record, named(record.notes, telling.n));
      if ('under' in destination) return destination.under.place?.channel ?? record.asker;
      return 'person' in destination ? destination.person : destination.channel;
    }
  }
}

/** Of a reply: where its copies may stand, or where it goes. */
const destinationOf = (record: RequestRecord, act: { telling: Telling; to?: Destination | undefined }) =>
  act.to ?? destinationOfReply(record, act.telling);

function searchMethod(record: RequestRecord, telling: Telling, to: Destination | undefined): string {
  const isInThread =
    to === 'thread' ||
    (telling.type === 'note' && 'under' in destinationOfNote(record, named(record.notes, telling.n)));
  return isInThread ? 'conversations.replies' : 'conversations.history';
}
