/**
 * The words for what was requested, by whom and why: of each kind of request, its order or offer, its ticket, its reason; for
 * what the order service may have received of it; and the questions before it is withdrawn or sent again.
 */
import type { types } from '@slack/bolt';
import { FORGOTTEN } from '../../../requests/model/audit-entry.ts';
import { KIND_NAMES, KINDS, type Kind, type RequestKind } from '../../../requests/model/kinds.ts';
import type { RequestRecord } from '../../../requests/model/record.ts';
import { mayHaveReceived, receiptOf } from '../../../requests/model/summary.ts';
import {
  type Addresses,
  addressOf,
  NO_ADDRESSES,
  ticketAddress,
} from '../../../requests/use-cases/addresses.ts';
import { isBlank } from '../../../requests/use-cases/input.ts';
import type { Confirming } from '../../blocks/forms.ts';
import { COMMANDS } from '../../blocks/ids.ts';
import { escaped, LIMITS, linkText, mention, time, truncate, withoutBidi } from '../../blocks/text.ts';

/** Completes the words that a kind has (requests/model/kinds.ts). */
function copyOf({ resource, command, words }: RequestKind) {
  const { verb, participle } = words;
  return {
    ...words,
    command,
    noun: resource,
    /** "Cancel order", followed by the id. */
    action: capital(verb),
    isNot: `is not ${participle}`,
    mayBe: `may or may not be ${participle}`,
  };
}

export type KindCopy = ReturnType<typeof copyOf>;

export const KIND_COPY = Object.fromEntries(KIND_NAMES.map((kind) => [kind, copyOf(KINDS[kind])])) as Record<
  Kind,
  KindCopy
>;

type Named = Pick<RequestRecord, 'kind' | 'target'>;

/** "Cancel order A-1", as it was typed: only for plain text. */
export const plainTitleOf = ({ kind, target }: Named): string => `${KIND_COPY[kind].action} ${target}`;

/** "*Cancel order A-1*", escaped, with the id as a link where the workspace has an address for it. */
export const titleOf = (named: Named, addresses?: Addresses): string =>
  `*${KIND_COPY[named.kind].action} ${targetText(named, addresses)}*`;

/**
 * "*Cancel order A-1*: " for a text in the thread of the card, if the card is itself a reply: the thread is a customer's, and may
 * tell of other requests, too. '' under a card of its own.
 */
export const titleInThread = (record: RequestRecord): string =>
  record.thread === undefined ? '' : `${titleOf(record)}: `;

/**
 * A private answer that does not stand beneath its request. It begins with the title of the request, if the result of the act
 * has its record.
 */
export const titled = (result: { type: string; record?: RequestRecord }, text: string): string =>
  result.record ? `${titleOf(result.record)}: ${text}` : text;

/** "order A-1", escaped, whose id links where admins have set an address for it. */
export const targetOf = (named: Named, addresses?: Addresses): string =>
  `${KIND_COPY[named.kind].noun} ${targetText(named, addresses)}`;

/** "Order A-1", escaped, as a sentence begins. */
export const sentenceSubject = (named: Named): string => capital(targetOf(named));

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * The id, escaped: a link where admins have set an address for it. A channel that is shared with another company has no such
 * link: a message for such a channel is written without addresses.
 */
export function targetText(named: Named, addresses: Addresses = NO_ADDRESSES): string {
  const address = addressOf(named, addresses);
  return address === undefined ? escaped(named.target) : linkText(address, named.target);
}

/** The links to the order or offer and to the ticket, in a line; '' if there are none. */
export function linksText(
  { kind, target, ticket }: Named & { ticket?: string | undefined },
  addresses: Addresses = NO_ADDRESSES,
): string {
  const address = addressOf({ kind, target }, addresses);
  const about = ticket === undefined ? undefined : ticketAddress(ticket, addresses);
  return [
    // It names the id: in a form, another one may have been typed since.
    ...(address === undefined ? [] : [linkText(address, `Look at ${KIND_COPY[kind].noun} ${target}`)]),
    ...(about && 'address' in about ? [linkText(about.address, 'Open the ticket')] : []),
  ].join(' · ');
}

/** The links to the order or offer and to the ticket, as lines. A channel that another company reads has none. */
export function linkLines(record: RequestRecord, addresses?: Addresses): string[] {
  const links = record.inSharedChannel ? '' : linksText(record, addresses);
  return links === '' ? [] : [links];
}

type Reasoned = Pick<RequestRecord, 'reason' | 'requester'>;

/** Quotes the reason, and says whose it is, in rich text, where nothing of it is taken for markup. */
export function quote({ reason, requester }: Reasoned): types.RichTextBlock[] {
  if (isBlank(reason)) return [];
  const quoted = { type: 'text' as const, text: truncate(withoutBidi(reason), LIMITS.sectionText) };
  const elements = [whose(requester, "'s reason:"), { type: 'rich_text_quote' as const, elements: [quoted] }];
  return [{ type: 'rich_text', elements }];
}

/** The characters of a reason that a decided request still shows. */
const SHORT_REASON = 150;

/** Quotes the beginning of the reason, once nobody has to decide by it. */
export function shortQuote({ reason, requester }: Reasoned): types.RichTextBlock[] {
  if (isBlank(reason)) return [];
  const elements = [whose(requester, `'s reason: “${truncate(withoutBidi(reason), SHORT_REASON)}”`)];
  return [{ type: 'rich_text', elements }];
}

const whose = (user: string, text: string): types.RichTextSection => ({
  type: 'rich_text_section',
  elements: [
    user === FORGOTTEN ? { type: 'text', text: capital(mention(user)) } : { type: 'user', user_id: user },
    { type: 'text', text },
  ],
});

/** The end of a phrase about a channel that counts as shared: a pending invitation of another company counts, too. */
export const SHARED = 'shared with another company, or about to be';

/** The note in place of the reasons in a channel that is shared with another company. */
export function reasonsElsewhere({ id }: Pick<RequestRecord, 'id'>): string {
  return `This channel is ${SHARED}, so reasons are not shown here. People who may read them can type \`${COMMANDS.countermand} status ${id}\`.`;
}

/** The end of a line: nothing where there is no link. */
export const threadLink = (link: string | undefined): string => (link ? ` · <${link}|Open the thread>` : '');

/** The last line of a list of the requests for one id, of which `findRequests` finds ten. */
export const ONLY_NEWEST = 'Only the newest ten are shown.';

/** The requester, where and when the request was made, and its id. */
export function requestedBy(record: RequestRecord, where = ''): string {
  const about = record.message ? ` · about ${linkText(record.message, 'this message')}` : '';
  return `Requested by ${mention(record.requester)}${where} · ${time(record.createdAt)}${about} · request \`${record.id}\``;
}

const lookUp = ({ kind, target }: Named): string =>
  `look ${KIND_COPY[kind].noun} ${escaped(target)} up there, and check the recorded outcome`;

/** Says what is known of the calls beside an outcome that a person recorded, which it may contradict. */
export function unconfirmed(record: RequestRecord): string {
  switch (receiptOf(record)) {
    case 'none':
      return `It is now certain that the order service did not receive the request: ${lookUp(record)}.`;
    case 'refused':
      return `It is now certain that the order service refused the request: ${lookUp(record)}.`;
    default:
      return 'The order service has not confirmed this.';
  }
}

/** Says whether anything was sent before a step that ends a request or holds it back. */
export function unsent(record: RequestRecord, step: { n: number }): string {
  return receiptOf(record, step.n) === 'none' ? 'nothing was sent' : 'the request was not sent again';
}

export function notToBeSent(record: RequestRecord): string {
  return receiptOf(record) === 'none' ? 'nothing is sent to the order service' : 'it is not sent again';
}

/** Says that a request is held back: the beginning of a sentence that says until when. */
export function notSentMeanwhile(record: RequestRecord): string {
  return receiptOf(record) === 'none' ? 'nothing is sent' : 'the request is not sent again';
}

/** " again", if a call may have reached the order service. @param before the number of a step, before which the call began */
export const orAgain = (record: RequestRecord, before?: number): string =>
  receiptOf(record, before) === 'none' ? '' : ' again';

/** Says what withdrawing a request means, in plain text. @param which request, where its reader has two before them */
export function withdrawalText(record: RequestRecord, which = 'This request'): string {
  const { noun, verb } = KIND_COPY[record.kind];
  if (mayHaveReceived(record))
    return `${which} is not sent again, but an earlier call may have been received: look ${noun} ${record.target} up in the order service.`;
  return receiptOf(record) === 'none'
    ? `${which} is not sent: the order service is not asked to ${verb} ${record.target}.`
    : `${which} is not sent again.`;
}

export function retryQuestion(record: RequestRecord): Confirming {
  const again = orAgain(record);
  return {
    title: `Send this request${again}?`,
    text: `The order service is asked${again} to ${KIND_COPY[record.kind].verb} ${record.target}. If this needs a new approval, the approvers decide first.`,
    yes: `Send${again}`,
    no: 'Do not send',
  };
}

export const withdrawQuestion = (record: RequestRecord): Confirming => ({
  title: 'Withdraw this request?',
  text: withdrawalText(record),
  yes: 'Withdraw',
  no: 'Keep the request',
});

/** Says that a call before a step may have been received; undefined: none may have been. */
export function doubt(record: RequestRecord, step: { n: number }): string | undefined {
  if (!mayHaveReceived(record, step.n)) return undefined;
  return `An earlier call may have been received, so ${targetOf(record)} ${KIND_COPY[record.kind].mayBe}: look it up in the order service.`;
}
