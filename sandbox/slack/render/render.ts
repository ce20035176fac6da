/** Renders channels, threads, blocks and texts as a person reads them: lines with names instead of ids. */
import { unescaped } from '../../lib/unescaped.ts';
import { type Block, elementsOf } from '../blocks/blocks.ts';
import type { InteractiveElement } from '../blocks/elements.ts';
import type { RichTextElement, RichTextPart, TextObject } from '../blocks/text.ts';
import { isReplyOf, repliesOf } from '../world/messages.ts';
import type { Channel, Message } from '../world/types.ts';
import type { World } from '../world/world.ts';

/** Renders a thread: the parent, then its replies, indented. @throws if there is no parent */
export function renderThread(world: World, channel: Channel, parentTs: string): string {
  const parent = channel.messages.get(parentTs);
  if (!parent) throw new Error(`no message ${parentTs} in ${channelName(world, channel.id)}`);
  const replies = repliesOf(channel, parentTs).flatMap((reply) => indent(renderMessage(world, reply)));
  return [...renderMessage(world, parent), ...replies].join('\n');
}

function renderChannel(world: World, channel: Channel): string {
  const roots = [...channel.messages.values()].filter((message) => !isReplyOf(message));
  return roots.map(({ ts }) => renderThread(world, channel, ts)).join('\n');
}

/** Renders every channel that has messages, for the error message of a wait. */
export function renderLatest(world: World): string {
  const used = [...world.channels.values()].filter(({ messages }) => messages.size > 0);
  if (used.length === 0) return 'no channel has a message';
  return used
    .map(
      (channel) =>
        `in ${channelName(world, channel.id)}:\n${indent([renderChannel(world, channel)]).join('\n')}`,
    )
    .join('\n');
}

function renderMessage(world: World, message: Message): string[] {
  const [first = '', ...rest] = renderContent(world, message);
  const who = message.is_tombstone ? '' : `${userName(world, message.user).slice(1)}: `;
  const reactions = [...message.reactions].map(([name, users]) => `:${name}: ${users.length}`);
  return [`${who}${first}`, ...indent(rest), ...(reactions.length > 0 ? [`  ${reactions.join('  ')}`] : [])];
}

const indent = (lines: string[]) => lines.flatMap((text) => text.split('\n')).map((line) => `  ${line}`);

/** Renders blocks as the lines that a person reads; interactive elements are in brackets. */
export function renderBlocks(world: World, blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => renderBlock(world, block));
}

function renderBlock(world: World, block: Block): string[] {
  switch (block.type) {
    case 'section':
      return [...renderText(world, block.text).split('\n'), ...usable(block)];
    case 'header':
      return [block.text.text.toUpperCase()];
    case 'context':
      return block.elements
        .map((each) => renderText(world, each))
        .join('  ')
        .split('\n');
    case 'actions':
      return usable(block);
    case 'input':
      return [`${block.label.text}${block.optional ? ' (optional)' : ''}:`, ...usable(block)];
    case 'rich_text':
      return block.elements.flatMap((element) => renderRichText(world, element));
  }
}

function usable(block: Block): string[] {
  const labels = elementsOf(block).map(({ element }) => `[${labelOf(element)}]`);
  return labels.length > 0 ? [labels.join(' ')] : [];
}

function labelOf(element: InteractiveElement): string {
  if (element.type === 'button') return element.text.text;
  if ('initial_option' in element && element.initial_option) return element.initial_option.text.text;
  if ('initial_date' in element && element.initial_date) return element.initial_date;
  if ('placeholder' in element && element.placeholder) return element.placeholder.text;
  return element.type;
}

export function renderContent(
  world: World,
  { text, blocks }: { text: string; blocks?: Block[] | undefined },
): string[] {
  return blocks?.length ? renderBlocks(world, blocks) : renderMrkdwn(world, text).split('\n');
}

/** Renders mrkdwn: names instead of ids, links as their text, entities unescaped. */
export function renderMrkdwn(world: World, text: string): string {
  return unescaped(text.replace(/<([^<>]+)>/g, (_, inner: string) => renderReference(world, inner)));
}

const renderText = (world: World, { type, text }: TextObject): string =>
  type === 'mrkdwn' ? renderMrkdwn(world, text) : text;

function renderReference(world: World, inner: string): string {
  const [target = '', label] = inner.split('|');
  const id = target.slice(1);
  if (target.startsWith('@')) return userName(world, id);
  if (target.startsWith('#')) return channelName(world, id);
  if (target.startsWith('!subteam^')) return label ?? groupName(world, target.slice('!subteam^'.length));
  if (target.startsWith('!date^')) return label ?? target;
  if (target.startsWith('!')) return `@${id}`;
  return label ?? target;
}

const PREFIXES = { rich_text_section: '', rich_text_quote: '> ', rich_text_preformatted: '    ' };

function renderRichText(world: World, { type, elements }: RichTextElement): string[] {
  const text = elements.map((part) => renderPart(world, part)).join('');
  return text.split('\n').map((line) => PREFIXES[type] + line);
}

function renderPart(world: World, part: RichTextPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'link':
      return part.text ?? part.url;
    case 'user':
      return userName(world, part.user_id);
    case 'usergroup':
      return groupName(world, part.usergroup_id);
    case 'channel':
      return channelName(world, part.channel_id);
    case 'broadcast':
      return `@${part.range}`;
    case 'emoji':
      return `:${part.name}:`;
    case 'date':
      return part.fallback ?? new Date(part.timestamp * 1000).toISOString();
  }
}

/** `@Ana Alvarez` */
const userName = (world: World, id: string): string => `@${world.users.get(id)?.real_name ?? id}`;

/** `#support` */
const channelName = (world: World, id: string): string => `#${world.channels.get(id)?.name ?? id}`;

const groupName = (world: World, id: string) => `@${world.userGroups.get(id)?.handle ?? id}`;
