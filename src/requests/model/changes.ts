/** Changes a record other than from state to state: its decision, a pause, a late action, another channel. */
import type { FindResult, PostResult, UpdateResult } from '../../outbox/delivery.ts';
import { BUTTON, counted, type Verdict } from './approvals/votes.ts';
import { isSamePause, type Pause } from './pause.ts';
import type { LateAction, RequestRecord } from './record.ts';
import { hasNote } from './record-messages.ts';
import { withNote } from './record-notes.ts';
import { STATES } from './states.ts';
import { transition } from './transition.ts';

/**
 * @param pause as the settings have it; undefined: sending is not paused
 * @returns the same record if it says so already, or if nothing of it waits to be sent
 */
export function withPause(record: RequestRecord, pause: Pause | undefined, now: number): RequestRecord {
  if (!STATES[record.state].beforeCall || isSamePause(record.paused, pause)) return record;
  const { paused: _before, ...rest } = record;
  const seen = { ...rest, revision: rest.revision + 1 };
  return pause ? { ...seen, paused: pause } : withConfirmationFrom(seen, now);
}

/** The votes could not be confirmed during the pause: that is no fault, of which an admin would have to be told. */
function withConfirmationFrom(record: RequestRecord, now: number): RequestRecord {
  const { approval } = record;
  if (!approval?.confirmation) return record;
  return {
    ...record,
    approval: { ...approval, confirmation: { ...approval.confirmation, since: now, notBefore: now } },
  };
}

/** Older late actions are dropped. */
const MOST_LATE_ACTIONS = 20;

export function lateAction(
  { state }: RequestRecord,
  { by, action }: Pick<LateAction, 'by' | 'action'>,
  now: number,
): LateAction {
  return { at: now, by, action, state };
}

/** @returns the same record if it says this already: a person may press a button again and again */
export function withLateAction(record: RequestRecord, late: LateAction): RequestRecord {
  const { by, action, state } = late;
  const isKnown = record.lateActions.some(
    (other) => other.by === by && other.action === action && other.state === state,
  );
  return isKnown
    ? record
    : { ...record, lateActions: [...record.lateActions, late].slice(-MOST_LATE_ACTIONS) };
}

/** Replaces the id of a channel everywhere in the record: in its messages and in the policy. */
export const withMovedChannel = (record: RequestRecord, from: string, to: string): RequestRecord =>
  withMovesRepeated({ ...record, moved: [...(record.moved ?? []), { from, to }] });

/** Replaces the former ids of channels by the new ones: the result of an effect that was under way has brought them back. */
export const withMovesRepeated = (record: RequestRecord): RequestRecord =>
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

/** Sets whether the card's channel is shared. The requester is notified once that it is. */
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
  return 'inSharedChannel' in result && result.inSharedChannel ? withSharing(record, true, now) : record;
}

/**
 * @param reason why the request was declined, if a reason was asked for
 * @param now epoch milliseconds
 * @returns the record approved or declined; the same record if it no longer awaits approval
 */
export function decided(
  record: RequestRecord,
  { choice, by }: Extract<Verdict, { type: 'decided' }>,
  now: number,
  reason?: string,
): RequestRecord {
  const { approval } = record;
  const moved = approval && transition(record, { type: 'decision', choice, by }, now);
  if (!moved) return record;
  const last = counted(approval).findLast((vote) => by.includes(vote.by));
  const source = last?.source ?? BUTTON;
  const decision = { choice, by, at: now, source, ...(reason ? { reason } : {}) };
  const done = { ...moved, approval: { ...approval, decision } };
  // The button has asked for a reason already; after a reaction the bot asks for one.
  return choice === 'no' && source !== BUTTON ? withNote(done, { type: 'reason_wanted' }, now) : done;
}
