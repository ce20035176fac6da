/** Finds the messages of a request, their deliveries and the channels that show them. */
import type { Delivery, Destination } from '../../../outbox/delivery.ts';
import type { MessageKey, TrackedMessage } from '../message.ts';
import type { RequestRecord } from '../record.ts';

/** Lists all messages of the record, the most important first. */
export function messageKeysOf({ approval, steps, notifications }: RequestRecord): MessageKey[] {
  return [
    { type: 'card' },
    ...(approval?.approvalMessage ? [{ type: 'approval_message' } as const] : []),
    ...steps.flatMap(({ n, reply }) => (reply ? [{ type: 'reply', n } as const] : [])),
    ...notifications.map(({ n }) => ({ type: 'notification', n }) as const),
  ];
}

/** @returns undefined if the record has no such message */
export function deliveryOf(
  { card, approval, steps, notifications }: RequestRecord,
  messageKey: MessageKey,
): Delivery | undefined {
  switch (messageKey.type) {
    case 'card':
      return card.delivery;
    case 'approval_message':
      return approval?.approvalMessage?.delivery;
    case 'reply':
      return steps.find(({ n }) => n === messageKey.n)?.reply?.delivery;
    case 'notification':
      return notifications.find(({ n }) => n === messageKey.n)?.delivery;
  }
}

/** Returns the current destination of a reply. */
export function destinationOfReply(
  { steps }: RequestRecord,
  messageKey: MessageKey,
): Destination | undefined {
  return messageKey.type === 'reply' ? steps.find(({ n }) => n === messageKey.n)?.reply?.to : undefined;
}

/** Lists the channels that a request depends on: the card's, and the approvers', which shows it or whose members approve. */
export function channelsOf({ channel, approval }: RequestRecord): string[] {
  const approvers = approval?.policy.channel;
  return approvers === undefined ? [channel] : [channel, approvers];
}

/** The message that approvers react to: the approval message, or the card if there is none. */
export function votedOn({ approval, card }: RequestRecord): TrackedMessage {
  return approval?.approvalMessage ?? card;
}

/**
 * Whether the message that approvers react to may be in Slack, and is not recorded: it is being posted, or may have been,
 * also by an attempt that a search has not found yet.
 */
export function isVotedOnUnrecorded(record: RequestRecord): boolean {
  const { location, delivery } = votedOn(record);
  const messageKey = record.approval?.approvalMessage ? 'approval_message' : 'card';
  const { claim } = record;
  const isClaimed = claim !== undefined && 'messageKey' in claim && claim.messageKey.type === messageKey;
  const mayAppear = delivery.status === 'doubtful' || delivery.tidies !== undefined;
  return location === undefined && (isClaimed || mayAppear);
}

/** The channel of the message that approvers react to. */
export const channelOfVotes = ({ approval, channel }: RequestRecord): string | undefined =>
  approval?.approvalMessage ? approval.policy.channel : channel;

/** Returns the step or the notification with a number. @throws if there is none: a message key names one that exists */
export function byNumber<T extends { n: number }>(all: readonly T[], n: number): T {
  const found = all.find((each) => each.n === n);
  if (!found) throw new Error(`The record has no number ${n}.`);
  return found;
}
