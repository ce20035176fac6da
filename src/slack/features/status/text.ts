/** The state and the timeline of a request, shown to one person. */
import { withPause } from '../../../requests/model/changes/hold.ts';
import { withoutReasons } from '../../../requests/model/facts/reasons.ts';
import type { Pause } from '../../../requests/model/pause.ts';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import type { Addresses } from '../../../requests/use-cases/addresses.ts';
import { KIND_COPY } from '../../blocks/kind-copy.ts';
import { label, recordedNote } from '../../blocks/labels.ts';
import { targetText } from '../../blocks/target-text.ts';
import {
  context,
  escaped,
  LIMITS,
  type Message,
  mention,
  section,
  sections,
  time,
  truncate,
} from '../../blocks/text.ts';
import { sentence } from '../../messages/sentences/sentences.ts';
import { quote, requestedBy, titleOf } from '../../messages/sentences/summary.ts';
import { timeline } from './timeline.ts';

/** `paused`: as the settings have it. */
export type StatusView = {
  record: RequestRecord;
  showsReason: boolean;
  link: string | undefined;
  paused?: Pause | undefined;
  addresses?: Addresses | undefined;
};

/** In blocks, so that a long reason cuts off nothing of the history. */
export function statusMessage({ record: stored, showsReason, link, paused, addresses }: StatusView): Message {
  const record = withPause(stored, paused, stored.createdAt);
  const shown = showsReason ? record : withoutReasons(record);
  const now = sentence(shown, currentStep(shown));
  const state = `${label(record)}${recordedNote(record)}`;
  const thread = link ? ` · <${link}|Open the thread>` : '';
  return {
    text: truncate(`${titleOf(record)} · ${state}\n${now}`, LIMITS.messageText),
    blocks: [
      section(`${titleOf(record, addresses)} · ${state}\n${now}`),
      ...(showsReason ? quote(record.reason) : [context(UNSHOWN)]),
      context(`${requestedBy(record, ` in <#${record.channel}>`)}${thread}`),
      ...sections(['*History*', ...timeline(record)]),
    ],
  };
}

const UNSHOWN = 'Only the requester, approvers, admins and members of the channel can read the reason.';

/** Several requests for one id, a line each. */
export function severalMessage(records: readonly RequestRecord[], addresses?: Addresses): Message {
  const about = `There are several requests for ${escaped(records[0]?.target ?? 'this id')}, newest first:`;
  const lines = (linking?: Addresses) => [about, ...records.map((record) => lineOf(record, linking))];
  return { text: truncate(lines().join('\n'), LIMITS.messageText), blocks: sections(lines(addresses)) };
}

const lineOf = (record: RequestRecord, addresses: Addresses | undefined): string =>
  `• \`${record.id}\` ${KIND_COPY[record.kind].deed} ${targetText(record, addresses)} · ${label(record)}${recordedNote(record)} · ${time(record.createdAt)} · ${mention(record.requester)}`;
