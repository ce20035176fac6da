import type { Block } from './blocks.ts';
import type { InteractiveElement, StatefulElement } from './elements.ts';

/** An element that a person can use, with the block it is in and the path to it from its block. */
export type Placed<E extends InteractiveElement = InteractiveElement> = {
  block: Block & { block_id: string };
  element: E & { action_id: string };
  path: readonly (string | number)[];
};

/** Returns the interactive elements of the blocks, in reading order. */
export function interactiveElements(blocks: readonly Block[]): Placed[] {
  return blocks.flatMap((block) => elementsOf(block).map((found) => ({ block, ...found }) as Placed));
}

/** Returns the elements of the blocks that hold a value. */
export function statefulElements(blocks: readonly Block[]): Placed<StatefulElement>[] {
  return interactiveElements(blocks).filter((placed): placed is Placed<StatefulElement> =>
    isStateful(placed.element),
  );
}

/** Returns the elements of one block, with or without an action_id. */
export function elementsOf(
  block: Block,
): { element: InteractiveElement; path: readonly (string | number)[] }[] {
  switch (block.type) {
    case 'actions':
      return block.elements.map((element, index) => ({ element, path: ['elements', index] }));
    case 'input':
      return [{ element: block.element, path: ['element'] }];
    case 'section':
      return block.accessory && block.accessory.type !== 'image'
        ? [{ element: block.accessory, path: ['accessory'] }]
        : [];
    default:
      return [];
  }
}

/** Whether an element holds a value. */
export const isStateful = (element: InteractiveElement): element is StatefulElement =>
  element.type !== 'button' && element.type !== 'overflow';

/** Adds the block_ids and action_ids that Slack generates if an app gave none. */
export function withIds<B extends Block>(blocks: readonly B[]): B[] {
  return blocks.map((block) => ({ ...withActionIds(block), block_id: block.block_id ?? madeUpId() }));
}

function withActionIds<B extends Block>(block: B): B {
  switch (block.type) {
    case 'actions':
      return { ...block, elements: block.elements.map(withActionId) };
    case 'input':
      return { ...block, element: withActionId(block.element) };
    case 'section':
      return block.accessory && block.accessory.type !== 'image'
        ? { ...block, accessory: withActionId(block.accessory) }
        : block;
    default:
      return block;
  }
}

const withActionId = <E extends { action_id?: string | undefined }>(element: E): E => ({
  ...element,
  action_id: element.action_id ?? madeUpId(),
});

const madeUpId = () => Math.random().toString(36).slice(2, 7).padEnd(5, '0');
