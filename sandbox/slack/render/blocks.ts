import type { Block } from '../blocks/blocks.ts';
import type { InteractiveElement } from '../blocks/elements.ts';
import { elementsOf } from '../blocks/walk.ts';
import type { World } from '../world/world.ts';
import { renderMrkdwn, renderRichText, renderText } from './text.ts';

/** Renders blocks as the lines that a person reads; interactive elements are in brackets. */
export function renderBlocks(world: World, blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => renderBlock(world, block));
}

function renderBlock(world: World, block: Block): string[] {
  switch (block.type) {
    case 'section': {
      const texts = [block.text, ...(block.fields ?? [])].flatMap((text) =>
        text ? renderText(world, text) : [],
      );
      return [...texts.join('\n').split('\n'), ...usable(block)];
    }
    case 'header':
      return [block.text.text.toUpperCase()];
    case 'context': {
      const parts = block.elements.map((each) =>
        each.type === 'image' ? each.alt_text : renderText(world, each),
      );
      return parts.join('  ').split('\n');
    }
    case 'actions':
      return usable(block);
    case 'input':
      return [`${block.label.text}${block.optional ? ' (optional)' : ''}:`, ...usable(block)];
    case 'divider':
      return ['---'];
    case 'image':
      return [`(image: ${block.alt_text})`];
    case 'rich_text':
      return renderRichText(world, block);
    case 'table':
      return block.rows.map((row) =>
        row
          .map((cell) => (cell.type === 'raw_text' ? cell.text : renderRichText(world, cell).join(' ')))
          .join(' | '),
      );
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

/** Renders a message's content: its blocks, or its text if it has none. */
export function renderContent(
  world: World,
  { text, blocks }: { text: string; blocks?: Block[] | undefined },
): string[] {
  return blocks?.length ? renderBlocks(world, blocks) : renderMrkdwn(world, text).split('\n');
}
