/** Follows a channel to its new id, which Slack assigns when a private channel becomes shared. */
import type { RequestRecord } from '../record.ts';

/** Replaces the id of a channel everywhere in the record: in its messages and in the policy. */
export const withMovedChannel = (record: RequestRecord, from: string, to: string): RequestRecord =>
  followed({ ...record, moved: [...(record.moved ?? []), { from, to }] });

/** Replaces the former ids of channels by the new ones: the result of an effect that was under way has brought them back. */
export const followed = (record: RequestRecord): RequestRecord =>
  (record.moved ?? []).reduce((next, { from, to }) => withChannel(next, from, to), record);

/** The ids of a channel of the request, the present one first: a reaction may be reported under a former one. */
export const idsOf = ({ moved = [] }: RequestRecord, channel: string): string[] => [
  channel,
  ...moved.flatMap(({ from, to }) => (to === channel ? [from] : [])),
];

/** Replaces the id of a channel wherever it stands in a record. */
export const withChannel = <R>(record: R, from: string, to: string): R => renamed(record, from, to) as R;

function renamed(value: unknown, from: string, to: string): unknown {
  if (Array.isArray(value)) return value.map((each) => renamed(each, from, to));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    key === 'channel' && inner === from ? to : renamed(inner, from, to),
  ]);
  return Object.fromEntries(entries);
}
