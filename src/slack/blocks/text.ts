/** Text objects, Slack's limits on them, and the escaping that makes text safe to show. */
import type { types } from '@slack/bolt';
import { FORGOTTEN, TERMINAL } from '../../requests/model/audit-entry.ts';
import { asLabel, asTyped, isAsTyped, richText } from './rich-text.ts';

/** `text`: for notifications, and for readers that draw no blocks. */
export type Message = { text: string; blocks: types.KnownBlock[] };

/** Characters, or entries, that Slack accepts (https://docs.slack.dev/reference/block-kit). */
export const LIMITS = {
  headerText: 150,
  sectionText: 3_000,
  buttonText: 75,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  modalTitle: 24,
  modalButton: 24,
  optionText: 75,
  options: 100,
  placeholder: 150,
  searchText: 200,
  messageText: 4_000,
  /** https://docs.slack.dev/reference/methods/views.update */
  externalId: 255,
} as const;

export const header = (text: string): types.HeaderBlock => ({
  type: 'header',
  text: plain(text, LIMITS.headerText),
});

/** The text, cut to `limit` characters with an ellipsis; a pair of surrogates is never split. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text
    .slice(0, limit - 1)
    .toWellFormed()
    .replace(/\uFFFD$/u, '')}…`;
}

/**
 * Escapes text of a person or of the service, so that it becomes no mention, no link and no formatting
 * (https://docs.slack.dev/messaging/formatting-message-text).
 */
export const escaped = (text: string): string => withoutReferences(asTyped(text));

/** Escapes text for code, in which Slack draws neither bold nor emoji. */
export const code = (text: string): string => `\`${withoutReferences(asTyped(text, /`/g))}\``;

/**
 * Links to an address that the bot has made.
 *
 * @param address as `URL` writes it, which leaves some characters that mean something to Slack
 * @param label as it was typed
 */
export function linkText(address: string, label: string): string {
  const url = address.replace(/[|`*~]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
  return `<${withoutReferences(url)}|${withoutReferences(asLabel(label))}>`;
}

const withoutReferences = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Plain text may be typed, too: Slack draws no emoji for the names of some. */
export function plain(text: string, limit: number = LIMITS.sectionText): types.PlainTextElement {
  return { type: 'plain_text', text: truncate(text, limit), emoji: false };
}

/** Verbatim: Slack makes no links and mentions of what only looks like some. @param text with all that is typed escaped */
const mrkdwn = (text: string): types.MrkdwnElement => ({ type: 'mrkdwn', text, verbatim: true });

/** @param text with all that is typed escaped */
export function section(given: string): types.SectionBlock | types.RichTextBlock {
  const text = truncate(given, LIMITS.sectionText);
  return isAsTyped(text) ? richText(text) : { type: 'section', text: mrkdwn(text) };
}

/** @param text without anything typed */
export function sectionWith(text: string, accessory: types.Button): types.SectionBlock {
  return { type: 'section', text: mrkdwn(truncate(text, LIMITS.sectionText)), accessory };
}

/** A section with an element at its side or, where only rich text can show what was typed, beneath it. */
export function row(
  given: string,
  element: types.Button | types.Overflow,
  block_id: string,
): types.KnownBlock[] {
  const text = truncate(given, LIMITS.sectionText);
  return isAsTyped(text)
    ? [richText(text), { type: 'actions', block_id, elements: [element] }]
    : [{ type: 'section', block_id, text: mrkdwn(text), accessory: element }];
}

/** A message of one paragraph. */
export function textMessage(text: string): Message {
  return { text: truncate(text, LIMITS.messageText), blocks: [section(text)] };
}

const LINES_IN_SECTION = 5;

/** Lines, in as many sections as they need: long ones must not cut off those after them, or a link in its middle. */
export function sections(lines: readonly string[]): ReturnType<typeof section>[] {
  const groups: string[][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    const isFull = !last || last.length === LINES_IN_SECTION;
    if (isFull || [...last, line].join('\n').length > LIMITS.sectionText) groups.push([line]);
    else last.push(line);
  }
  return groups.map((group) => section(group.join('\n')));
}

export function context(given: string): types.ContextBlock | types.RichTextBlock {
  const text = truncate(given, LIMITS.sectionText);
  return isAsTyped(text) ? richText(text) : { type: 'context', elements: [mrkdwn(text)] };
}

/** @param user the id of a person, `TERMINAL` or `FORGOTTEN` */
export function mention(user: string): string {
  if (user === TERMINAL) return 'the operator';
  return user === FORGOTTEN ? 'a removed person' : `<@${user}>`;
}

/** Mentions people in a message. */
export type NamePeople = (users: readonly string[]) => string;

/** "@ana", "@ana and @ben", "@ana, @ben and @cara" */
export const mentions: NamePeople = (users) => listed(users.map(mention));

/** "Ana", "Ana and Ben", "Ana, Ben and Cara" */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(names).replace(', and ', ' and ');
}

/** @param at epoch milliseconds; shown in the reader's own time zone, or in UTC where dates can't be drawn */
export function time(at: number): string {
  const utc = `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `<!date^${Math.floor(at / 1_000)}^{date_short_pretty} {time}|${utc}>`;
}

/** The time since then, counted up by Slack for the reader; the time itself if dates can't be drawn. */
export function ago(at: number): string {
  const utc = `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `<!date^${Math.floor(at / 1_000)}^{ago}|${utc}>`;
}
