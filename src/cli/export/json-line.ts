/** Exports a request as a line of JSON, with all its results, but without pending effects. */

import { withIsoTimes } from '../../export/iso-times.ts';
import type { Approval } from '../../requests/model/approvals/approval.ts';
import type { RequestMessage } from '../../requests/model/message.ts';
import type { RequestRecord } from '../../requests/model/record.ts';

export function jsonLine(record: RequestRecord): string {
  const { id, workspace, kind, target, reason, requester, createdAt, channel, state, word } = record;
  const exported = {
    type: 'request',
    ...{ id, workspace, kind, target, reason, requester, createdAt, channel, state, word },
    requestedAt: record.call.requestedAt,
    steps: record.steps.map(({ n, state: entered, at, cause, callResult }) => ({
      n,
      state: entered,
      at,
      cause,
      callResult,
    })),
    approval: record.approval && approvalOf(record.approval),
    messages: record.messages.map(exportedMessage),
  };
  return `${JSON.stringify(withIsoTimes(exported))}\n`;
}

function approvalOf(approval: Approval) {
  const { policy, round, since, votes, history, forgotten, problem, decision, earlier } = approval;
  return { policy, round, since, votes, history, forgotten, problem, decision, earlier };
}

/** A message without what is pending about it. */
const exportedMessage = ({ delivery, upkeep: _pending, ...message }: RequestMessage) => ({
  ...message,
  delivery: delivery.status,
});
