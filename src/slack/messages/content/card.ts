/** Draws the card and the approval message of a request, which are always kept up to date. */
import type { types } from '@slack/bolt';
import { isPending } from '../../../outbox/delivery.ts';
import type { Approval, EarlierRequest } from '../../../requests/model/approval.ts';
import { asChannelReads } from '../../../requests/model/channels.ts';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import { approvalMessageOf, CARD, withDelivery } from '../../../requests/model/record-messages.ts';
import { endedByMistake } from '../../../requests/model/refusal.ts';
import { STATES } from '../../../requests/model/states.ts';
import { personCorrectedBy } from '../../../requests/model/summary.ts';
import type { Addresses } from '../../../requests/use-cases/addresses.ts';
import { policyFor } from '../../../requests/use-cases/approvals/approvers.ts';
import { buttonRow } from '../../blocks/forms.ts';
import {
  ago,
  code,
  context,
  escaped,
  header,
  LIMITS,
  type Message,
  mention,
  mentions,
  type NamePeople,
  section,
  time,
  truncate,
} from '../../blocks/text.ts';
import { approversText, awaiting, decisionText, howToVote } from '../sentences/approval-texts.ts';
import {
  KIND_COPY,
  linkLines,
  plainTitleOf,
  quote,
  reasonsElsewhere,
  requestedBy,
  shortQuote,
  titleOf,
} from '../sentences/request-words.ts';
import {
  cardLine,
  label,
  labelOf,
  plainLabel,
  recordedNoteOf,
  sentence,
  whatHappened,
} from '../sentences/sentences.ts';
import { cardButtons, voteButtons } from './buttons.ts';

/**
 * Draws the card, which everybody in the channel of the request reads.
 *
 * @param addresses what admins have set; none where people of another company read
 * @param approvers mentions of those who can vote on this card, if it is posted now
 * @param people names the people of earlier requests
 */
export function card(
  whole: RequestRecord,
  addresses?: Addresses,
  approvers?: string,
  people: NamePeople = mentions,
): Message {
  const record = asPosted(asChannelReads(whole));
  const said = approvers === undefined ? spoken(record) : awaiting(record, approvers);
  return {
    text: truncate(`${escaped(plainTitleOf(record))}: ${said}`, LIMITS.messageText),
    // In one line: only the requester needs to know what was wrong, and is told it elsewhere.
    blocks: endedByMistake(record)
      ? [context(`${titleLine(record)} · ${requestedBy(record)}`)]
      : blocksOf(record, { addresses, approvers, people }),
  };
}

/** The record as its card tells it, with the card posted: the card is drawn before it is posted, but read only after that. */
function asPosted(record: RequestRecord): RequestRecord {
  const posted = { status: 'posted', channel: record.channel, ts: '' } as const;
  return withDelivery(record, CARD, (delivery) => (isPending(delivery) ? posted : delivery));
}

/** The text for notifications and screen readers, which show no heading, footer or thread. */
const spoken = (record: RequestRecord): string =>
  endedByMistake(record) ? whatHappened(record) : sentence(record, currentStep(record));

type Shown = { addresses: Addresses | undefined; approvers: string | undefined; people: NamePeople };

function blocksOf(record: RequestRecord, { addresses, approvers, people }: Shown): types.KnownBlock[] {
  const line = approvers === undefined ? cardLine(record) : awaiting(record, approvers);
  const lines = [line, wordNote(record), slotNote(record)].filter((each) => each !== undefined);
  const isOpen = STATES[record.state].slot;
  const texts = isOpen ? lines : [titleLine(record), ...lines];
  const reason = isOpen ? quote(record) : shortQuote(record);
  return [
    ...(isOpen ? largeTitle(record) : []),
    ...(texts.length > 0 ? [section(texts.join('\n'))] : []),
    ...(record.inSharedChannel ? [context(reasonsElsewhere(record))] : reason),
    context([...linkLines(record, addresses), footer(record)].join('\n')),
    ...votingOnCard(record, people),
    ...cardButtons(record),
  ];
}

function votingOnCard(record: RequestRecord, people: NamePeople): types.KnownBlock[] {
  const { approval, state } = record;
  if (!STATES[state].votes || !approval || approvalMessageOf(record)) return [];
  return [...earlierRequests(record, people), context(howToVote(record, approval))];
}

/** Lists earlier requests for the same order or offer, which approvers should know of, as they were when approval was requested. */
export function earlierRequests(
  { approval, target, kind }: RequestRecord,
  people: NamePeople = mentions,
): types.KnownBlock[] {
  if (!approval || approval.earlier.length === 0) return [];
  const lines = approval.earlier.map((each) => earlierLine(each, target, people));
  const title = `Earlier requests for this ${KIND_COPY[kind].noun}, as of ${time(approval.since)}:`;
  return [context([title, ...lines].join('\n'))];
}

/** One earlier request, with its id where that is spelled otherwise. @param here the id as the present request spells it */
function earlierLine(earlier: EarlierRequest, here: string, people: NamePeople): string {
  const { id, kind, target, requester, createdAt } = earlier;
  const spelled = target === here ? '' : ` ${escaped(target)}`;
  const how = `${labelOf(earlier)}${recordedNoteOf(earlier, people)}`;
  return `• ${KIND_COPY[kind].action}${spelled} · ${how} · ${people([requester])}, ${ago(createdAt)} · \`${id}\``;
}

/** Shows the status word of the service, if the interface does not list it. */
const wordNote = ({ word }: RequestRecord): string | undefined =>
  word === undefined ? undefined : `The order service reports the status ${code(word)}.`;

/** Says that the request is open again beside another one that holds the slot. */
const slotNote = ({ holdsSlot, state, kind }: RequestRecord): string | undefined =>
  holdsSlot || !STATES[state].slot
    ? undefined
    : `The order service reopened this request while another request for the same ${KIND_COPY[kind].noun} was open.`;

/**
 * Draws the approval message, which stands in the approvals channel.
 *
 * @param link to the card, in the channel of the request; undefined if Slack did not give it
 * @param shown `addresses`: what admins have set; none where people of another company read. `approvers`: mentions of those who
 *   can vote; undefined: their group, or a name for all of them. `people`: as in `card`
 */
export function approvalMessage(
  record: RequestRecord,
  link: string | undefined,
  { addresses, approvers, people = mentions }: Partial<Shown> = {},
): Message {
  const asked = STATES[record.state].votes ? record.approval : undefined;
  // Once the request is decided, what to do next stands on the card: this message has no button for it.
  const said = asked ? question(record, asked, approvers) : whatHappened(record);
  const lines = [titleLine(record), declineReason(record)].filter((each) => each !== undefined);
  const facts = [
    // The channel of the request may be shared, and this one is not.
    ...linkLines({ ...record, inSharedChannel: false }, addresses),
    footer(record, ` in <#${record.channel}>`),
    ...(link ? [`<${link}|Open its thread>`] : []),
  ].join('\n');
  return {
    text: truncate(`${escaped(plainTitleOf(record))}: ${said}`, LIMITS.messageText),
    blocks: asked
      ? [
          ...largeTitle(record),
          section(said),
          ...quote(record),
          context(facts),
          ...earlierRequests(record, people),
          context(howToVote(record, asked)),
          ...buttonRow(voteButtons(record)),
        ]
      : [section(lines.join('\n')), ...shortQuote(record), context(facts)],
  };
}

/** The reason of a decline: the approval message has no thread in which a reply would give it. */
function declineReason({ approval }: RequestRecord): string | undefined {
  const { by = [], reason } = approval?.decision ?? {};
  return reason && `${mentions(by)}'s reason: “${escaped(reason)}”`;
}

/** Asks for approval. Members of the approvals channel need no name of that channel. */
function question(record: RequestRecord, approval: Approval, approvers: string | undefined): string {
  const policy = policyFor(record, approval);
  const all = policy.approvers.type === 'channel' ? 'the members of this channel' : approversText(policy);
  return awaiting(record, approvers ?? all);
}

/** "*Cancel order A-1001* · ✅ Cancelled": the title and the state in one line. */
const titleLine = (record: RequestRecord): string => `${titleOf(record)} · ${label(record)}`;

/** The title and the state in large letters, while the request is open. A long id is cut there, and stands in whole beneath. */
function largeTitle(record: RequestRecord): types.KnownBlock[] {
  const state = ` · ${plainLabel(record)}`;
  const title = plainTitleOf(record);
  const room = LIMITS.headerText - state.length;
  const whole = title.length > room ? [section(titleOf(record))] : [];
  return [header(`${truncate(title, room)}${state}`), ...whole];
}

const footer = (record: RequestRecord, where?: string): string =>
  [requestedBy(record, where), decisionText(record), actText(record)].filter(Boolean).join('\n');

const ENDED: Partial<Record<RequestRecord['state'], string>> = { withdrawn: 'Withdrawn', closed: 'Closed' };

/** The person who has ended the request, or recorded its outcome, and whom that corrects. */
function actText(record: RequestRecord): string | undefined {
  const step = currentStep(record);
  const corrected = personCorrectedBy(record, step);
  const { cause, state } = step;
  const isTheirOwn = cause.type === 'person' && cause.by === corrected;
  const correction =
    corrected && `Corrected: ${isTheirOwn ? 'they' : mention(corrected)} had recorded another outcome`;
  if (cause.type !== 'person' || STATES[state].beforeCall) return correction;
  const act = `${ENDED[state] ?? 'Recorded'} by ${mention(cause.by)} · ${time(step.at)}`;
  return correction ? `${act} · ${correction}` : act;
}
