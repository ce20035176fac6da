import type { RichTextBlock, RichTextPart } from '../blocks/rich-text.ts';
import type { TextObject } from '../blocks/text.ts';
import type { World } from '../world/world.ts';

/** Renders mrkdwn: names instead of ids, links as their text, entities unescaped. */
export function renderMrkdwn(world: World, text: string): string {
  return unescapeEntities(text.replace(/<([^<>]+)>/g, (_, inner: string) => renderReference(world, inner)));
}

/** Renders a text object. */
export const renderText = (world: World, { type, text }: TextObject): string =>
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

/** Unescapes `&lt;`, `&gt;` and `&amp;`. */
const unescapeEntities = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** Renders a rich_text block as lines. */
export function renderRichText(world: World, block: RichTextBlock): string[] {
  return block.elements.flatMap((element) => renderRichTextElement(world, element));
}

function renderRichTextElement(world: World, element: RichTextBlock['elements'][number]): string[] {
  if (element.type === 'rich_text_list') {
    return element.elements.map((item, index) => {
      const bullet = element.style === 'ordered' ? `${index + 1}.` : '-';
      return `${bullet} ${renderParts(world, item.elements)}`;
    });
  }
  const prefix = { rich_text_section: '', rich_text_quote: '> ', rich_text_preformatted: '    ' }[
    element.type
  ];
  return renderParts(world, element.elements)
    .split('\n')
    .map((line) => prefix + line);
}

function renderParts(world: World, parts: readonly RichTextPart[]): string {
  return parts.map((part) => renderPart(world, part)).join('');
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
export const userName = (world: World, id: string): string => `@${world.users.get(id)?.real_name ?? id}`;

/** `#support` */
export const channelName = (world: World, id: string): string => `#${world.channels.get(id)?.name ?? id}`;

const groupName = (world: World, id: string) => `@${world.userGroups.get(id)?.handle ?? id}`;
