/**
 * Adds notes to a record, and sets or clears the problem of its approvers. Decides where each reply and note goes, until when a
 * note is wanted and, for one that falls due by itself, when.
 */
import { isPending } from '../../outbox/delivery.ts';
import { isTried, newMessage, newUpkeep } from '../../outbox/message.ts';
import { type ApproversProblem, type Evidence, isClearedBy } from './policy.ts';
import type { Note, NoteContent, Reply, RequestMessage, RequestRecord } from './record.ts';
import {
  cardOf,
  hasNote,
  isNote,
  messageWithKey,
  notesOf,
  threadUnderCard,
  votedOn,
} from './record-messages.ts';
import { STATES } from './states.ts';
import type { Timings } from './timings.ts';

/** The destination of a reply or a note: the thread of a message, one person or, if they take no direct messages, a channel. */
type MessagePlace = { under: RequestMessage } | { person: string } | { channel: string };

/** A note that falls due by itself. */
type NoteDue = { note: NoteContent; at: number };

type Rule<N> = {
  place: (record: RequestRecord, note: N) => MessagePlace;
  /** Whether the note is still relevant. */
  isWanted: (record: RequestRecord, note: N) => boolean;
  /** Whether what the note says has happened by now; left out: always. */
  isReady?: (record: RequestRecord) => boolean;
  /** Lists the notes of this type that fall due by themselves, and are not added yet. */
  due?: (record: RequestRecord, timings: Timings) => NoteDue[];
  /**
   * The other place for a note that Slack refuses: the card's channel if the person takes no direct messages, or the requester if
   * the thread takes no reply. Left out: the note is given up, because the card shows the same.
   */
  fallback?: 'channel' | 'requester';
  /** Whether the note asks the approvers to vote, so that it mentions those who have not voted. */
  asksApprovers?: true;
};

const underCard = (record: RequestRecord): MessagePlace => ({ under: cardOf(record) });
const requester = (record: RequestRecord): MessagePlace => ({ person: record.requester });

/** Whether approvers still vote in the round in which a note was added. What it says is not true of a later round. */
const isOfRound = ({ state, approval }: RequestRecord, { at }: Note): boolean =>
  STATES[state].votes && at >= (approval?.since ?? 0);
const isOpen = ({ state }: RequestRecord): boolean => STATES[state].slot;

/** Whether Slack has not taken the card yet, or not confirmed it: until then, the requester may see nothing. */
const isCardDelayed = (record: RequestRecord): boolean =>
  isOpen(record) && isPending(cardOf(record).delivery);

/** Whether Slack has taken the latest update of the card, or refused it; a card that is gone takes none. */
function isCardUpdateTried(record: RequestRecord): boolean {
  const { delivery, upkeep } = cardOf(record);
  return delivery.status !== 'posted' || !upkeep || isTried(upkeep, record.revision);
}

/** The rule of the notes that ask the approvers to vote, under the message that they react to. */
const ASKING: Rule<Note> = {
  place: (record) => ({ under: votedOn(record) }),
  isWanted: isOfRound,
  asksApprovers: true,
};

/** Whether a message is in doubt and still matters. The card and the approval message of a request that has ended do not. */
function isUnclear(record: RequestRecord, { about }: { about: string }): boolean {
  const message = messageWithKey(record, about);
  const { slot, votes } = STATES[record.state];
  const matters = (message?.type === 'card' && slot) || (message?.type === 'approval' && votes);
  return message?.delivery.status === 'doubtful' && (matters || message.type === 'reply');
}

/**
 * The reminder of the approvers: at half of their time, if a message to react to exists and further votes can decide. They can't
 * if there are too few approvers, or while the votes of enough approvers are confirmed.
 */
function reminderDue(record: RequestRecord): NoteDue[] {
  const { approval, state } = record;
  if (!approval?.policy.reminds || !STATES[state].votes) return [];
  const { since, policy, problem, confirmation } = approval;
  if (problem === 'too_few' || confirmation) return [];
  const isDone = hasNote(record, 'reminder', { since }) || votedOn(record).delivery.status !== 'posted';
  return isDone ? [] : [{ note: { type: 'reminder' }, at: since + Math.floor(policy.expiresAfterMs / 2) }];
}

function cardDelayedDue(record: RequestRecord, { delayedMs }: Timings): NoteDue[] {
  const { at: since } = cardOf(record);
  const isDue = isCardDelayed(record) && !hasNote(record, 'card_delayed', { since });
  return isDue ? [{ note: { type: 'card_delayed' }, at: since + delayedMs }] : [];
}

/** A note for each doubt about the card, the approval message or a reply; nobody is told of doubt about a note. */
const unclearDue = (record: RequestRecord, { unclearMs }: Timings): NoteDue[] =>
  record.messages.flatMap((message) => {
    const { key: about, delivery } = message;
    if (isNote(message) || delivery.status !== 'doubtful') return [];
    const { since } = delivery;
    const isTold = hasNote(record, 'unclear', { since, isSame: (note) => note.about === about });
    return isTold ? [] : [{ note: { type: 'unclear', about }, at: since + unclearMs }];
  });

const RULES: { readonly [T in NoteContent['type']]: Rule<Extract<Note, { type: T }>> } = {
  reminder: { ...ASKING, due: reminderDue },
  approval_requested_again: {
    ...ASKING,
    // Nobody is asked if too few people could approve.
    isWanted: (record, note) => isOfRound(record, note) && record.approval?.problem !== 'too_few',
  },
  reason_wanted: {
    place: ({ approval, requester: person }) => ({ person: approval?.decision?.by[0] ?? person }),
    isWanted: ({ state, approval }) => state === 'declined' && approval?.decision?.reason === undefined,
  },
  reason: {
    place: underCard,
    isWanted: () => true,
    fallback: 'requester',
  },
  alarm: {
    place: ({ approval, requester: person }) => ({ person: approval?.policy.setBy ?? person }),
    isWanted: (record, note) => isOfRound(record, note) && record.approval?.problem === note.problem,
  },
  admin_unreachable: {
    place: underCard,
    isWanted: (record, note) => isOfRound(record, note) && record.approval?.problem !== undefined,
  },
  shared: { place: underCard, isWanted: isOpen, isReady: isCardUpdateTried },
  card_delayed: { place: requester, isWanted: isCardDelayed, due: cardDelayedDue },
  unclear: {
    place: requester,
    isWanted: isUnclear,
    due: unclearDue,
    fallback: 'channel',
  },
  misplaced_vote: {
    place: (_record, { voter }) => ({ person: voter }),
    isWanted: isOfRound,
    fallback: 'channel',
  },
};

/** The rule of a type fits every note of that type. */
const ruleOf = ({ type }: Pick<Note, 'type'>) => RULES[type] as Rule<Note>;

export function placeOf(record: RequestRecord, message: Reply | Note): MessagePlace {
  if (message.to === 'channel') return { channel: record.channel };
  if (message.to === 'requester') return requester(record);
  return message.type === 'reply' ? underCard(record) : ruleOf(message).place(record, message);
}

/** The person whom a note is for, even if it is posted in the channel because they take no direct messages. */
export function recipientOf(record: RequestRecord, note: Note): string {
  const place = ruleOf(note).place(record, note);
  return 'person' in place ? place.person : record.requester;
}

export const isStillWanted = (record: RequestRecord, note: Note): boolean =>
  ruleOf(note).isWanted(record, note);

export const isReady = (record: RequestRecord, note: Note): boolean => ruleOf(note).isReady?.(record) ?? true;

/** The other place for a note that Slack refuses; undefined: there is none, or the note goes there already. */
export const fallbackOf = (note: Note): Rule<Note>['fallback'] =>
  note.to === undefined ? ruleOf(note).fallback : undefined;

export const asksApprovers = (note: Pick<Note, 'type'>): boolean => ruleOf(note).asksApprovers === true;

/** The timestamp of the message that a reply or a note is posted under; undefined: none, or not known yet. */
export function threadOf(record: RequestRecord, key: string): string | undefined {
  const message = messageWithKey(record, key);
  if (!message || message.type === 'card' || message.type === 'approval') return undefined;
  const place = placeOf(record, message);
  return 'under' in place ? threadUnder(record, place.under) : undefined;
}

/** The thread of the card or of the approval message. A card that is itself a reply has no thread of its own. */
export const threadUnder = (record: RequestRecord, message: RequestMessage): string | undefined =>
  message.type === 'card' ? threadUnderCard(record) : message.location?.ts;

/** Lists the notes that fall due by themselves. Each is added once. */
export const notesDue = (record: RequestRecord, timings: Timings): NoteDue[] =>
  Object.values(RULES).flatMap(({ due }) => due?.(record, timings) ?? []);

/** Adds a note to the record. @param to set if the note can't go to its usual place */
export function withNote(
  record: RequestRecord,
  content: NoteContent,
  now: number,
  to?: 'requester',
): RequestRecord {
  const key = `${content.type}:${notesOf(record).length + 1}`;
  const note = { ...newMessage(key, now), ...content, ...(to && { to }) };
  return { ...record, messages: [...record.messages, note] };
}

/** Owes an update of the notes that ask for a reason, because a reason was given in this revision of the record. */
export function withQuestionsOutdated(record: RequestRecord, now: number): RequestRecord {
  const upkeep = { ...newUpkeep(now), revision: record.revision };
  const messages = record.messages.map((message) =>
    message.type === 'reason_wanted' ? { ...message, upkeep } : message,
  );
  return { ...record, messages };
}

/** The time in which an admin is told of a problem once: one that comes and goes must not flood them. */
const ALARM_COVERS_MS = 60 * 60_000;

/**
 * Sets or clears the current problem of the approvers. An admin is told of a new problem, and of one that returns later than an
 * alarm about it covers.
 */
export function withProblem(
  record: RequestRecord,
  problem: ApproversProblem | undefined,
  now: number,
): RequestRecord {
  const { approval } = record;
  if (!approval || approval.problem === problem) return record;
  const next = { ...record, revision: record.revision + 1, approval: { ...approval, problem } };
  const isKnown = hasNote(record, 'alarm', {
    since: approval.since,
    isSame: ({ problem: told, delivery, at }) =>
      told === problem && (isPending(delivery) || now - at < ALARM_COVERS_MS),
  });
  return problem && !isKnown ? withNote(next, { type: 'alarm', problem }, now) : next;
}

/** Clears the approver problem if this evidence shows that it is fixed. */
export function withEvidence(record: RequestRecord, evidence: Evidence, now: number): RequestRecord {
  const { problem } = record.approval ?? {};
  return problem && isClearedBy(problem, evidence) ? withProblem(record, undefined, now) : record;
}

/** Sets the problem that a count of the approvers has found or, if it has found none, clears one that is thereby fixed. */
export const withCount = (
  record: RequestRecord,
  problem: ApproversProblem | undefined,
  now: number,
): RequestRecord => (problem ? withProblem(record, problem, now) : withEvidence(record, 'count', now));
