/** The entries that the audit trail must hold about a request, by what the request says of itself. */
import type { RequestRecord, Step } from '../../../src/requests/model/record.ts';

/** An act as the trail tells it. */
export type Told = { act: string; by: string; at: number };

/** The act in the trail, by what a person confirmed. */
const ACTS: Readonly<Record<string, string>> = {
  withdraw: 'withdrew',
  release: 'released',
  retry: 'retried',
  not_received: 'retried',
  never_received: 'corrected',
};

/** The outcomes that a person can record. An outcome after a recorded review corrects nothing. */
const OUTCOMES: ReadonlySet<string> = new Set(['approved', 'denied', 'sent', 'canceled']);

const isRecordedOutcome = (step: Step | undefined): boolean =>
  step?.cause.type === 'person' && OUTCOMES.has(step.cause.action);

/** The act in the trail, by the type of an entry in the history of votes. Other types are no acts of a person. */
const VOTES: Readonly<Record<string, string>> = {
  voted: 'voted',
  taken_back: 'took_vote_back',
  gone: 'took_vote_back',
};

export function actsShownBy({ steps, approval }: RequestRecord): Told[] {
  const voted = (approval?.history ?? []).flatMap(({ type, by, at }) => {
    const act = VOTES[type];
    return act ? [{ act, by, at }] : [];
  });
  const { by = [], reasonAt } = approval?.decision ?? {};
  const reasons = reasonAt === undefined ? [] : [{ act: 'gave_reason', by: by.join(), at: reasonAt }];
  return [...voted, ...reasons, ...steps.flatMap((step, i) => actOf(step, steps[i - 1]))];
}

function actOf({ cause, at }: Step, former: Step | undefined): Told[] {
  switch (cause.type) {
    case 'requested':
      return [{ act: 'requested', by: cause.by, at }];
    case 'approval_requested_again':
      return [{ act: 'retried', by: cause.by, at }];
    case 'decision':
      return [{ act: 'decided', by: cause.by.join(), at }];
    case 'person':
      return [
        {
          act: ACTS[cause.action] ?? (isRecordedOutcome(former) ? 'corrected' : 'recorded'),
          by: cause.by,
          at,
        },
      ];
    default:
      return [];
  }
}
