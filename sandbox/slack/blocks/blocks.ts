/**
 * The schemas of blocks, and the elements in them. The limits are those of the page of each block below
 * https://docs.slack.dev/reference/block-kit/blocks, such as …/section-block.
 */
import { z } from 'zod';
import {
  ActionsElement,
  InputElement,
  type InteractiveElement,
  identifier,
  type StatefulElement,
} from './elements.ts';
import { plainText, RichText, textObject } from './text.ts';

const block_id = identifier;

const AnyBlock = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('section'),
    block_id,
    text: textObject(3000),
    accessory: ActionsElement.optional(),
  }),
  z.strictObject({ type: z.literal('header'), block_id, text: plainText(150) }),
  z.strictObject({
    type: z.literal('context'),
    block_id,
    elements: z.array(textObject(3000)).min(1).max(10),
  }),
  z.strictObject({
    type: z.literal('actions'),
    block_id,
    elements: z.array(ActionsElement).min(1).max(25),
  }),
  z.strictObject({
    type: z.literal('input'),
    block_id,
    label: plainText(2000),
    element: InputElement,
    hint: plainText(2000).optional(),
    optional: z.boolean().default(false),
    dispatch_action: z.boolean().default(false),
  }),
  RichText.extend({ block_id }),
]);

export const MessageBlocks = z.array(AnyBlock).max(50);

/** @see https://docs.slack.dev/reference/views/modal-views */
export const ViewBlocks = z.array(AnyBlock).max(100);

/** A block as Slack keeps it: with its defaults filled in. */
export type Block = z.output<typeof AnyBlock>;

/** An element that a person can use, with the block it is in and the path to it from its block. */
export type Placed<E extends InteractiveElement = InteractiveElement> = {
  block: Block;
  element: E;
  path: readonly (string | number)[];
};

export function interactiveElements(blocks: readonly Block[]): Placed[] {
  return blocks.flatMap(elementsOf);
}

export function statefulElements(blocks: readonly Block[]): Placed<StatefulElement>[] {
  return interactiveElements(blocks).filter((placed): placed is Placed<StatefulElement> =>
    isStateful(placed.element),
  );
}

export function elementsOf(block: Block): Placed[] {
  switch (block.type) {
    case 'actions':
      return block.elements.map((element, index) => ({ block, element, path: ['elements', index] }));
    case 'input':
      return [{ block, element: block.element, path: ['element'] }];
    case 'section':
      return block.accessory ? [{ block, element: block.accessory, path: ['accessory'] }] : [];
    default:
      return [];
  }
}

export const isStateful = (element: InteractiveElement): element is StatefulElement =>
  element.type !== 'button' && element.type !== 'overflow';
