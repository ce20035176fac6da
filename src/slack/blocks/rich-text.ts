/**
 * Shows typed text as it was typed. Slack's mrkdwn has no escape for `*`, `_`, `~`, a backtick, `:x:` and a quote
 * (https://docs.slack.dev/messaging/formatting-message-text). So each such character of a typed text becomes another one that
 * looks like it, with a mark behind. Blocks with a mark are sent as rich text, which formats nothing by itself, with the
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

/** Replaces the characters of a typed text that would format it. @param formatting finds them */
export function markTyped(text: string, formatting: RegExp = FORMATTING): string {
  return text.replace(formatting, (character) => `${LOOK_ALIKES.get(character)}${MARK}`);
}

/** Replaces the characters that would format the label of a link, or begin a second part of it. */
export const markLabel = (text: string): string => markTyped(markTyped(text), /\|/g);

/** Whether a text holds typed characters that mrkdwn can't show. */
export const needsRichText = (text: string): boolean => text.search(MARKED) !== -1;

/** The mrkdwn that the bot itself writes: references, code, emoji (`EMOJI_NAME`, also with a skin tone) and bold. */
const PARTS =
  /<(?<reference>[^<>]+)>|`(?<code>[^`]+)`|:(?<emoji>[\p{Ll}\p{Lo}\p{N}_'+-]+(?:::skin-tone-[1-6])?):|(?<bold>(?<![\p{L}\p{N}])\*|\*(?![\p{L}\p{N}]))/gu;

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
