import type { Block } from './blocks.ts';
import type { InteractiveElement } from './elements.ts';
import { complaint } from './slack-messages.ts';
import type { Option } from './text.ts';
import { elementsOf } from './walk.ts';

/**
 * Returns the conflicts between blocks or elements that are each valid in themselves. The limits are Slack's; the wording is
 * invented.
 */
export function inconsistencies(blocks: readonly Block[], root: string): string[] {
  return [
    ...repeatedBlockIds(blocks, root),
    ...blocks.flatMap((block, index) => repeatedActionIds(block, root, index)),
    ...blocks.flatMap((block, index) => strayInitialOptions(block, root, index)),
    ...focusedTwice(blocks, root),
  ];
}

function repeatedBlockIds(blocks: readonly Block[], root: string): string[] {
  return blocks.flatMap(({ block_id }, index) => {
    const first = blocks.findIndex((other) => other.block_id === block_id);
    return block_id === undefined || first === index
      ? []
      : [complaint(`block_id "${block_id}" already exists`, root, [index, 'block_id'])];
  });
}

function repeatedActionIds(block: Block, root: string, index: number): string[] {
  const seen = new Set<string>();
  return elementsOf(block).flatMap(({ element: { action_id }, path }) => {
    if (action_id === undefined) return [];
    const repeated = seen.has(action_id);
    seen.add(action_id);
    const text = `\`action_id\` "${action_id}" already exists for another element`;
    return repeated ? [complaint(text, root, [index, ...path, 'action_id'])] : [];
  });
}

function strayInitialOptions(block: Block, root: string, index: number): string[] {
  return elementsOf(block).flatMap(({ element, path }) => {
    const offered = offeredOptions(element);
    if (!offered) return [];
    const isOffered = (option: Option) => offered.some((other) => sameOption(option, other));
    return initialOptions(element).every(isOffered)
      ? []
      : [complaint('initial option is not one of the options', root, [index, ...path])];
  });
}

function focusedTwice(blocks: readonly Block[], root: string): string[] {
  const focused = blocks
    .flatMap(elementsOf)
    .filter(({ element }) => 'focus_on_load' in element && element.focus_on_load);
  return focused.length > 1 ? [complaint('only one element can have focus_on_load', root, [])] : [];
}

/** Returns the options that an element lists itself; undefined if they are loaded from the app, or there are none. */
export function offeredOptions(element: InteractiveElement): Option[] | undefined {
  return 'options' in element ? element.options : undefined;
}

function initialOptions(element: InteractiveElement): Option[] {
  if ('initial_options' in element) return element.initial_options ?? [];
  return 'initial_option' in element && element.initial_option ? [element.initial_option] : [];
}

const sameOption = (one: Option, other: Option) =>
  one.value === other.value && one.text.text === other.text.text;
