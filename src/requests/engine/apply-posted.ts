/** Writes down what came of replies and notes: messages that are posted once, and never changed. Pure. */
import {
  type Delivery,
  type Destination,
  type Found,
  isPending,
  owed,
  type Posting,
} from '../model/delivery.ts';
import { type Note, withNote } from '../model/notification.ts';
import type { RequestRecord } from '../model/record.ts';

/** A reply that can't stand in the thread goes to the requester directly; where that is refused, into the channel. */
const INSTEAD: Readonly<Record<Destination, Destination | undefined>> = {
  thread: 'asker',
  asker: 'channel',
  channel: undefined,
};

/** After posting the reply of step `n`, or looking for it. */
export function settleReply(
  record: RequestRecord,
  n: number,
  { result, after, now }: { result: Posting | Found; after: Delivery; now: number },
): RequestRecord {
  const cardIsGone = record.card.delivery.status === 'given_up';
  const steps = record.steps.map((step) => {
    const { reply } = step;
    if (step.n !== n || !reply || !isPending(reply.delivery)) return step;
    const isLost = result.type === 'absent' && cardIsGone && reply.to === 'thread';
    const to = after.status === 'given_up' || isLost ? INSTEAD[reply.to] : undefined;
    if (to === undefined) return { ...step, reply: { ...reply, delivery: after } };
    return { ...step, reply: { to, delivery: { ...owed(now), ...owing(after) } } };
  });
  return { ...record, steps };
}

/**
 * After posting note `n`, or looking for it. Where its person takes no direct messages, it goes into the channel, or
 * somebody else hears of it; else it is given up: the card shows the same.
 */
export function settleNote(record: RequestRecord, n: number, after: Delivery, now: number): RequestRecord {
  const given = record.notes.find((note) => note.n === n);
  const isRefused = after.status === 'given_up';
  const goesOn = isRefused && given && isForChannel(given);
  const again = { delivery: { ...owed(now), ...owing(after) }, inChannel: true as const };
  const change = goesOn ? again : { delivery: after };
  const notes = record.notes.map((note) => (note.n === n ? { ...note, ...change } : note));
  const settled = { ...record, notes };
  return isRefused && given?.type === 'alarm' ? withNote(settled, { type: 'unheard' }, now) : settled;
}

const isForChannel = ({ type, inChannel }: Note): boolean =>
  !inChannel && (type === 'unclear' || type === 'misplaced_vote');

const owing = ({ tidies }: Delivery) => (tidies ? { tidies } : {});
