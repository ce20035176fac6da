/** Creates the record of a new request. */

import { NOT_STORED } from '../../../outbox/record-store.ts';
import { type NewApproval, newApproval } from '../approvals/approval.ts';
import { newCard } from '../message.ts';
import type { RequestRecord } from '../record.ts';
import { withApprovalMessageFor } from './ask-again.ts';
import { withProblem } from './notify.ts';

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
    messages: [newCard(now)],
    clicks: [],
    lateActions: [],
    revision: 1,
    call: { attempts: 0, notBefore: now },
    bufferedEvents: [],
    lateAnswers: [],
    appliedEvents: { digests: [], hasUntimed: false },
  };
  const asked = approval ? withApprovalMessageFor(record, undefined, now) : record;
  return withProblem(asked, approval?.problem, now);
}
