/** The words for each kind of request, its order or offer as words and as a link, and links to its ticket. */
import { KIND_NAMES, KINDS, type Kind, type RequestKind } from '../../../requests/model/kinds.ts';
import type { RequestRecord } from '../../../requests/model/record.ts';
import {
  type Addresses,
  addressOf,
  NO_ADDRESSES,
  ticketAddress,
} from '../../../requests/use-cases/addresses.ts';
import { escaped, linkText } from '../../blocks/text.ts';

/** Completes the words that the file of a kind gives (requests/model/kinds). */
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
    willNotBe: `will not be ${participle}`,
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
 * link: whoever writes for such a channel passes no addresses.
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
    ...(address === undefined ? [] : [linkText(address, `Look at the ${KIND_COPY[kind].noun}`)]),
    ...(about && 'address' in about ? [linkText(about.address, 'Open the ticket')] : []),
  ].join(' · ');
}
