/** What a person reads whose decision about a request did not come through. Pure. */

import { currentStep } from '../../../requests/model/record.ts';
import type { Intervened } from '../../../requests/use-cases/resolve-manually.ts';
import { personSentence } from '../../blocks/problems.ts';
import { sentence } from '../../messages/sentences/sentences.ts';
import { retrySlotTakenText } from '../request/conflict-text.ts';

/** @param link to the card of the request that is in the way */
export function intervenedText(
  intervened: Exclude<Intervened, { type: 'done' }>,
  link: string | undefined,
): string {
  switch (intervened.type) {
    case 'not_found':
      return 'This request is not known any more. Nothing was changed.';
    case 'not_allowed':
      return notAllowed(intervened.problem);
    case 'too_late': {
      const { record } = intervened;
      return `This request has moved on, and nothing was changed. ${sentence(record, currentStep(record))}`;
    }
    case 'slot_taken':
      return retrySlotTakenText(intervened.by, link);
  }
}

function notAllowed(problem: Extract<Intervened, { type: 'not_allowed' }>['problem']): string {
  if (problem === 'not_the_asker')
    return 'Only the person who made a request and admins can withdraw it. Nothing was changed.';
  if (problem === 'not_by_policy')
    return 'Here only an admin can withdraw a request of this kind. Nothing was changed.';
  if (problem === 'not_while_reviewed')
    return 'While the order service reviews a request, only its approvers and admins can record the outcome. Nothing was changed.';
  if (problem !== 'not_theirs') return personSentence(problem, 'Nothing was changed.');
  return 'Only the one who asked, its approvers and admins can decide about this request. Nothing was changed.';
}
