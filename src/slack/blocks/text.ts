/**
 * Text objects, Slack's limits on them, and the escaping that makes text safe to show.
 *
 * Typed text is shown as it was typed. Slack's mrkdwn has no escape for `*`, `_`, `~`, a backtick, `:x:` and a quote
 * (https://docs.slack.dev/messaging/formatting-message-text). So each such character of a typed text becomes another one that
 * looks like it, followed by an invisible mark (`markTyped`). A block with such a mark is sent as rich text, which formats
 * nothing by itself, with the characters as they were typed. The text beside the blocks, for notifications, keeps the
 * look-alikes. Only invisible characters that set the direction of text are left out (`withoutBidi`).
 */
import type { types } from '@slack/bolt';
import { FORGOTTEN, TERMINAL } from '../../requests/model/audit-entry.ts';
import { isBlank } from '../../requests/use-cases/input.ts';

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
  /** https://docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element */
  inputText: 3_000,
  messageText: 4_000,
  /** https://docs.slack.dev/reference/methods/views.update */
  externalId: 255,
} as const;

export const header = (text: string): types.HeaderBlock => ({
  type: 'header',
  text: plain(text, LIMITS.headerText),
});

/** The first `limit` characters; a pair of surrogates is never split. */
export const beginning = (text: string, limit: number): string =>
  text.length <= limit
    ? text
    : text
        .slice(0, limit)
        .toWellFormed()
        .replace(/\uFFFD$/u, '');

/** The text, cut to `limit` characters with an ellipsis. */
export const truncate = (text: string, limit: number): string =>
  text.length <= limit ? text : `${beginning(text, limit - 1)}…`;

/** "1 request", "1,000 requests". @param noun whose plural ends in an s */
export const countOf = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/**
 * Escapes text of a person or of the service, so that it becomes no mention, no link and no formatting
 * (https://docs.slack.dev/messaging/formatting-message-text).
 */
export const escaped = (text: string): string => withoutReferences(markTyped(text));

/** Escapes text for code, in which Slack draws neither bold nor emoji. */
export const code = (text: string): string => `\`${withoutReferences(markTyped(text, /`/g))}\``;

/**
 * Links to an address that the bot has made.
 *
 * @param address as `URL` writes it, which leaves some characters that mean something to Slack
 * @param label as it was typed
 */
export function linkText(address: string, label: string): string {
  const url = address.replace(/[|`*~]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
  return `<${withoutReferences(url)}|${withoutReferences(markLabel(label))}>`;
}

const withoutReferences = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * A plain text. It may contain what somebody typed, so Slack is told to draw no emoji for `:names:`. A text without a visible
 * character becomes "…", because Slack takes no empty text.
 */
export function plain(text: string, limit: number = LIMITS.sectionText): types.PlainTextElement {
  const shown = isBlank(text) ? '…' : withoutBidi(text);
  return { type: 'plain_text', text: truncate(shown, limit), emoji: false };
}

/** A text in mrkdwn, verbatim: Slack makes no links or mentions of words that look like some. */
const mrkdwn = (text: string): types.MrkdwnElement => ({ type: 'mrkdwn', text, verbatim: true });

/** A section, or rich text where only that can show what was typed. @param given mrkdwn with typed parts escaped */
export function section(given: string): types.SectionBlock | types.RichTextBlock {
  const text = truncate(given, LIMITS.sectionText);
  return needsRichText(text) ? richText(text) : { type: 'section', text: mrkdwn(text) };
}

/** A section with a button at its side. @param text mrkdwn without anything typed */
export function sectionWith(text: string, accessory: types.Button): types.SectionBlock {
  return { type: 'section', text: mrkdwn(truncate(text, LIMITS.sectionText)), accessory };
}

/**
 * A section with an element at its side or, where only rich text can show what was typed, beneath it.
 *
 * @param given mrkdwn with typed parts escaped
 * @param block_id of its own in the message or view, else Slack refuses that as a whole
 */
export function row(
  given: string,
  element: types.Button | types.Overflow,
  block_id: string,
): types.KnownBlock[] {
  const text = truncate(given, LIMITS.sectionText);
  return needsRichText(text)
    ? [richText(text), { type: 'actions', block_id, elements: [element] }]
    : [{ type: 'section', block_id, text: mrkdwn(text), accessory: element }];
}

export function textMessage(text: string): Message {
  return { text: truncate(text, LIMITS.messageText), blocks: [section(text)] };
}

/**
 * The text of a message as rich text, whatever it holds: an update can't replace rich text by other blocks
 * (https://docs.slack.dev/reference/methods/chat.update, `block_mismatch`).
 */
export const inRichText = ({ text }: Message): Message => ({
  text,
  blocks: [richText(truncate(text, LIMITS.sectionText))],
});

const LINES_IN_PARAGRAPH = 5;

/** Groups lines into as many texts as they need, so that Slack's limit cuts off no later line, and no link in its middle. */
export function paragraphs(lines: readonly string[]): string[] {
  const groups: string[][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    const isFull = !last || last.length === LINES_IN_PARAGRAPH;
    if (isFull || [...last, line].join('\n').length > LIMITS.sectionText) groups.push([line]);
    else last.push(line);
  }
  return groups.map((group) => group.join('\n'));
}

export const sections = (lines: readonly string[]): ReturnType<typeof section>[] =>
  paragraphs(lines).map(section);

/** Small print, or rich text where only that can show what was typed. @param given mrkdwn with typed parts escaped */
export function context(given: string): types.ContextBlock | types.RichTextBlock {
  const text = truncate(given, LIMITS.sectionText);
  return needsRichText(text) ? richText(text) : { type: 'context', elements: [mrkdwn(text)] };
}

/** Mentions a person. @param user an id, `TERMINAL` or `FORGOTTEN` */
export function mention(user: string): string {
  if (user === TERMINAL) return 'the operator';
  return user === FORGOTTEN ? 'a removed person' : `<@${user}>`;
}

export const mentionGroup = (group: string): string => `<!subteam^${group}>`;

export type NamePeople = (users: readonly string[]) => string;

/** "@ana", "@ana and @ben", "@ana, @ben and @cara" */
export const mentions: NamePeople = (users) => listed(users.map(mention));

// British English has no comma before the last "and" or "or".
const AND = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** "Ana", "Ana and Ben", "Ana, Ben and Cara" */
export const listed = (names: readonly string[]): string => AND.format(names);

/** "sent", "sent or declined", "refused, sent or declined" */
export const either = (names: readonly string[]): string => OR.format(names);

/** @param at epoch milliseconds; shown in the reader's own time zone, or in UTC where dates can't be drawn */
export const time = (at: number): string => dated(at, '{date_short_pretty} at {time}');

/** The time since a moment, counted up by Slack for the reader; the moment itself if dates can't be drawn. */
export const ago = (at: number): string => dated(at, '{ago}');

function dated(at: number, format: string): string {
  const utc = `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `<!date^${Math.floor(at / 1_000)}^${format}|${utc}>`;
}

/** U+2060, which has no width. */
const MARK = '\u2060';

const LOOK_ALIKES: ReadonlyMap<string, string> = new Map([
  ['*', '\u2217'],
  ['_', '\u02cd'],
  ['~', '\u223c'],
  ['`', '\u02cb'],
  [':', '\ua789'],
  ['>', '\u203a'],
  ['|', '\u2223'],
]);
const TYPED: ReadonlyMap<string, string> = new Map([...LOOK_ALIKES].map(([typed, other]) => [other, typed]));
const MARKED = new RegExp(`([${[...TYPED.keys()].join('')}])${MARK}`, 'g');

/** Within a word, `_` is no formatting: most ids with it stay as they are. */
const FORMATTING = /[*~`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?=\S)|(?<=^|\n)>/gu;

/**
 * A typed text without the invisible characters that set the direction of text (https://www.unicode.org/reports/tr9/,
 * "Directional Formatting Characters"): they could reverse the words of the bot behind it.
 */
export const withoutBidi = (typed: string): string => typed.replace(/\p{Bidi_Control}/gu, '');

/** Replaces the characters of a typed text that would format it. @param formatting finds them */
function markTyped(text: string, formatting: RegExp = FORMATTING): string {
  return withoutBidi(text).replace(formatting, (character) => `${LOOK_ALIKES.get(character)}${MARK}`);
}

/** Replaces the characters that would format the label of a link, or begin a second part of it. */
const markLabel = (text: string): string => markTyped(markTyped(text), /\|/g);

/** Whether a text holds typed characters that mrkdwn can't show. */
const needsRichText = (text: string): boolean => text.search(MARKED) !== -1;

/** The mrkdwn that the bot itself writes: references, code, emoji (`EMOJI_NAME`, also with a skin tone) and bold. */
const PARTS =
  /<(?<reference>[^<>]+)>|`(?<code>[^`]+)`|:(?<emoji>[\p{Ll}\p{Lo}\p{N}_'+-]+(?:::skin-tone-[1-6](?:-[1-6])?)?):|(?<bold>(?<![\p{L}\p{N}])\*|\*(?![\p{L}\p{N}]))/gu;

/** Turns mrkdwn into rich text, with the characters as they were typed. @param mrkdwn in which everything typed is escaped */
export function richText(mrkdwn: string): types.RichTextBlock {
  const elements: types.RichTextElement[] = [];
  let bold = false;
  let read = 0;
  const add = (part: types.RichTextElement) =>
    elements.push(bold ? { ...part, style: { ...part.style, bold } } : part);
  const addText = (text: string) => {
    if (text) add({ type: 'text', text: unescaped(text) });
  };
  for (const { 0: part, index, groups = {} } of mrkdwn.matchAll(PARTS)) {
    addText(mrkdwn.slice(read, index));
    read = index + part.length;
    if (groups.bold) bold = !bold;
    else if (groups.emoji) elements.push({ type: 'emoji', name: groups.emoji });
    else if (groups.code) add({ type: 'text', text: unescaped(groups.code), style: { code: true } });
    else add(reference(groups.reference ?? ''));
  }
  addText(mrkdwn.slice(read));
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
}

/** Reads what Slack writes in place of & < and > (https://docs.slack.dev/messaging/formatting-message-text). */
export const withoutEntities = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

const unescaped = (text: string): string =>
  withoutEntities(text).replace(MARKED, (_, other: string) => TYPED.get(other) ?? other);

/** The element for a reference: a person, a channel, a user group, a date or a link. @param inner what is between `<` and `>` */
function reference(inner: string): types.RichTextElement {
  const [target = '', label] = inner.split('|');
  const [kind, id = '', format = ''] = target.split('^');
  if (kind === '!subteam') return { type: 'usergroup', usergroup_id: id };
  if (kind === '!date')
    return { type: 'date', timestamp: Number(id), format, ...(label ? { fallback: label } : {}) };
  if (target.startsWith('@')) return { type: 'user', user_id: target.slice(1) };
  if (target.startsWith('#')) return { type: 'channel', channel_id: target.slice(1) };
  return { type: 'link', url: unescaped(target), ...(label ? { text: unescaped(label) } : {}) };
}
