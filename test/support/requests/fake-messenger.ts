/** A fake Slack with the interface of the core's messenger. It can fail, or end the process, at any call. */
import type {
  CopiesPlace,
  Destination,
  FindResult,
  PostResult,
  TidyResult,
  UpdateResult,
} from '../../../src/outbox/delivery.ts';
import type { ClaimGuard } from '../../../src/outbox/ports.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { messageWithKey } from '../../../src/requests/model/record-messages.ts';
import type { Messenger } from '../../../src/requests/ports/ports.ts';
import { Death, type Fate } from './fates.ts';

/** `key`: the request and the key of the message. `place`: the destination. */
export type Post = { key: string; place: string; ts: string };

/** Slack's answers if nothing was posted. */
const UNPOSTED: Partial<Record<Fate, PostResult>> = {
  fails_before: { type: 'doubtful', code: 'timeout' },
  not_sent: { type: 'later', code: 'ratelimited', retryAfterMs: 2_000 },
  refused: { type: 'refused', code: 'not_in_channel' },
};

/** `posts`: the messages that were not removed. `nextFate`: of the next call. */
type Slack = { posts: Post[]; nextFate: () => Fate };

/** @returns the messenger, and its messages that were not removed */
export function createFakeMessenger(nextFate: () => Fate) {
  const slack: Slack = { posts: [], nextFate };
  let posted = 0;

  const messenger: Messenger = {
    post: async (record, messageKey, guard) => post(slack, record, messageKey, guard, () => `${++posted}.0`),
    async update(_record, _messageKey, { inTime }): Promise<UpdateResult> {
      if (!inTime()) return { type: 'later', code: 'too_late' };
      const fate = nextFate();
      if (fate.startsWith('dies')) throw new Death();
      if (fate === 'refused') return { type: 'gone', code: 'message_not_found' };
      return fate === 'works' ? { type: 'posted' } : { type: 'doubtful', code: 'timeout' };
    },
    async find(record, messageKey): Promise<FindResult> {
      const [found] = postsOf(slack, record, messageKey);
      return found ? { type: 'posted', channel: record.channel, ts: found.ts } : { type: 'absent' };
    },
    tidy: async (record, { messageKey, to }) => tidy(slack, record, messageKey, to),
    readReactions: async () => ({ type: 'read', standing: [] }),
    readVoterRights: async () => ({ type: 'read', problems: new Map() }),
    readOtherApprovers: async () => ({ type: 'read' }),
  };
  return { messenger, posts: slack.posts };
}

const keyOf = (record: RequestRecord, messageKey: string) => `${record.id} ${messageKey}`;
/** The place of a message, or of its copies. */
const placeOf = (record: RequestRecord, messageKey: string, copies?: Pick<CopiesPlace, 'to'>) =>
  `${(copies ?? messageWithKey(record, messageKey))?.to ?? messageKey}`;

function post(
  { posts, nextFate }: Slack,
  record: RequestRecord,
  messageKey: string,
  { inTime }: ClaimGuard,
  nextTs: () => string,
): PostResult {
  const fate = nextFate();
  if (fate === 'dies_before') throw new Death();
  const unposted = UNPOSTED[fate];
  if (unposted) return unposted;
  if (!inTime()) return { type: 'later', code: 'too_late' };
  const ts = nextTs();
  posts.push({ key: keyOf(record, messageKey), place: placeOf(record, messageKey), ts });
  if (fate === 'dies_after') throw new Death();
  return fate === 'fails_after'
    ? { type: 'doubtful', code: 'timeout' }
    : { type: 'posted', channel: record.channel, ts };
}

function postsOf(
  { posts }: Slack,
  record: RequestRecord,
  messageKey: string,
  copies?: Pick<CopiesPlace, 'to'>,
): Post[] {
  const [key, place] = [keyOf(record, messageKey), placeOf(record, messageKey, copies)];
  return posts.filter((each) => each.key === key && each.place === place);
}

function remove({ posts }: Slack, gone: string): void {
  posts.splice(
    posts.findIndex(({ ts }) => ts === gone),
    1,
  );
}

function tidy(
  slack: Slack,
  record: RequestRecord,
  messageKey: string,
  to: Destination | undefined,
): TidyResult {
  const fate = slack.nextFate();
  if (fate.startsWith('dies')) throw new Death();
  if (fate !== 'works') return { type: 'later', code: 'timeout' };
  const all = postsOf(slack, record, messageKey, { to });
  const message = messageWithKey(record, messageKey);
  const recorded = message?.delivery.status === 'posted' ? message.delivery : undefined;
  const isElsewhere = to !== message?.to;
  const isThere = recorded && (isElsewhere || all.some(({ ts }) => ts === recorded.ts));
  const kept = isThere ? recorded : all[0] && { channel: record.channel, ts: all[0].ts };
  const copies = all.filter(({ ts }) => ts !== kept?.ts);
  for (const { ts } of copies) remove(slack, ts);
  return { type: 'tidied', kept, removed: copies.length, linked: 0, voters: [], uncounted: [], left: [] };
}
