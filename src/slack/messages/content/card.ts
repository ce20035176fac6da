/** Draws the card, which is the one message that always shows the truth about a request, and the approval message. */
import type { types } from '@slack/bolt';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import { approvalMessageOf } from '../../../requests/model/record-messages.ts';
import { endedByMistake } from '../../../requests/model/refusal.ts';
import { STATES } from '../../../requests/model/states.ts';
import { correctedBy } from '../../../requests/model/summary.ts';
import { asChannelReads } from '../../../requests/model/withheld-reasons.ts';
import type { Addresses } from '../../../requests/use-cases/addresses.ts';
import { policyFor } from '../../../requests/use-cases/approvals/voters.ts';
import { buttonRow } from '../../blocks/forms.ts';
import { KIND_COPY, plainTitleOf } from '../../blocks/kind-copy.ts';
import {
  code,
  context,
  escaped,
  header,
  LIMITS,
  type Message,
  mention,
  mentions,
  section,
  time,
  truncate,
} from '../../blocks/text.ts';
import { approversText, awaiting, decisionText, howToVote } from '../sentences/approval-texts.ts';
import { cardLine, happened, sentence } from '../sentences/sentences.ts';
import { label, plainLabel } from '../sentences/state-copy.ts';
import {
  earlierRequests,
  linkLines,
  quote,
  reasonsElsewhere,
  requestedBy,
  shortQuote,
  titleOf,
} from '../sentences/summary.ts';
import { buttons, voteButtons } from './buttons.ts';

/**
 * @param addresses what admins have set; none where people of another company read
 * @param approvers mentions of those who can vote on this card, if it has just to be posted
 */
export function card(whole: RequestRecord, addresses?: Addresses, approvers?: string): Message {
  const record = asChannelReads(whole);
  const said = approvers === undefined ? spoken(record) : awaiting(record, approvers);
  return {
    text: truncate(`${escaped(plainTitleOf(record))}: ${said}`, LIMITS.messageText),
    // One line: the rest, which helps nobody but the requester, is told to them.
    blocks: endedByMistake(record)
      ? [context(`${headingOf(record)} · ${requestedBy(record)}`)]
      : blocksOf(record, addresses, approvers),
  };
}

/** For notifications and screen readers, which know no heading, footer and thread. */
const spoken = (record: RequestRecord): string =>
  endedByMistake(record) ? happened(record) : sentence(record, currentStep(record));

function blocksOf(
  record: RequestRecord,
  addresses: Addresses | undefined,
  approvers: string | undefined,
): types.KnownBlock[] {
  const line = approvers === undefined ? cardLine(record) : awaiting(record, approvers);
  const lines = [line, wordNote(record), slotNote(record)].filter((each) => each !== undefined);
  const isOpen = STATES[record.state].slot;
  const texts = isOpen ? lines : [headingOf(record), ...lines];
  const reason = isOpen ? quote(record) : shortQuote(record);
  return [
    ...(isOpen ? heading(record) : []),
    ...(texts.length > 0 ? [section(texts.join('\n'))] : []),
    ...(record.inSharedChannel ? [context(reasonsElsewhere(record))] : reason),
    context([...linkLines(record, addresses), footer(record)].join('\n')),
    ...votingOnCard(record),
    ...buttons(record),
  ];
}

/** The facts for approvers, on a card that people vote on. */
function votingOnCard(record: RequestRecord): types.KnownBlock[] {
  const { approval, state } = record;
  if (!STATES[state].votes || !approval || approvalMessageOf(record)) return [];
  return [...earlierRequests(record), context(howToVote(approval))];
}

/** The status word of the service, if the interface does not list it. */
const wordNote = ({ word }: RequestRecord): string | undefined =>
  word === undefined ? undefined : `The order service reports the status ${code(word)}.`;

const slotNote = ({ holdsSlot, state, kind }: RequestRecord): string | undefined =>
  holdsSlot || !STATES[state].slot
    ? undefined
    : `The order service reopened this request while another request for the same ${KIND_COPY[kind].noun} is open.`;

/**
 * @param link to the card, in the channel of the request; undefined if Slack did not give it
 * @param shown `addresses`: what admins have set; none where people of another company read. `approvers`: mentions of those who
 * can vote; undefined: their group, or a name for all of them
 */
export function approvalMessage(
  record: RequestRecord,
  link: string | undefined,
  { addresses, approvers }: { addresses?: Addresses | undefined; approvers?: string | undefined } = {},
): Message {
  const isOpen = STATES[record.state].votes;
  // Once it is decided, what to do next stands on the card: this message has no button for it.
  const said = isOpen ? question(record, approvers) : happened(record);
  const lines = [headingOf(record), declineReason(record)].filter((each) => each !== undefined);
  const who = [
    // The channel of the request may be shared, and this one is not.
    ...linkLines({ ...record, inSharedChannel: false }, addresses),
    footer(record, ` in <#${record.channel}>`),
    ...(link ? [`<${link}|Open its thread>`] : []),
  ];
  return {
    text: truncate(`${escaped(plainTitleOf(record))}: ${said}`, LIMITS.messageText),
    blocks: [
      ...(isOpen ? [...heading(record), section(said)] : [section(lines.join('\n'))]),
      ...(isOpen ? quote(record) : shortQuote(record)),
      context(who.join('\n')),
      ...(isOpen ? earlierRequests(record) : []),
      ...voting(record),
    ],
  };
}

/** This message has no thread that would tell it. */
function declineReason({ approval }: RequestRecord): string | undefined {
  const { by = [], reason } = approval?.decision ?? {};
  return reason && `${mentions(by)}'s reason: “${escaped(reason)}”`;
}

/** Asks for approval. Members of the approvals channel need no name of that channel. */
function question(record: RequestRecord, approvers: string | undefined): string {
  if (!record.approval) return '';
  const policy = policyFor(record, record.approval);
  const all = policy.approvers.type === 'channel' ? 'the members of this channel' : approversText(policy);
  return awaiting(record, approvers ?? all);
}

function voting(record: RequestRecord): types.KnownBlock[] {
  const { approval, state } = record;
  if (!STATES[state].votes || !approval) return [];
  return [context(howToVote(approval)), ...buttonRow(voteButtons(record))];
}

/** "*Cancel order A-1001* · ✅ Cancelled": what was to be done, and how it stands. */
const headingOf = (record: RequestRecord): string => `${titleOf(record)} · ${label(record)}`;

/** The same in large letters, while the request is open. A long id is cut there, and stands in whole beneath. */
function heading(record: RequestRecord): types.KnownBlock[] {
  const state = ` · ${plainLabel(record)}`;
  const title = plainTitleOf(record);
  const room = LIMITS.headerText - state.length;
  const whole = title.length > room ? [section(titleOf(record))] : [];
  return [header(`${truncate(title, room)}${state}`), ...whole];
}

function footer(record: RequestRecord, where?: string): string {
  const decision = decisionText(record);
  const act = actText(record);
  return [requestedBy(record, where), ...(decision ? [decision] : []), ...(act ? [act] : [])].join('\n');
}

const DONE: Partial<Record<RequestRecord['state'], string>> = { withdrawn: 'Withdrawn', closed: 'Closed' };

/** The person who has ended the request, or recorded its outcome, and whom that corrects. */
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
