/** Writes down what came of replies and notes: messages that are posted once, and never changed. Pure. */
import { type Delivery, type Destination, type Found, isPending, owed, type Posting } from './delivery.ts';
import { withNote } from './notes.ts';
import type { RequestRecord } from './record.ts';

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
    const to = result.type === 'refused' || isLost ? INSTEAD[reply.to] : undefined;
    if (to === undefined) return { ...step, reply: { ...reply, delivery: after } };
    const owing = after.tidies ? { tidies: after.tidies } : {};
    return { ...step, reply: { to, delivery: { ...owed(now), ...owing } } };
  });
  return { ...record, steps };
}

/**
 * After posting note `n`, or looking for it. Where it can't stand, it is given up: the card shows the same. That an admin
 * can't be told, somebody else must hear.
 */
export function settleNote(record: RequestRecord, n: number, after: Delivery, now: number): RequestRecord {
  const notes = record.notes.map((note) => (note.n === n ? { ...note, delivery: after } : note));
  const settled = { ...record, notes };
  const isUnheard = after.status === 'given_up' && notes.find((note) => note.n === n)?.type === 'alarm';
  return isUnheard ? withNote(settled, { type: 'unheard' }, now) : settled;
}
