/** What a person reads whose vote changed nothing. Pure. */

import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import type { ReasonGiven } from '../../../requests/use-cases/approvals/give-reason.ts';
import type { Voted } from '../../../requests/use-cases/approvals/vote.ts';
import { mentions } from '../../blocks/text.ts';
import { refusedText } from '../../messages/sentences/approval-texts.ts';
import { sentence } from '../../messages/sentences/sentences.ts';

export function votedText(voted: Exclude<Voted, { type: 'counted' }>): string {
  switch (voted.type) {
    case 'not_found':
      return 'This request is not known any more. Nothing was changed.';
    case 'refused':
      return refusedText(voted.problem, voted.policy);
    case 'no_vote':
      return 'You have not voted with a button here, so nothing was changed. To take back a reaction, remove it from the message.';
    case 'too_late':
      return `Your vote came too late, and changed nothing. ${how(voted.record)}`;
  }
}

/** Who decided, and how it stands now; that it was decided says itself by whom. */
function how(record: RequestRecord): string {
  const { decision } = record.approval ?? {};
  const step = currentStep(record);
  const now = sentence(record, step);
  const isTold = decision?.choice !== 'yes' || step.cause.type === 'decision';
  return isTold ? now : `${mentions(decision.by)} approved it before. ${now}`;
}

export function reasonText(given: Exclude<ReasonGiven, { type: 'given' }>): string {
  switch (given.type) {
    case 'not_found':
      return 'This request is not known any more. Nothing was changed.';
    case 'not_theirs':
      return 'Only whoever denied this request can say why. Nothing was changed.';
    case 'too_late':
      return 'A reason was given already. Nothing was changed.';
  }
}
