import type { Block } from './blocks.ts';

/** All text that the blocks show, from texts, labels and rich text alike. */
export function blocksText(blocks: readonly Block[]): string {
  return textWithin(blocks).join('\n');
}

function textWithin(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textWithin);
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'text' && typeof item === 'string' ? [item] : textWithin(item),
  );
}
