/**
 * A word or two for each state, with an emoji in front; ids and tickets as links, by what admins have set. A channel that
 * is shared with another company has no such link, so whoever draws for one passes no addresses.
 */
import type { Summary } from '../../requests/model/approvals/approval.ts';
import type { RequestRecord, Step } from '../../requests/model/record.ts';
import type { State } from '../../requests/model/states.ts';
import { summarize, summarizeAt } from '../../requests/model/summary.ts';
import {
  type Addresses,
  addressOf,
  NO_ADDRESSES,
  ticketAddress,
} from '../../requests/use-cases/addresses.ts';
import { KIND_COPY } from './kind-copy.ts';
import { escaped, linkText, mention } from './text.ts';

export const LABELS: Record<State, string> = {
  awaiting_approval: ':raised_hand: Awaiting approval',
  queued: ':hourglass_flowing_sand: Queued',
  calling: ':hourglass_flowing_sand: Being sent',
  under_review: ':mag: In review',
  unknown: ':grey_question: Outcome unknown',
  canceled: ':white_check_mark: Cancelled',
  approved: ':white_check_mark: Cancelled',
  denied: ':no_entry: Not cancelled',
  sent: ':white_check_mark: Sent',
  failed: ':x: Refused by the order service',
  declined: ':no_entry: Declined',
  withdrawn: ':leftwards_arrow_with_hook: Withdrawn',
  already_canceled: ':white_check_mark: Cancelled',
  expired: ':hourglass: Expired',
  not_sent: ':x: Stopped',
  closed: ':lock: Closed',
};

/** It failed without a refusal: it became known later that no call was received. */
export const NOT_RECEIVED = ':x: Not received';

const HOW: Record<NonNullable<Summary['how']>, string> = {
  accepted: ':inbox_tray: Accepted',
  not_received: NOT_RECEIVED,
  not_asked: ':x: Not sent',
};

const withoutEmoji = (text: string): string => text.replace(/^:\w+: /, '');

/** The label as plain text, for a heading. */
export const plainLabel = (record: RequestRecord): string => withoutEmoji(label(record));

export const label = (record: RequestRecord): string => labelOf(summarize(record));

export const stepLabel = (record: RequestRecord, step: Step): string => labelOf(summarizeAt(record, step));

export const labelOf = ({ state, how }: Summary): string => (how ? HOW[how] : LABELS[state]);

export const recordedNote = (record: RequestRecord): string => recordedNoteOf(summarize(record));

/** Behind a label: what a person recorded is not the word of the order service. */
export const recordedNoteOf = ({ recordedBy }: Summary): string =>
  recordedBy === undefined ? '' : ` · recorded by ${mention(recordedBy)}`;

type Named = Pick<RequestRecord, 'kind' | 'target'>;

/** The id, escaped: a link where the workspace has an address for it. @param shown the id as it is shown, if it is cut */
export function targetText(named: Named, addresses: Addresses = NO_ADDRESSES, shown = named.target): string {
  const address = addressOf(named, addresses);
  return address === undefined ? escaped(shown) : linkText(address, shown);
}

/** The links to the order or offer and to the ticket, in a line; '' if there are none. */
export function linksText(
  { kind, target, ticket }: Named & { ticket?: string | undefined },
  addresses: Addresses = NO_ADDRESSES,
): string {
  const address = addressOf({ kind, target }, addresses);
  const about = ticket === undefined ? undefined : ticketAddress(ticket, addresses);
  return [
    ...(address === undefined ? [] : [linkText(address, `Look at the ${KIND_COPY[kind].noun}`)]),
    ...(about && 'address' in about ? [linkText(about.address, 'Open the ticket')] : []),
  ].join(' · ');
}
