/** Applies the result of updating a message of a request, or of removing its copies. */
import { afterTidy } from '../../outbox/attempt.ts';
import { type CopiesPlace, owed, type TidyResult, type UpdateResult } from '../../outbox/delivery.ts';
import {
  afterLateUpdate,
  afterUpdate,
  shownAnew,
  type Upkeep,
  withPlace,
  withUpkeep,
} from '../../outbox/message.ts';
import { withSharingSeen } from '../model/channels.ts';
import {
  currentStep,
  type Note,
  type Reply,
  type RequestMessage,
  type RequestRecord,
} from '../model/record.ts';
import { hasNote, messageWithKey, withDelivery, withMessage } from '../model/record-messages.ts';
import { withEvidence, withNote } from '../model/record-notes.ts';
import { STATES } from '../model/states.ts';
import {
  isLast,
  type ResultContext,
  withCardUnseen,
  withLostReplyOwed,
  withoutApprovalMessage,
  withoutCard,
} from './apply-posting.ts';

export function applyUpdate(
  record: RequestRecord,
  messageKey: string,
  result: UpdateResult,
  context: ResultContext,
): RequestRecord {
  const message = messageWithKey(record, messageKey);
  if (!message) return record;
  const { rendered, claim, now, timings } = context;
  const isLost = result.type === 'out_of_reach' && !mayComeBack(record, message, now);
  if (result.type === 'gone' || isLost) return withoutMessage(record, message, result, now);
  const given = { ...timings, rendered, startedAt: claim.startedAt, now };
  const updated = withUpkeepOf(record, messageKey, (upkeep) => afterUpdate(upkeep, result, given));
  if (result.type === 'out_of_reach') return withMessageUnseen(updated, message, result.code, now);
  const isSeen = message.type === 'approval' && result.type === 'posted';
  return withSharingSeen(isSeen ? withEvidence(updated, 'update', now) : updated, result, now);
}

/** The time after the end of a request in which a message that is out of reach is still updated: its channel may come back. */
const COMES_BACK_WITHIN_MS = 7 * 24 * 60 * 60_000;

/**
 * Whether the update of a message that is out of reach is tried again, each hour: of the card, and of an approval message. If
 * nothing was sent yet, it is tried at once when the channel is back (`reachChanged` in use-cases/sharing.ts).
 */
function mayComeBack(record: RequestRecord, { type }: RequestMessage, now: number): boolean {
  const isOver = !STATES[record.state].slot && now - currentStep(record).at > COMES_BACK_WITHIN_MS;
  return !isOver && (type === 'card' || type === 'approval');
}

/** Tells who must know that a card or an approval message can't be seen at present. */
function withMessageUnseen(
  record: RequestRecord,
  { type }: RequestMessage,
  code: string,
  now: number,
): RequestRecord {
  if (type === 'card') return withCardUnseen(record, code, now);
  return STATES[record.state].votes ? withoutApprovalMessage(record, code, now) : record;
}

type Unseen = Extract<UpdateResult, { type: 'gone' | 'out_of_reach' }>;

/** Handles a message that nobody can see. */
function withoutMessage(
  record: RequestRecord,
  message: RequestMessage,
  unseen: Unseen,
  now: number,
): RequestRecord {
  switch (message.type) {
    case 'card':
      return withoutCard(record, unseen.code, now);
    case 'approval':
      return withoutApprovalMessage(record, unseen.code, now);
    default:
      return withMessage(record, message.key, () => withoutUpkeep(record, message, unseen, now));
  }
}

/**
 * Ends the upkeep of a reply or a note that nobody can see, so the next change of the service gets a reply of its own. A last
 * reply that was deleted before it showed the present change is posted again. One in a channel that is out of reach is not: it
 * would stand beside the new one once the channel is back.
 */
function withoutUpkeep(
  record: RequestRecord,
  message: Reply | Note,
  { type }: Unseen,
  now: number,
): RequestMessage {
  const { upkeep, ...rest } = message;
  const isShown = !upkeep || upkeep.shown >= (upkeep.revision ?? record.revision);
  if (isShown || type !== 'gone' || message.type !== 'reply' || !isLast(record, message)) return rest;
  return { ...message, delivery: owed(now, message.delivery), upkeep: shownAnew(upkeep) };
}

const withUpkeepOf = (
  record: RequestRecord,
  messageKey: string,
  change: (upkeep: Upkeep) => Upkeep,
): RequestRecord => withMessage(record, messageKey, (message) => withUpkeep(message, change));

/** Applies an update whose claim was taken over. */
export const applyLateUpdate = (
  record: RequestRecord,
  messageKey: string,
  result: UpdateResult,
  { now, timings }: Pick<ResultContext, 'now' | 'timings'>,
): RequestRecord =>
  withUpkeepOf(record, messageKey, (upkeep) => afterLateUpdate(upkeep, result, { ...timings, now }));

/**
 * Applies a tidy. A copy that was kept in place of the recorded message becomes that message, where it was found. People who
 * voted on another copy are told where to vote.
 */
export function applyTidy(
  record: RequestRecord,
  { messageKey, ...place }: { messageKey: string } & CopiesPlace,
  result: TidyResult,
  { now }: ResultContext,
): RequestRecord {
  const before = messageWithKey(record, messageKey)?.delivery;
  const tidied = withDelivery(record, messageKey, (delivery) => afterTidy(delivery, { place, result, now }));
  if (result.type !== 'tidied') return tidied;
  const { kept, voters, uncounted } = result;
  const isReplaced = kept !== undefined && !(before?.status === 'posted' && before.ts === kept.ts);
  const placed = isReplaced
    ? withMessage(tidied, messageKey, (message) => withPlace(message, kept, place.to))
    : withLostReplyOwed(tidied, messageKey, now);
  const misplaced = [
    ...voters.filter((voter) => !isTold(record, voter)).map((voter) => ({ voter })),
    ...(isReplaced ? uncounted : []).map((voter) => ({ voter, stays: true as const })),
  ];
  return misplaced.reduce((next, vote) => withNote(next, { type: 'misplaced_vote', ...vote }, now), placed);
}

/** Whether a voter was told already: each try of a tidy reports the voters of a copy that still stands. */
const isTold = (record: RequestRecord, voter: string): boolean =>
  hasNote(record, 'misplaced_vote', {
    since: record.approval?.since,
    isSame: (note) => note.voter === voter && !note.stays,
  });
