/** Decides where approval is asked for: in a new message, or in the one of a former round. */
import { owed } from '../../../outbox/delivery.ts';
import type { Policy } from '../approvals/policy.ts';
import { approvalMessageOf } from '../facts/messages.ts';
import { type ApprovalMessage, newApprovalMessage } from '../message.ts';
import type { RequestRecord } from '../record.ts';
import { withApprovalMessage } from './messages.ts';

/**
 * Returns a record with a new approval with its approval message, if the policy names a channel for it.
 *
 * @param former the policy of the former round @param now epoch milliseconds
 */
export function withApprovalMessageFor(
  record: RequestRecord,
  former: Policy | undefined,
  now: number,
): RequestRecord {
  const { policy, round } = record.approval ?? {};
  if (policy?.shownIn !== 'approvals_channel') return withApprovalMessage(record, undefined);
  const known = formerMessageIn(policy, approvalMessageOf(record), former, now);
  return withApprovalMessage(record, known ?? newApprovalMessage(round ?? 1, now));
}

/**
 * Returns the former approval message if it is in the right channel, or may be: then it is searched for, and its copies are
 * removed.
 */
function formerMessageIn(
  { channel }: Policy,
  message: ApprovalMessage | undefined,
  former: Policy | undefined,
  now: number,
): ApprovalMessage | undefined {
  if (!message) return undefined;
  const { delivery } = message;
  const isHere = (delivery.status === 'posted' ? delivery.channel : former?.channel) === channel;
  if (!isHere) return undefined;
  if (delivery.status === 'posted' || delivery.status === 'doubtful') return message;
  return delivery.tidies && { ...message, delivery: { ...owed(now), tidies: delivery.tidies } };
}

/**
 * While copies of the former approval message may appear, approval is requested again where that stands, even if the policy
 * names another place by now: nobody would remove the copies otherwise. A channel whose members approve stays.
 */
export function withPlaceOfCopies(policy: Policy, record: RequestRecord): Policy {
  const { delivery } = approvalMessageOf(record) ?? {};
  const mayAppear = delivery?.status === 'doubtful' || delivery?.tidies !== undefined;
  if (!record.approval || !mayAppear || policy.approvers.type === 'channel') return policy;
  const { shownIn, channel } = record.approval.policy;
  return { ...policy, shownIn, channel };
}
