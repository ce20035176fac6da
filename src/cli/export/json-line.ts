/** A request as a line of JSON, with all that came of it. What the bot itself has still to do is left out. */
import type { Approval } from '../../requests/model/approvals/approval.ts';
import type { RequestRecord } from '../../requests/model/record.ts';
import type { Post } from '../../requests/model/tracked-message.ts';
import { withIsoTimes } from './times.ts';

export function jsonLine(record: RequestRecord): string {
  const { id, workspace, kind, target, reason, asker, askedAt, channel, state, word } = record;
  const exported = {
    ...{ id, workspace, kind, target, reason, asker, askedAt, channel, state, word },
    requestedAt: record.call.requestedAt,
    card: placeOf(record.card),
    steps: record.steps.map(({ n, state: entered, at, cause, came }) => ({
      n,
      state: entered,
      at,
      cause,
      came,
    })),
    approval: record.approval && approvalOf(record.approval),
    notes: record.notes.map(({ delivery, ...note }) => ({ ...note, delivery: delivery.status })),
  };
  return `${JSON.stringify(withIsoTimes(exported))}\n`;
}

function approvalOf(approval: Approval) {
  const { policy, round, since, votes, history, forgotten, problem, decision, earlier, ballot } = approval;
  return {
    ...{ policy, round, since, votes, history, forgotten, problem, decision, earlier },
    ballot: ballot && placeOf(ballot),
  };
}

const placeOf = ({ place, delivery }: Post) => ({ ...place, delivery: delivery.status });
