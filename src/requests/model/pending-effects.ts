/**
 * Derives the pending effects of a request and when each is due. The loop, the sweep and the index all read them from
 * here.
 */
import { isPending } from '../../outbox/delivery.ts';
import { type PostingEffect, postingOf, type TidyEffect, tidiesOf, updateOf } from '../../outbox/message.ts';
import { dueAt, type PendingEffect } from '../../outbox/record-type.ts';
import type { Note, NoteContent, RequestMessage, RequestRecord } from './record.ts';
import { approvalMessageOf, cardOf, isNote, notesOf, repliesOf, votedOn } from './record-messages.ts';
import { isReady, isStillWanted, notesDue, placeOf } from './record-notes.ts';
import { STATES, TRANSITIONS } from './states.ts';
import type { Timings } from './timings.ts';
import { queuedSince } from './transition.ts';

/** An effect outside of the record: a process performs it under a claim. */
export type OutsideEffect = PostingEffect | TidyEffect | { type: 'confirm_votes' } | { type: 'call' };

/** An effect that changes only the record. `check_pause`: looks whether sending is still paused. */
type RecordEffect =
  | { type: 'add_note'; note: NoteContent }
  | { type: 'report_unconfirmed' }
  | { type: 'expire' }
  | { type: 'check_pause' };

export type Effect = OutsideEffect | RecordEffect;

type Item = PendingEffect<Effect>;

/** Returns when the next effect is due; undefined if none is pending. The store indexes records by it. */
export const requestDueAt = (record: RequestRecord, timings: Timings): number | undefined =>
  dueAt(record, () => pendingEffects(record, timings));

/**
 * The effects that stay due while the bot works as it should: a check of the pause for as long as sending is paused, and what
 * only keeps posted messages up to date, for as long as our own pace with Slack makes it wait (slack/client/rate-limits.ts).
 */
const NEVER_OVERDUE: ReadonlySet<Effect['type']> = new Set(['check_pause', 'update', 'tidy']);

/** Returns when the next effect is due, leaving out those that may stay due; undefined if none is pending. */
export const overdueSince = (record: RequestRecord, timings: Timings): number | undefined =>
  dueAt(record, () =>
    pendingEffects(record, timings).filter(({ effect }) => !NEVER_OVERDUE.has(effect.type)),
  );

/** Whether nothing more can happen to a request by itself: it waits for no approval, no answer and no delivery to Slack. */
export const hasEnded = (record: RequestRecord, timings: Timings): boolean =>
  !STATES[record.state].slot && requestDueAt(record, timings) === undefined;

/**
 * Lists all pending effects, the most urgent first: the card before the approval message and before the call (promise
 * 8), the call before any update of the card, and the card's update before the reply, so that a deleted card is
 * noticed before a reply goes to its thread. An effect that is not due yet does not block the others: a reply is posted
 * while the card's update waits for more changes (`apartMs`).
 */
export function pendingEffects(record: RequestRecord, timings: Timings): Item[] {
  return [
    ...expiryEffects(record, timings),
    ...pauseEffects(record),
    ...cardEffects(record),
    ...addedNoteEffects(record, timings),
    ...approvalMessageEffects(record),
    ...confirmationEffects(record, timings),
    ...callEffects(record),
    ...updateEffects(record),
    ...replyEffects(record),
    ...noteEffects(record),
    ...laterUpdateEffects(record),
    ...tidyEffects(record),
  ];
}

function expiryEffects(record: RequestRecord, timings: Timings): Item[] {
  const { state, approval } = record;
  if (state === 'queued')
    return [{ effect: { type: 'expire' }, at: queuedSince(record) + timings.expiresAfterMs }];
  if (!STATES[state].votes || !approval) return [];
  return [{ effect: { type: 'expire' }, at: approval.since + approval.policy.expiresAfterMs }];
}

/** Checks the pause, at once: while it lasts, `begin` (engine/request-type.ts) postpones the record until the next check. */
function pauseEffects({ paused, state }: RequestRecord): Item[] {
  return paused && STATES[state].beforeCall ? [{ effect: { type: 'check_pause' }, at: paused.at }] : [];
}

const addedNoteEffects = (record: RequestRecord, timings: Timings): Item[] =>
  notesDue(record, timings).map(({ note, at }) => ({ effect: { type: 'add_note', note }, at }));

/**
 * Confirms the votes in Slack before they decide. This may take a while, so the message with the votes is updated
 * first: it says that the approvers are being checked.
 */
function confirmationEffects(record: RequestRecord, { unconfirmedMs }: Timings): Item[] {
  const { approval, state, paused } = record;
  const { confirmation: owed, problem } = approval ?? {};
  const message = votedOn(record);
  if (paused || !STATES[state].votes || !owed || message.delivery.status !== 'posted') return [];
  const report: Item = { effect: { type: 'report_unconfirmed' }, at: owed.since + unconfirmedMs };
  return [
    ...(problem ? [] : [report]),
    ...updateOf(message, record.revision),
    { effect: { type: 'confirm_votes' }, at: owed.notBefore },
  ];
}

function callEffects(record: RequestRecord): Item[] {
  const mayBegin = TRANSITIONS[record.state].call_begun !== undefined && !record.paused;
  return mayBegin && cardOf(record).delivery.status === 'posted'
    ? [{ effect: { type: 'call' }, at: record.call.notBefore }]
    : [];
}

const cardEffects = (record: RequestRecord): Item[] =>
  postingOf(cardOf(record), isWanted(record, cardOf(record)));

/** Posts the approval message only after the card, because it links to the card. */
function approvalMessageEffects(record: RequestRecord): Item[] {
  const message = approvalMessageOf(record);
  if (!message) return [];
  const isNext = cardOf(record).delivery.status === 'posted' && isWanted(record, message);
  return postingOf(message, isNext);
}

/** Updates the card first, then the approval message. */
const updateEffects = (record: RequestRecord): Item[] =>
  [cardOf(record), approvalMessageOf(record)].flatMap((message) =>
    message ? updateOf(message, record.revision) : [],
  );

/** Updates the replies and notes that are kept up to date. */
const laterUpdateEffects = (record: RequestRecord): Item[] =>
  [...repliesOf(record), ...notesOf(record)].flatMap((message) => updateOf(message, record.revision));

/** Posts replies one by one, in the order of their steps. */
function replyEffects(record: RequestRecord): Item[] {
  const reply = repliesOf(record).find(({ delivery }) => isPending(delivery));
  if (!reply || (reply.to === 'thread' && !isCertain(cardOf(record)))) return [];
  return postingOf(reply);
}

/**
 * Posts notes in order, separately for each destination, so that none waits for another destination. A note that is no
 * longer wanted is not posted; if it may have been posted, it is still searched for, so that its copies are known.
 */
function noteEffects(record: RequestRecord): Item[] {
  const pending = notesOf(record).filter((note) => isUnsettled(record, note) && canBePosted(record, note));
  // Each place keeps its first note, which overwrites later ones. The places come in the reverse order of their latest notes.
  const byPlace = new Map(pending.toReversed().map((note) => [placeKey(record, note), note]));
  return [...byPlace.values()].flatMap((note) => postingOf(note));
}

function placeKey(record: RequestRecord, note: Note): string {
  const place = placeOf(record, note);
  if ('person' in place) return place.person;
  return 'channel' in place ? place.channel : place.under.key;
}

/** Whether a note can be posted now: its thread, if it needs one, is certain, and what it says has happened. */
function canBePosted(record: RequestRecord, note: Note): boolean {
  const place = placeOf(record, note);
  const hasPlace = !('under' in place) || isCertain(place.under);
  return hasPlace && isReady(record, note);
}

/** Tidies settled messages, after all else: doubtful messages are searched for first. */
const tidyEffects = (record: RequestRecord): Item[] =>
  record.messages.flatMap((message) => (isUnsettled(record, message) ? [] : tidiesOf(message)));

/** Whether a message is still to be searched for or posted. */
export function isUnsettled(record: RequestRecord, message: RequestMessage): boolean {
  const { status } = message.delivery;
  return status === 'doubtful' || (status === 'owed' && isWanted(record, message));
}

function isWanted(record: RequestRecord, message: RequestMessage): boolean {
  const { slot, votes } = STATES[record.state];
  if (isNote(message)) return isStillWanted(record, message);
  return { card: slot, approval: votes, reply: true }[message.type];
}

/** Whether it is certain that a message is in Slack, or that it never will be. Until then, what goes into its thread waits. */
const isCertain = ({ delivery }: RequestMessage): boolean => !isPending(delivery);
