/**
 * Creates the record of a new request, and decides where approval is asked for: on the card, in a new approval message, or in
 * that of a former round.
 */
import { owed } from '../../outbox/delivery.ts';
import { newKeptMessage } from '../../outbox/message.ts';
import { NOT_STORED } from '../../outbox/record-store.ts';
import { type NewApproval, newApproval } from './approval.ts';
import type { Policy } from './policy.ts';
import type { ApprovalMessage, RequestRecord } from './record.ts';
import { approvalMessageOf, CARD, newApprovalMessage, withApprovalMessage } from './record-messages.ts';
import { withProblem } from './record-notes.ts';

export type NewRequest = Pick<
  RequestRecord,
  'id' | 'workspace' | 'kind' | 'target' | 'reason' | 'requester' | 'channel'
> &
  Partial<Pick<RequestRecord, 'inSharedChannel' | 'repeats' | 'thread' | 'message' | 'ticket'>>;

/** Creates a request, awaiting approval or queued. Its card is owed, and nothing is sent yet. */
export function newRecord(request: NewRequest, now: number, approval?: NewApproval): RequestRecord {
  const state = approval ? 'awaiting_approval' : 'queued';
  const record: RequestRecord = {
    inSharedChannel: false,
    ...request,
    version: NOT_STORED,
    createdAt: now,
    state,
    holdsSlot: true,
    steps: [{ n: 1, state, at: now, cause: { type: 'requested', by: request.requester } }],
    ...(approval ? { approval: newApproval(approval, now) } : {}),
    messages: [{ ...newKeptMessage(CARD, now), type: 'card' }],
    clicks: [],
    lateActions: [],
    revision: 1,
    call: { attempts: 0, notBefore: now },
    bufferedEvents: [],
    lateAnswers: [],
    appliedEvents: { digests: [] },
  };
  const asked = approval ? withApprovalMessageFor(record, undefined, now) : record;
  return withProblem(asked, approval?.problem, now);
}

/**
 * Adds the approval message to a record with a new approval, if the policy names a channel for it.
 *
 * @param former the policy of the former round
 */
export function withApprovalMessageFor(
  record: RequestRecord,
  former: Policy | undefined,
  now: number,
): RequestRecord {
  const { policy, round = 1 } = record.approval ?? {};
  if (policy?.shownIn !== 'approvals_channel') return withApprovalMessage(record, undefined);
  const known = formerMessageIn(policy, approvalMessageOf(record), former, now);
  return withApprovalMessage(record, known ?? newApprovalMessage(round, now));
}

/**
 * Returns the former approval message if it is in the right channel, or may be there: then it is searched for, and its copies
 * are removed.
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
  return delivery.tidies && { ...message, delivery: owed(now, delivery) };
}

/**
 * Returns the policy with the place of the former approval message while copies of that message may appear, even if the
 * policy names another place by now: nobody would remove the copies otherwise. Only a policy whose approvers are the members of
 * another channel can't have that place.
 */
export function withPlaceOfCopies(policy: Policy, record: RequestRecord): Policy {
  const { delivery } = approvalMessageOf(record) ?? {};
  const mayAppear = delivery?.status === 'doubtful' || delivery?.tidies !== undefined;
  if (!record.approval || !mayAppear) return policy;
  const { shownIn, channel } = record.approval.policy;
  const isBound = policy.approvers.type === 'channel' && policy.channel !== channel;
  return isBound ? policy : { ...policy, shownIn, channel };
}
