/** Finds the person whose record of an outcome the order service contradicts. */

import type { RequestRecord, Step } from '../record.ts';
import { STATES } from '../states.ts';
import { isWordOfService } from './receipt.ts';

/**
 * @param step that the service has led to
 * @returns the person whose record it corrects; undefined where it corrects nobody's
 */
export function correctedBy({ steps }: RequestRecord, step: Step): string | undefined {
  if (!isWordOfService(step)) return undefined;
  const earlier = steps.filter(({ n }) => n < step.n);
  const at = earlier.findLastIndex((each, i) => isRecorded(each) || saysNotReceived(each, earlier[i - 1]));
  const recorded = earlier[at];
  const since = earlier.slice(at + 1);
  if (!recorded || since.some(isWordOfService)) return undefined;
  const isContradicted = isRecorded(recorded)
    ? STATES[recorded.state].outcome !== STATES[step.state].outcome
    : isOfEarlierCall(step, earlier, since);
  return isContradicted && 'by' in recorded.cause ? String(recorded.cause.by) : undefined;
}

/** Whether a person recorded an outcome. */
export const isRecorded = ({ cause, state }: Step): boolean =>
  cause.type === 'person' && STATES[state].outcome !== undefined;

/** A person said that the service had received nothing; where it needs approval again, only the state before tells so. */
function saysNotReceived({ cause }: Step, before: Step | undefined): boolean {
  if (cause.type === 'person') return cause.act === 'not_received';
  return cause.type === 'asked_again' && before?.state === 'unknown';
}

/** Whether what the service says is about a call from before a person said that none was received. */
function isOfEarlierCall({ cause }: Step, earlier: readonly Step[], since: readonly Step[]): boolean {
  const isCall = ({ state }: Step) => state === 'calling';
  if (cause.type === 'answer') {
    const answered = earlier.filter(isCall)[cause.attempt - 1];
    return answered !== undefined && !since.includes(answered);
  }
  return !since.some((each) => isCall(each) && each.came !== 'not_received' && each.came !== 'refused');
}
