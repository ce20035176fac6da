/**
 * Makes addresses of what people type, by what admins have set: that of an order or offer, by a template, and that of a
 * ticket, on a host that is listed. The bot makes no other links of what somebody typed.
 */
import { KINDS, type Kind } from '../model/kinds.ts';
import type { Settings } from '../ports/ports.ts';
import { targetProblem } from './rules.ts';

/** What admins have set about addresses; nothing where people of another company read. */
export type Addresses = Pick<Settings, 'orderAddress' | 'offerAddress' | 'ticketHosts'>;

export const NO_ADDRESSES: Addresses = {};

/** Our own limit, of templates and of addresses: a message holds several. */
export const ADDRESS_MAX = 500;

/** Each character of an id can take nine in an address, and a paragraph holds 3,000. */
const MADE_MAX = 1_000;

/** Stands for the id in a template. */
const ID_PLACE = '{id}';

export type TemplateProblem = 'not_an_address' | 'not_https' | 'has_credentials' | 'no_id';

/** Takes the place of the id while a template is parsed: the parser leaves it as it is. */
const PLACE = 'countermand-id-goes-here';

type Template = { origin: string; before: string; after: string; search: string; hash: string };

/** Parses a template: its only `{id}` stands in the path. */
function readTemplate(typed: string): Template | { problem: TemplateProblem } {
  const parts = typed.split(ID_PLACE);
  const url = readHttps(parts.join(PLACE));
  if ('problem' in url) return url;
  const { origin, pathname, search, hash } = url;
  const [before = '', after, more] = pathname.split(PLACE);
  if (parts.length !== 2 || after === undefined || more !== undefined) return { problem: 'no_id' };
  return { origin, before, after, search, hash };
}

function readHttps(typed: string): URL | { problem: Exclude<TemplateProblem, 'no_id'> } {
  const url = typed.length <= ADDRESS_MAX + PLACE.length ? URL.parse(typed) : null;
  if (!url || /\s/.test(typed)) return { problem: 'not_an_address' };
  if (url.protocol !== 'https:') return { problem: 'not_https' };
  return url.username || url.password ? { problem: 'has_credentials' } : url;
}

/** What is wrong with a template that an admin has typed. */
export function templateProblem(typed: string): TemplateProblem | undefined {
  const template = readTemplate(typed);
  return 'problem' in template ? template.problem : undefined;
}

type Named = { kind: Kind; target: string };

const templateOf = (kind: Kind, { orderAddress, offerAddress }: Addresses): Template | undefined => {
  const typed = KINDS[kind].resource === 'order' ? orderAddress : offerAddress;
  const template = typed === undefined ? undefined : readTemplate(typed);
  return template && 'origin' in template ? template : undefined;
};

/** The address of an order or offer, in whose path the id is one part; undefined if there is no template. */
export function addressOf({ kind, target }: Named, addresses: Addresses): string | undefined {
  const template = templateOf(kind, addresses);
  if (!template || targetProblem(target)) return undefined;
  const { origin, before, after, search, hash } = template;
  const address = `${origin}${before}${encodedPart(target)}${after}${search}${hash}`;
  return address.length > MADE_MAX ? undefined : address;
}

/** encodeURIComponent leaves a few characters that a URL reserves (RFC 3986, section 2.2). */
const encodedPart = (id: string): string =>
  encodeURIComponent(id).replace(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

export type TicketProblem = 'too_long' | 'not_https' | 'has_credentials' | 'not_an_address' | 'other_host';

/** Parses the address of a ticket. @returns it as a browser would write it, or what is wrong with it */
export function ticketAddress(
  typed: string,
  { ticketHosts = [] }: Addresses,
): { address: string } | { problem: TicketProblem } {
  if (typed.length > ADDRESS_MAX) return { problem: 'too_long' };
  const url = readHttps(typed);
  if ('problem' in url) return url;
  return ticketHosts.includes(url.host) ? { address: url.href } : { problem: 'other_host' };
}
