/** Applies that a card or an approval message can no longer be seen. */

import { givenUp } from '../../outbox/delivery.ts';
import { ApproversProblem } from '../model/approvals/problems.ts';
import { withDelivery } from '../model/changes/messages.ts';
import { withProblem } from '../model/changes/notify.ts';
import { approvalMessageOf } from '../model/facts/messages.ts';
import type { RequestRecord } from '../model/record.ts';
import { STATES } from '../model/states.ts';
import { transition, withCardGivenUp } from '../model/transition.ts';

/**
 * Handles a refused or deleted card. Before the call this ends the request. Afterwards untried replies go to the
 * requester, and replies that may be in the thread are searched for there first.
 */
export function withoutCard(record: RequestRecord, code: string, now: number): RequestRecord {
  const bare = withCardGivenUp(record, code);
  return transition(bare, { type: 'card_refused', code }, now) ?? bare;
}

/**
 * Handles an approval message that is no longer visible. A problem of the channel can be fixed, so an admin is
 * told. If the message is gone, nobody can vote any more, and nothing is sent.
 */
export function withoutApprovalMessage(record: RequestRecord, code: string, now: number): RequestRecord {
  const message = approvalMessageOf(record);
  if (!message) return withoutCard(record, code, now);
  const problem = ApproversProblem.safeParse(code).data;
  if (problem && STATES[record.state].votes) return withProblem(record, problem, now);
  const bare = withDelivery(record, message.key, (delivery) => givenUp(delivery, code));
  const ends = STATES[record.state].votes;
  return (ends && transition(bare, { type: 'card_refused', code }, now)) || bare;
}
