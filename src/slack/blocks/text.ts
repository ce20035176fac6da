/** Text objects, Slack's limits on them, and the escaping that makes text safe to show. */
import type { types } from '@slack/bolt';

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
} as const;

/** The text, cut to `limit` characters with an ellipsis; a pair of surrogates is never split. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text
    .slice(0, limit - 1)
    .toWellFormed()
    .replace(/\uFFFD$/u, '')}…`;
}

/**
 * Escapes text of a person or of the service, so that it can't mention anybody or become a link
 * (https://docs.slack.dev/messaging/formatting-message-text).
 */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Escapes text for code, in which Slack draws neither bold nor emoji. */
export const code = (text: string): string => `\`${escaped(text).replaceAll('`', "'")}\``;

export function plain(text: string, limit: number = LIMITS.sectionText): types.PlainTextElement {
  return { type: 'plain_text', text: truncate(text, limit) };
}

/** @param text with everything that is not our own already escaped */
export function mrkdwn(text: string): types.MrkdwnElement {
  return { type: 'mrkdwn', text: truncate(text, LIMITS.sectionText) };
}

export function section(text: string): types.SectionBlock {
  return { type: 'section', text: mrkdwn(text) };
}

const LINES_IN_SECTION = 5;

/** Lines, in as many sections as they need: a long one must not cut off those after it. */
export function sections(lines: readonly string[]): types.SectionBlock[] {
  const starts = [...lines.keys()].filter((i) => i % LINES_IN_SECTION === 0);
  return starts.map((i) => section(lines.slice(i, i + LINES_IN_SECTION).join('\n')));
}

export function context(text: string): types.ContextBlock {
  return { type: 'context', elements: [mrkdwn(text)] };
}

export const mention = (user: string): string => `<@${user}>`;

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
