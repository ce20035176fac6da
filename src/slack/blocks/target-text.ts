/**
 * Ids and tickets as links, by what admins have set. A channel that is shared with another company has no such link, so
 * whoever draws for one passes no addresses.
 */
import type { RequestRecord } from '../../requests/model/record.ts';
import {
  type Addresses,
  addressOf,
  NO_ADDRESSES,
  ticketAddress,
} from '../../requests/use-cases/addresses.ts';
import { KIND_COPY } from './kind-copy.ts';
import { escaped, linkText } from './text.ts';

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
