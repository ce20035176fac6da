/** Which turn an act in Slack waits for, so that Slack never has to refuse it (https://docs.slack.dev/apis/web-api/rate-limits). */
import type { OutsideAct } from '../requests/acts.ts';
import type { Notice } from '../requests/notice.ts';
import { type RequestRecord, threadOfNote } from '../requests/record.ts';
import type { Telling } from '../requests/telling.ts';
import type { Turn } from '../requests/turns.ts';
import { named } from './place.ts';

/** "1 per second per channel", and short bursts. `SLACK_POSTS_PER_MINUTE` says otherwise. */
const POSTS_BURST = 6;
/** Tier 3: "50+ per minute" for each method. A burst and what follows in the same minute make 50. */
const TIER_3 = { perMinute: 30, burst: 20 };

const USUAL_POSTS_PER_MINUTE = 60;

type SlackAct = Exclude<OutsideAct, { type: 'call' }>;

/** How many messages a minute go into one channel; a Slack that takes more of them takes more of everything. */
export type Pace = { postsPerMinute: number };

export function turnOf(record: RequestRecord, act: SlackAct, pace: Pace): Turn {
  const telling = 'telling' in act ? act.telling : undefined;
  const who = [record.id, act.type, telling?.type, telling && 'n' in telling ? telling.n : ''].join(' ');
  const shared = { scope: record.workspace, who };
  switch (act.type) {
    case 'post':
      return { ...shared, ...postingLane(channelOf(record, act.telling), pace) };
    case 'update':
      return { ...shared, ...tier3('chat.update', pace) };
    case 'find':
      return { ...shared, ...tier3(act.telling.type === 'card' ? 'history' : 'replies', pace) };
    case 'check_votes':
      return { ...shared, ...tier3('reactions.get', pace) };
  }
}

export function turnOfNotice(notice: Notice, pace: Pace): Turn {
  const { workspace, id } = notice;
  const channel = notice.type === 'event' ? notice.channel : notice.to;
  return { scope: workspace, who: id, ...postingLane(channel ?? '', pace) };
}

const postingLane = (channel: string, { postsPerMinute }: Pace) => ({
  lane: `post ${channel}`,
  everyMs: Math.ceil(60_000 / postsPerMinute),
  burst: POSTS_BURST,
});

const tier3 = (method: string, { postsPerMinute }: Pace) => ({
  lane: method,
  everyMs: Math.ceil((60_000 * USUAL_POSTS_PER_MINUTE) / (TIER_3.perMinute * postsPerMinute)),
  burst: TIER_3.burst,
});

/** The channel that a message goes to, or the person whom it is for. */
function channelOf(record: RequestRecord, telling: Telling): string {
  switch (telling.type) {
    case 'card':
      return record.channel;
    case 'ballot':
      return record.approval?.policy.channel ?? '';
    case 'reply':
      return named(record.steps, telling.n).reply?.to === 'thread' ? record.channel : record.asker;
    case 'note': {
      const note = named(record.notes, telling.n);
      if (note.type === 'alarm') return record.approval?.policy.setBy ?? record.asker;
      return threadOfNote(record, note).place?.channel ?? record.asker;
    }
  }
}
