/** Texts for a person whose action on a request changed nothing. */

import { currentStep } from '../../../requests/model/record.ts';
import type { ManualResult } from '../../../requests/use-cases/resolve-manually.ts';
import { personSentence } from '../../blocks/problems.ts';
import { sentence } from '../../messages/sentences/sentences.ts';
import { retrySlotTakenText } from '../conflict-text.ts';

/** @param link to the card of the request that is in the way */
export function manualResultText(
  result: Exclude<ManualResult, { type: 'done' }>,
  link: string | undefined,
): string {
  switch (result.type) {
    case 'not_found':
      return 'I cannot find this request. Nothing was changed.';
    case 'not_allowed':
      return notAllowed(result.problem);
    case 'too_late': {
      const { record } = result;
      return `This request has already changed, so nothing was done. ${sentence(record, currentStep(record))}`;
    }
    case 'slot_taken':
      return retrySlotTakenText(result.by, link);
  }
}

function notAllowed(problem: Extract<ManualResult, { type: 'not_allowed' }>['problem']): string {
  if (problem === 'not_the_requester')
    return 'Only the requester and admins can withdraw this request. Nothing was changed.';
  if (problem === 'not_by_policy')
    return 'Only an admin can withdraw requests of this kind in this workspace. Nothing was changed.';
  if (problem === 'not_while_reviewed')
    return 'While the order service reviews a request, only its approvers and admins can record the outcome. Nothing was changed.';
  if (problem !== 'not_theirs') return personSentence(problem, 'Nothing was changed.');
  return 'Only the requester, the approvers and admins can decide about this request. Nothing was changed.';
}
