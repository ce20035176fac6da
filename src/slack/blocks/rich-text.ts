/**
 * Shows typed text as it is. Slack's mrkdwn has no escape for `*`, `_`, `~`, a backtick, `:x:` and a quote
 * (https://docs.slack.dev/messaging/formatting-message-text). So each such character of a typed text becomes another one
 * that looks like it, with a mark behind. Blocks with a mark are sent as rich text, which formats nothing by itself, with the
 * characters as they were typed. What Slack reads without blocks, for notifications, keeps the others.
 */
import type { types } from '@slack/bolt';

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

/** @param formatting finds the characters that must not format */
export function asTyped(text: string, formatting: RegExp = FORMATTING): string {
  return text.replace(formatting, (character) => `${LOOK_ALIKES.get(character)}${MARK}`);
}

/** In the label of a link, which has no second part. */
export const asLabel = (text: string): string => asTyped(asTyped(text), /\|/g);

/** Whether a text holds typed characters that mrkdwn can't show. */
export const isAsTyped = (text: string): boolean => text.search(MARKED) !== -1;

/** The mrkdwn that the bot itself writes: references, code, emoji and bold. */
const PARTS =
  /<(?<reference>[^<>]+)>|`(?<code>[^`]+)`|:(?<emoji>[a-z0-9_+-]+):|(?<bold>(?<![\p{L}\p{N}])\*|\*(?![\p{L}\p{N}]))/gu;

/** @param mrkdwn in which everything typed is escaped */
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

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(MARKED, (_, other: string) => TYPED.get(other) ?? other);

/** @param inner what is between `<` and `>` */
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
