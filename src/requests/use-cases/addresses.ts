/**
 * Makes links of what people type, as admins have set: to an order or offer by a template, and to a ticket on a listed host.
 * Nothing else that somebody typed becomes a link. Finds the ids in a message, also in such addresses.
 */
import { decoded } from '../../json.ts';
import { KINDS, type Kind } from '../model/kinds.ts';
import type { Settings } from '../model/settings.ts';
import { idsIn, targetProblem, trimmedId, withoutNumberSign, withWordsPrintable } from './input.ts';

/** The addresses that admins have set; none where people of another company read. */
export type Addresses = Pick<Settings, 'orderAddress' | 'offerAddress' | 'ticketHosts'>;

export const NO_ADDRESSES: Addresses = {};

/** Our own limits: a message holds several addresses, and a hint names the hosts. */
export const ADDRESS_MAX = 500;
export const HOSTS_MAX = 5;

/** The longest name in the DNS (RFC 1035, section 2.3.4: 255 octets). URL parsers do not check that. */
const HOST_NAME_MAX = 253;

/** The longest address that is made: each character of an id can take nine in it, and a paragraph in Slack holds 3,000. */
const MADE_MAX = 1_000;

/** Marks the place of the id in a template. */
const ID_MARK = '{id}';

/** Takes the place of the mark while a template is parsed: the parser leaves it as it is. */
const STAND_IN = 'countermand-id-goes-here';

export type TemplateProblem = 'not_an_address' | 'not_https' | 'has_credentials' | 'no_id';

type Template = { origin: string; before: string; after: string; search: string; hash: string };

/** Parses a template, which must have one mark, in its path. */
function readTemplate(typed: string): Template | { problem: TemplateProblem } {
  const parts = typed.split(ID_MARK);
  const url = readHttps(parts.join(STAND_IN));
  if ('problem' in url) return url;
  const { origin, pathname, search, hash } = url;
  const [before = '', after, more] = pathname.split(STAND_IN);
  if (parts.length !== 2 || after === undefined || more !== undefined) return { problem: 'no_id' };
  return { origin, before, after, search, hash };
}

function readHttps(typed: string): URL | { problem: Exclude<TemplateProblem, 'no_id'> } {
  const url = typed.length <= ADDRESS_MAX + STAND_IN.length ? URL.parse(typed) : null;
  if (!url || /\s/.test(typed)) return { problem: 'not_an_address' };
  if (url.protocol !== 'https:') return { problem: 'not_https' };
  return url.username || url.password ? { problem: 'has_credentials' } : url;
}

/** Finds the mistake in a template that an admin has typed; undefined: there is none. */
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

/** An address as Slack writes it into a text: "<https://…|label>", with "&" escaped. */
const IN_SLACK = /^<([^<>|]+)(?:\|.*)?>?$/s;

/** The id in a text, if the text is an address that the template makes, as a browser or Slack shows that; else undefined. */
export function idLinked(kind: Kind, text: string, addresses: Addresses): string | undefined {
  // Each of the 20,000 words of a long message is looked at. A browser takes a backslash for a slash.
  if (!/[/\\]/.test(text)) return undefined;
  const address = (IN_SLACK.exec(text)?.[1] ?? text).replaceAll('&amp;', '&');
  const template = templateOf(kind, addresses);
  const url = template && readHttps(address);
  if (!template || !url || 'problem' in url || url.origin !== template.origin) return undefined;
  const { before, after, search } = template;
  if (search !== '' && url.search !== search) return undefined;
  const path = url.pathname;
  const end = [`${after}/`, after].find((each) => path.endsWith(each));
  if (end === undefined || !path.startsWith(before)) return undefined;
  const id = decoded(path.slice(before.length, path.length - end.length));
  return id === undefined || targetProblem(id) ? undefined : id;
}

type Known = Addresses & Pick<Settings, 'orderIdPattern'>;

/**
 * The id that a person means by what they typed: the id in an address that the template makes, or else the text without the
 * punctuation around it, and without a number sign if only then it matches the pattern of orders.
 */
export function idMeant(kind: Kind, typed: string, { orderIdPattern, ...addresses }: Known): string {
  const text = trimmedId(typed);
  return idLinked(kind, text, addresses) ?? withoutNumberSign(kind, text, orderIdPattern);
}

/**
 * The characters between the addresses in the text of a message: white space, and the characters with which Slack writes
 * links.
 */
const BETWEEN = /([\s<>|"“”]+)/;

/** The number of different ids that are looked for in a text. */
const MOST_IDS = 20;
/** Characters of a text that are read: Slack's messages have up to 40,000. */
const MOST_TEXT = 40_000;

/**
 * The words of a text, as far as it is read, without the invisible characters that people copy along. The last word of a long
 * text is left out: it may be the beginning of an id.
 */
function wordsOf(text: string): string[] {
  const words = withWordsPrintable(text.slice(0, MOST_TEXT)).split(BETWEEN);
  return text.length > MOST_TEXT ? words.slice(0, -1) : words;
}

/**
 * Finds the ids in the text of a message: first those in addresses that the template makes, then others: of orders by the
 * pattern of the workspace, of offers by the usual form of an id.
 */
export function idsInMessage(kind: Kind, text: string, { orderIdPattern, ...addresses }: Known): string[] {
  const words = wordsOf(text);
  const linked = words.map((word) => idLinked(kind, trimmedId(word), addresses));
  const rest = words.map((word, n) => (linked[n] === undefined ? word : ' ')).join('');
  const pattern = KINDS[kind].resource === 'order' ? orderIdPattern : undefined;
  const ids = new Set([...linked.filter((id) => id !== undefined), ...idsIn(rest, pattern)]);
  return withinRoom([...ids].slice(0, MOST_IDS));
}

/** The form carries the ids as JSON, beside other things, in the 3,000 characters of its private_metadata. */
const MOST_AS_JSON = 2_000;

function withinRoom(ids: readonly string[]): string[] {
  let taken = 0;
  return ids.filter((id) => {
    taken += JSON.stringify(id).length + 1;
    return taken <= MOST_AS_JSON;
  });
}

export type TicketProblem = 'too_long' | 'not_https' | 'has_credentials' | 'not_an_address' | 'other_host';

/** Parses the address of a ticket. @returns the address as a browser would write it, or what is wrong with it */
export function ticketAddress(
  typed: string,
  { ticketHosts = [] }: Addresses,
): { address: string } | { problem: TicketProblem } {
  if (typed.length > ADDRESS_MAX) return { problem: 'too_long' };
  const url = readHttps(typed);
  if ('problem' in url) return url;
  // As the browser writes it, it may be longer: other letters than English ones take up to nine characters each.
  if (url.href.length > ADDRESS_MAX) return { problem: 'too_long' };
  return ticketHosts.includes(url.host) ? { address: url.href } : { problem: 'other_host' };
}

/**
 * Parses the name of a host, with its port if that is not the usual one; undefined if it is not one. It holds no
 * `*`: URL parsers allow that in a name, but people mean every host by it.
 */
export function hostOf(typed: string): string | undefined {
  const url = readHttps(`https://${typed}`);
  if ('problem' in url || url.host.includes('*') || url.hostname.length > HOST_NAME_MAX) return undefined;
  return url.href === `https://${url.host}/` ? url.host : undefined;
}
