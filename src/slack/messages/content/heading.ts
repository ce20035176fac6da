/** The heading of the messages that show how a request stands, and their footer. */
import type { types } from '@slack/bolt';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import { STATES } from '../../../requests/model/states.ts';
import { correctedBy } from '../../../requests/model/summary.ts';
import { deedOf } from '../../blocks/kind-copy.ts';
import { label, plainLabel } from '../../blocks/labels.ts';
import { header, LIMITS, mention, section, time, truncate } from '../../blocks/text.ts';
import { decisionText } from '../sentences/approval-texts.ts';
import { requestedBy, titleOf } from '../sentences/summary.ts';

/** "*Cancel order A-1001* · ✅ Cancelled": what was to be done, and how it stands. */
export const headingOf = (record: RequestRecord): string => `${titleOf(record)} · ${label(record)}`;

/** The same in large letters, while the request is open. A long id is cut there, and stands in whole beneath. */
export function heading(record: RequestRecord): types.KnownBlock[] {
  const state = ` · ${plainLabel(record)}`;
  const deed = deedOf(record);
  const room = LIMITS.headerText - state.length;
  const whole = deed.length > room ? [section(titleOf(record))] : [];
  return [header(`${truncate(deed, room)}${state}`), ...whole];
}

/** Who has done what, and when. */
export function footer(record: RequestRecord, where?: string): string {
  const decision = decisionText(record);
  const act = actText(record);
  return [requestedBy(record, where), ...(decision ? [decision] : []), ...(act ? [act] : [])].join('\n');
}

const DONE: Partial<Record<RequestRecord['state'], string>> = { withdrawn: 'Withdrawn', closed: 'Closed' };

/** Who has ended the request, or recorded its outcome, and whom that corrects. */
function actText(record: RequestRecord): string | undefined {
  const step = currentStep(record);
  const corrected = correctedBy(record, step);
  const { cause, state } = step;
  const isTheirOwn = cause.type === 'person' && cause.by === corrected;
  const correction =
    corrected && `Corrected: ${isTheirOwn ? 'they' : mention(corrected)} had recorded another outcome`;
  if (cause.type !== 'person' || STATES[state].beforeCall) return correction;
  const act = `${DONE[state] ?? 'Recorded'} by ${mention(cause.by)} · ${time(step.at)}`;
  return correction ? `${act} · ${correction}` : act;
}
