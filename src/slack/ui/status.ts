/** How a request stands, with its history; for the eyes of one person. Pure. */
import { currentStep, type RequestRecord, type Step } from '../../requests/record.ts';
import { label, stepLabel } from './labels.ts';
import { LIMITS, truncate } from './limits.ts';
import { sentence } from './sentences.ts';
import { escaped, mention, time } from './text.ts';
import { targetOf, WORDS } from './words.ts';

export type StatusView = { record: RequestRecord; showsReason: boolean; link: string | undefined };

export function statusText({ record, showsReason, link }: StatusView): string {
  const reason = showsReason
    ? `Reason: ${escaped(record.reason) || 'none was given'}`
    : 'The reason is shown to the members of its channel only.';
  const lines = [
    `*${WORDS[record.kind].deed} ${escaped(record.target)}* · ${label(record)}`,
    sentence(record, currentStep(record)),
    reason,
    `Asked by ${mention(record.asker)} in <#${record.channel}>${link ? ` · <${link}|Open the thread>` : ''}`,
    '*History*',
    ...history(record),
  ];
  return truncate(lines.join('\n'), LIMITS.messageText);
}

/** Several requests for one order, a line each. */
export function severalText(records: readonly RequestRecord[]): string {
  const [first] = records;
  const lines = records.map(
    (record) => `• \`${record.id}\` ${label(record)} · ${time(record.askedAt)} · ${mention(record.asker)}`,
  );
  return [
    `There are several requests for ${first ? targetOf(first) : 'this id'}, the newest first:`,
    ...lines,
  ].join('\n');
}

/** Tries that were not received are told once, with their number: a record may hold dozens. */
function history(record: RequestRecord): string[] {
  const told = record.steps.filter((step) => !isRetry(step));
  const tries = record.call.attempts > 1 ? [`• Tried ${record.call.attempts} times`] : [];
  return [...told.map((step) => `• ${time(step.at)} ${happened(step)}`), ...tries];
}

function isRetry({ state, cause }: Step): boolean {
  return state === 'calling' || (state === 'queued' && cause.type === 'answer');
}

function happened(step: Step): string {
  switch (step.cause.type) {
    case 'asked':
      return `Asked by ${mention(step.cause.by)}`;
    case 'event':
      return `${stepLabel(step)}, by an event of the order service`;
    case 'answer':
      return `${stepLabel(step)}, by the answer of the order service`;
    case 'person':
      return `${stepLabel(step)}, by ${mention(step.cause.by)}`;
    default:
      return stepLabel(step);
  }
}
