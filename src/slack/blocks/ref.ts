/** The reference in a button or a form: a request, at the step that the person saw. */
import { currentStep, type RequestRecord } from '../../requests/model/record.ts';

/** Names a request, and the step that it was in. */
export type Ref = { id: string; step: number };

export const refOf = (record: RequestRecord): string => `${record.id}:${currentStep(record).n}`;

/** @param text what Slack gave back; whatever is not ours names nothing that exists */
export function readRef(text: string): Ref {
  const [id = '', step = ''] = text.split(':');
  return { id, step: Number(step) };
}
