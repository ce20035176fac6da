/** How a request stands, with its history; for the eyes of one person. Pure. */
import { withoutReasons } from '../../../requests/model/facts/reasons.ts';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import { deedOf, WORDS } from '../../blocks/kind-copy.ts';
import { label, recordedNote } from '../../blocks/labels.ts';
import { LIMITS, truncate } from '../../blocks/limits.ts';
import { context, escaped, mention, section, sections, time } from '../../blocks/text.ts';
import type { Message } from '../../messages/card.ts';
import { sentence } from '../../messages/sentences/sentences.ts';
import { askedBy, quote } from '../../messages/sentences/summary.ts';
import { happenings } from './timeline.ts';

export type StatusView = { record: RequestRecord; showsReason: boolean; link: string | undefined };

/** In blocks, so that a long reason cuts off nothing of the history. */
export function statusMessage({ record, showsReason, link }: StatusView): Message {
  const shown = showsReason ? record : withoutReasons(record);
  const now = sentence(shown, currentStep(shown));
  const title = `*${WORDS[record.kind].deed} ${escaped(record.target)}* · ${label(record)}${recordedNote(record)}`;
  const thread = link ? ` · <${link}|Open the thread>` : '';
  return {
    text: truncate(`${title}\n${now}`, LIMITS.messageText),
    blocks: [
      section(`${title}\n${now}`),
      ...(showsReason ? quote(record.reason) : [context(UNSHOWN)]),
      context(`${askedBy(record, ` in <#${record.channel}>`)}${thread}`),
      ...sections(['*History*', ...happenings(record)]),
    ],
  };
}

const UNSHOWN = 'The reason is shown to the members of its channel only.';

/** Several requests for one id, a line each. */
export function severalText(records: readonly RequestRecord[]): string {
  const lines = records.map(
    (record) =>
      `• \`${record.id}\` ${escaped(deedOf(record))} · ${label(record)}${recordedNote(record)} · ${time(record.askedAt)} · ${mention(record.asker)}`,
  );
  return [
    `There are several requests for ${escaped(records[0]?.target ?? 'this id')}, the newest first:`,
    ...lines,
  ].join('\n');
}
