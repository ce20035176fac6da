/**
 * Changes a record when one of its channels gets another id, or becomes shared with another company, and removes what people of
 * that company must not see.
 */
import type { FindResult, PostResult, UpdateResult } from '../../outbox/delivery.ts';
import type { RequestRecord, Step } from './record.ts';
import { hasNote } from './record-messages.ts';
import { withNote } from './record-notes.ts';
import { STATES } from './states.ts';

/** Replaces the id of a channel that has moved, everywhere in the record: in its messages and in the policy. */
export function withMovedChannel(record: RequestRecord, from: string, to: string): RequestRecord {
  const { moved = [] } = record;
  // Earlier ids of the channel lead to the new id, too.
  const earlier = moved.map((move) => (move.to === from ? { ...move, to } : move));
  return withMovesRepeated({ ...record, moved: [...earlier, { from, to }] });
}

/** Replaces the former ids of channels again: the result of an effect that was under way may have brought them back. */
export const withMovesRepeated = (record: RequestRecord): RequestRecord =>
  (record.moved ?? []).reduce((next, { from, to }) => withChannel(next, from, to), record);

/** The ids of a channel of the request, the present one first: a reaction may be reported under a former one. */
export const idsOfChannel = ({ moved = [] }: RequestRecord, channel: string): string[] => [
  channel,
  ...moved.flatMap(({ from, to }) => (to === channel ? [from] : [])),
];

/** Replaces the id of a channel in each field of a record, of a request or any other, that is named `channel`. */
export const withChannel = <R>(record: R, from: string, to: string): R =>
  JSON.parse(JSON.stringify(record), (key, value) => (key === 'channel' && value === from ? to : value));

/** Sets whether the card's channel is shared. While the request is open, the requester is told once that it is. */
export function withSharing(record: RequestRecord, inSharedChannel: boolean, now: number): RequestRecord {
  if (record.inSharedChannel === inSharedChannel) return record;
  const next = { ...record, inSharedChannel, revision: record.revision + 1 };
  const isNews = inSharedChannel && STATES[record.state].slot && !hasNote(record, 'shared');
  return isNews ? withNote(next, { type: 'shared' }, now) : next;
}

/** Sets the sharing that a post, an update or a search observed. */
export function withSharingSeen(
  record: RequestRecord,
  result: PostResult | UpdateResult | FindResult,
  now: number,
): RequestRecord {
  return 'inSharedChannel' in result ? withSharing(record, true, now) : record;
}

/**
 * Returns the record without the reason for the request, the reason for declining it, and the order service's words about a
 * failure, which may quote the reason.
 */
export function withoutReasons(record: RequestRecord): RequestRecord {
  const shown = { ...record, reason: '', steps: record.steps.map(withoutWords) };
  const { approval } = record;
  if (!approval?.decision?.reason) return shown;
  const { reason: _untold, ...decision } = approval.decision;
  return { ...shown, approval: { ...approval, decision: { ...decision, withheld: true } } };
}

/** Returns the record as people of another company may see it: without reasons, and without what stands in other channels. */
export function asOthersRead(record: RequestRecord): RequestRecord {
  const { message: _, approval, repeats, ...shown } = withoutReasons(record);
  return {
    ...shown,
    ...(approval && { approval: { ...approval, earlier: [] } }),
    ...(repeats && { repeats: { ...repeats, link: undefined } }),
  };
}

/** Returns the record as readers of the card's channel may see it. */
export const asChannelReads = (record: RequestRecord): RequestRecord =>
  record.inSharedChannel ? asOthersRead(record) : record;

function withoutWords(step: Step): Step {
  const { cause } = step;
  if (cause.type !== 'answer' || !('details' in cause.answer || 'message' in cause.answer)) return step;
  const { message, details = [], ...answer } = cause.answer;
  if (message === undefined && details.length === 0) return step;
  return { ...step, cause: { ...cause, answer: { ...answer, details: [], withheld: true } } };
}
