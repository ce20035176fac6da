/** Takes what an effect needs from Slack's limits before the effect is claimed. */

import { needsReactions } from '../../requests/engine/confirm-votes.ts';
import type { OutsideAct } from '../../requests/engine/effects.ts';
import type { Destination } from '../../requests/model/delivery.ts';
import { destinationOfReply, type Telling } from '../../requests/model/message-key.ts';
import { destinationOfNote, type RequestRecord } from '../../requests/model/record.ts';
import type { LimitedNoticeAct, Notice } from '../../requests/model/workspace-notification.ts';
import { NOW, type RateLimiter, type Wait } from '../../requests/ports/rate-limiter.ts';
import { bucketOf, type MainCall, type Pace } from '../client/rate-limits.ts';
import { named } from './destination.ts';

export type SlackAct = Exclude<OutsideAct, { type: 'call' }>;

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
