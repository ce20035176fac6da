/** A word or two for the state of a request, with an emoji in front. */
import type { Kind } from '../../../requests/model/kinds.ts';
import type { RequestRecord, Step } from '../../../requests/model/record.ts';
import type { RequestStatus } from '../../../requests/model/request-status.ts';
import type { State } from '../../../requests/model/states.ts';
import { summarize, summarizeAt } from '../../../requests/model/summary.ts';
import { KIND_COPY } from '../../blocks/kind-copy.ts';
import { mention } from '../../blocks/text.ts';
import { STATE_COPY } from './state-copy.ts';

/** It failed without a refusal: it became known later that no call was received. */
export const NOT_RECEIVED = ':x: Not received';

const HOW: Record<NonNullable<RequestStatus['how']>, string> = {
  accepted: ':inbox_tray: Accepted',
  not_received: NOT_RECEIVED,
  not_asked: ':x: Not sent',
};

export const withoutEmoji = (text: string): string => text.replace(/^:\w+: /, '');

/** The label as plain text, for a heading. */
export const plainLabel = (record: RequestRecord): string => withoutEmoji(label(record));

export const label = (record: RequestRecord): string => labelOf({ ...summarize(record), kind: record.kind });

export const stepLabel = (record: RequestRecord, step: Step): string =>
  labelOf({ ...summarizeAt(record, step), kind: record.kind });

export const labelOf = ({ kind, state, how }: RequestStatus & { kind: Kind }): string =>
  how ? HOW[how] : stateLabel(kind, state);

export function stateLabel(kind: Kind, state: State): string {
  const { label: given } = STATE_COPY[state];
  return typeof given === 'string' ? given : given(KIND_COPY[kind]);
}

export const recordedNote = (record: RequestRecord): string => recordedNoteOf(summarize(record));

/** Behind a label: what a person recorded is not the word of the order service. */
export const recordedNoteOf = ({ recordedBy }: RequestStatus): string =>
  recordedBy === undefined ? '' : ` · recorded by ${mention(recordedBy)}`;
