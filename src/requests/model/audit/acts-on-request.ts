/**
 * Finds the acts of people that a change of a request shows: the steps and the votes that it has added, and the reason of a
 * decline. What the service and the bot did is no act, and what was refused changes nothing but its note in the history.
 */
import type { Approval } from '../approvals/approval.ts';
import { lastEntry, type VoteEntry } from '../approvals/votes.ts';
import type { RequestRecord, Step } from '../record.ts';
import type { ManualAction } from '../states.ts';
import { correctedBy } from '../summary.ts';
import type { Act, NewAuditEntry } from './audit-entry.ts';

/** @param before undefined: the request is new */
export function actsOnRequest(before: RequestRecord | undefined, after: RequestRecord): NewAuditEntry[] {
  return [
    ...votesSince(before?.approval, after),
    ...stepsSince(before, after),
    ...reasonSince(before, after),
  ];
}

/** The reason that an approver has given after the decision: that there is one, not its text. */
function reasonSince(before: RequestRecord | undefined, after: RequestRecord): NewAuditEntry[] {
  const { round, decision } = after.approval ?? {};
  const at = decision?.reasonAt;
  if (!decision || at === undefined || before?.approval?.decision?.reasonAt === at) return [];
  const id = `${after.id}:round:${padded(round ?? 0)}:reason`;
  return [{ ...aboutRequest(after), id, at, by: decision.by, act: 'gave_reason' }];
}

function stepsSince(before: RequestRecord | undefined, after: RequestRecord): NewAuditEntry[] {
  const last = before?.steps.at(-1)?.n ?? 0;
  return after.steps.flatMap((step, i) => {
    const done = step.n > last ? actOfStep(after, step) : undefined;
    if (!done) return [];
    const from = after.steps[i - 1]?.state;
    const id = `${after.id}:step:${padded(step.n)}`;
    return [{ ...aboutRequest(after), id, at: step.at, ...done, ...(from && { from }), to: step.state }];
  });
}

/** @returns undefined if no person caused the step */
function actOfStep(record: RequestRecord, step: Step): Pick<NewAuditEntry, 'act' | 'by'> | undefined {
  const { cause } = step;
  switch (cause.type) {
    case 'requested':
      return { act: 'requested', by: [cause.by] };
    case 'decision':
      return { act: 'decided', by: cause.by };
    case 'approval_requested_again':
      return { act: 'retried', by: [cause.by] };
    case 'person': {
      const act = ACT_OF[cause.action];
      const isCorrection = act === 'recorded' && correctedBy(record, step) !== undefined;
      return { act: isCorrection ? 'corrected' : act, by: [cause.by] };
    }
    default:
      return undefined;
  }
}

const ACT_OF: Record<ManualAction, Act> = {
  approved: 'recorded',
  denied: 'recorded',
  sent: 'recorded',
  canceled: 'recorded',
  in_review: 'recorded',
  never_received: 'corrected',
  not_received: 'retried',
  retry: 'retried',
  release: 'released',
  withdraw: 'withdrew',
};

function votesSince(before: Approval | undefined, after: RequestRecord): NewAuditEntry[] {
  const last = before ? lastEntry(before) : 0;
  const added = after.approval?.history.filter(({ n }) => n > last) ?? [];
  return added.flatMap((entry) => {
    const done = actOfVote(entry);
    const id = `${after.id}:entry:${padded(entry.n)}`;
    return done ? [{ ...aboutRequest(after), id, at: entry.at, by: [entry.by], ...done }] : [];
  });
}

/** @returns undefined if it is no act of the voter: the vote was refused, or lost with the right to it */
function actOfVote({ type, choice }: VoteEntry): { act: Act; from?: string; to?: string } | undefined {
  switch (type) {
    case 'voted':
      return { act: 'voted', to: choice };
    case 'taken_back':
    case 'gone':
      return { act: 'took_vote_back', from: choice };
    default:
      return undefined;
  }
}

const aboutRequest = ({ workspace, id, kind, target }: RequestRecord) => ({
  workspace,
  request: { id, kind, target },
});

/** Entries of one millisecond are listed by their ids. */
const padded = (n: number): string => `${n}`.padStart(6, '0');
