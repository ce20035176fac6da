/** What a person reads whose decision about a request did not come through. Pure. */
import type { Intervened } from '../../requests/intervene.ts';
import { currentStep } from '../../requests/record.ts';
import { personSentence } from './problems.ts';
import { sentence } from './sentences.ts';
import { slotTakenText } from './standing.ts';

/** @param link to the card of the request that is in the way */
export function intervenedText(
  intervened: Exclude<Intervened, { type: 'done' }>,
  link: string | undefined,
): string {
  switch (intervened.type) {
    case 'not_found':
      return 'This request is not known any more. Nothing was changed.';
    case 'not_allowed':
      return intervened.problem === 'not_theirs'
        ? 'Only the one who asked, and admins, can decide about this request. Nothing was changed.'
        : personSentence(intervened.problem);
    case 'too_late': {
      const { record } = intervened;
      return `This request has moved on, and nothing was changed. ${sentence(record, currentStep(record))}`;
    }
    case 'slot_taken':
      return slotTakenText(intervened.by, link);
  }
}
