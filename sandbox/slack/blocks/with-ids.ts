import type { Block } from './blocks.ts';

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
