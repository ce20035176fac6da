/** The state and the timeline of a request, shown to one person. */
import type { types } from '@slack/bolt';
import { withPause } from '../../../requests/model/changes.ts';
import type { Pause } from '../../../requests/model/pause.ts';
import { withoutReasons } from '../../../requests/model/reasons.ts';
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
import { quote, requestedBy, threadLink, titleOf } from '../../messages/sentences/summary.ts';
import type { Linking } from '../card-links.ts';
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
export function statusMessage(view: StatusView): Message {
  return {
    text: truncate(headOf({ ...view, addresses: undefined }), LIMITS.messageText),
    blocks: statusBlocks(view),
  };
}

/** @param isWhole whether every vote and every try is listed, for which a message has no room */
export function statusBlocks(view: StatusView, isWhole = false): types.KnownBlock[] {
  const { record, showsReason, link } = view;
  return [
    section(headOf(view)),
    ...(showsReason ? quote(record) : [context(UNSHOWN)]),
    context(`${requestedBy(record, ` in <#${record.channel}>`)}${threadLink(link)}`),
    ...sections(['*History*', ...timeline(record, isWhole)]),
  ];
}

function headOf({ record: stored, showsReason, paused, addresses }: StatusView): string {
  const record = withPause(stored, paused, stored.createdAt);
  const shown = showsReason ? record : withoutReasons(record);
  const now = sentence(shown, currentStep(shown));
  return `${titleOf(record, addresses)} · ${label(record)}${recordedNote(record)}\n${now}`;
}

const UNSHOWN = 'Only the requester, approvers, admins and members of the channel can read the reason.';

/** Several requests for one id, a line each. */
export function severalMessage(records: readonly RequestRecord[], linking: Linking): Message {
  const about = `There are several requests for ${escaped(records[0]?.target ?? 'this id')}, newest first:`;
  const lines = (links: Linking) => [about, ...records.map((record) => lineOf(record, links))];
  const { linkTo } = linking;
  return {
    text: truncate(lines({ linkTo }).join('\n'), LIMITS.messageText),
    blocks: sections(lines(linking)),
  };
}

const lineOf = (record: RequestRecord, { linkTo, addresses }: Linking): string =>
  `• \`${record.id}\` ${KIND_COPY[record.kind].deed} ${targetText(record, addresses)} · ${label(record)}${recordedNote(record)} · ${time(record.createdAt)} · ${mention(record.requester)}${threadLink(linkTo(record))}`;
