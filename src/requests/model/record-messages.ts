/** Makes, finds and changes the messages of a request in its record, their deliveries and the channels that show them. */
import type { Delivery } from '../../outbox/delivery.ts';
import { newKeptMessage, newMessage } from '../../outbox/message.ts';
import type {
  ApprovalMessage,
  Note,
  NoteContent,
  Reply,
  RequestMessage,
  RequestRecord,
  Step,
} from './record.ts';

export const CARD = 'card';

export const replyKey = (step: number): string => `reply:${step}`;

export const newApprovalMessage = (round: number, now: number): ApprovalMessage => ({
  ...newKeptMessage(`approval:${round}`, now),
  type: 'approval',
  round,
});

export const newReply = (step: number, to: NonNullable<Reply['to']>, now: number): Reply => ({
  ...newMessage(replyKey(step), now),
  type: 'reply',
  step,
  to,
});

/** @returns undefined if the record has no such message */
export const messageWithKey = ({ messages }: RequestRecord, key: string): RequestMessage | undefined =>
  messages.find((message) => message.key === key);

/** @throws if the record has no such message: an effect names one that exists */
export function messageNamed(record: RequestRecord, key: string): RequestMessage {
  const found = messageWithKey(record, key);
  if (!found) throw new Error(`The record has no message ${key}.`);
  return found;
}

/** @throws if the record has no such step: a reply names one that exists */
export function stepWithNumber({ steps }: RequestRecord, n: number): Step {
  const found = steps.find((step) => step.n === n);
  if (!found) throw new Error(`The record has no step ${n}.`);
  return found;
}

/** Returns the card, which every record has. */
export const cardOf = ({ messages }: RequestRecord): RequestMessage =>
  messages.find(({ type }) => type === 'card') as RequestMessage;

/** Whether the request has no card any more, and so no thread of its own: it was deleted, or Slack refused it for good. */
export const isCardGone = (record: RequestRecord): boolean => cardOf(record).delivery.status === 'given_up';

/** The message in the approvals channel; undefined if people vote on the card. */
export const approvalMessageOf = ({ messages }: RequestRecord): ApprovalMessage | undefined =>
  messages.find((message) => message.type === 'approval');

/** @returns undefined if the step has no reply */
export const replyOf = (record: RequestRecord, { n }: Pick<Step, 'n'>): Reply | undefined =>
  messageWithKey(record, replyKey(n)) as Reply | undefined;

export const repliesOf = ({ messages }: RequestRecord): Reply[] =>
  messages.filter((message) => message.type === 'reply');

export const isNote = (message: RequestMessage): message is Note =>
  message.type !== 'card' && message.type !== 'approval' && message.type !== 'reply';

export const notesOf = ({ messages }: RequestRecord): Note[] => messages.filter(isNote);

/**
 * Whether the record has a note of a type already: most notes are added once.
 *
 * @param among the notes that count: those that `isSame` accepts, and that were added at `since` or later
 */
export function hasNote<T extends NoteContent['type']>(
  record: RequestRecord,
  type: T,
  among: { since?: number | undefined; isSame?: (note: Extract<Note, { type: T }>) => boolean } = {},
): boolean {
  const { since = 0, isSame = () => true } = among;
  return notesOf(record).some(
    (note) => note.type === type && note.at >= since && isSame(note as Extract<Note, { type: T }>),
  );
}

/** The timestamp of the parent of the request's thread; undefined until the request has a card in Slack. */
export function threadUnderCard(record: RequestRecord): string | undefined {
  const { location } = cardOf(record);
  return location && (record.thread ?? location.ts);
}

/** Lists the channels that a request depends on: the card's and, if the policy has one, the approvals channel. */
export const channelsOf = ({ channel, approval }: RequestRecord): string[] =>
  [channel, approval?.policy.channel].filter((each) => each !== undefined);

/** The message that approvers react to: the approval message, or the card if there is none. */
export const votedOn = (record: RequestRecord): RequestMessage => approvalMessageOf(record) ?? cardOf(record);

/**
 * Whether the message that approvers react to may have reactions from before approval was requested, which do not count. Slack
 * takes no second reaction with the same emoji, so those people have to remove theirs first.
 */
export const mayHaveFormerReactions = (record: RequestRecord): boolean =>
  record.approval?.carried === undefined && votedOn(record).at < (record.approval?.since ?? 0);

/**
 * Whether the message that approvers react to may be in Slack without being recorded: it is being posted, or an earlier attempt
 * may have posted it, and no search has found it yet.
 */
export function isVotedOnUnrecorded(record: RequestRecord): boolean {
  const { key, location, delivery } = votedOn(record);
  const mayAppear = delivery.status === 'doubtful' || delivery.tidies !== undefined;
  return location === undefined && (isUnderWay(record, key) || mayAppear);
}

/** Whether a process is performing an effect on the message with a key. */
export const isUnderWay = ({ claim }: RequestRecord, key: string): boolean =>
  claim !== undefined && 'messageKey' in claim && claim.messageKey === key;

/** Returns the record with one message changed, if it has a message with this key. */
export const withMessage = (
  record: RequestRecord,
  key: string,
  change: (message: RequestMessage) => RequestMessage,
): RequestRecord => ({
  ...record,
  messages: record.messages.map((message) => (message.key === key ? change(message) : message)),
});

export const withDelivery = (
  record: RequestRecord,
  key: string,
  change: (delivery: Delivery) => Delivery,
): RequestRecord =>
  withMessage(record, key, (message) => ({ ...message, delivery: change(message.delivery) }));

/** Returns the record with another approval message, or without one. */
export function withApprovalMessage(
  record: RequestRecord,
  message: ApprovalMessage | undefined,
): RequestRecord {
  const [card, ...others] = record.messages.filter(({ type }) => type !== 'approval');
  return { ...record, messages: [card, message, ...others].filter((each) => each !== undefined) };
}
