import { z } from 'zod';
import { AccessoryElement, ActionsElement, ImageElement, InputElement } from './elements.ts';
import { mrkdwn, plainText, RichText, textObject } from './text.ts';

const block_id = z.string().min(1).max(255).optional();

const Section = z
  .strictObject({
    type: z.literal('section'),
    block_id,
    text: textObject(3000).optional(),
    fields: z.array(textObject(2000)).min(1).max(10).optional(),
    accessory: AccessoryElement.optional(),
    expand: z.boolean().optional(),
  })
  .refine(({ text, fields }) => text || fields, 'must define either `text` or `fields`');

const shared = [
  Section,
  z.strictObject({ type: z.literal('header'), block_id, text: plainText(150) }),
  z.strictObject({
    type: z.literal('context'),
    block_id,
    elements: z
      .array(z.discriminatedUnion('type', [ImageElement, plainText(3000), mrkdwn(3000)]))
      .min(1)
      .max(10),
  }),
  z.strictObject({
    type: z.literal('actions'),
    block_id,
    elements: z.array(ActionsElement).min(1).max(25),
  }),
  z.strictObject({ type: z.literal('divider'), block_id }),
  z.strictObject({
    type: z.literal('input'),
    block_id,
    label: plainText(2000),
    element: InputElement,
    hint: plainText(2000).optional(),
    optional: z.boolean().default(false),
    dispatch_action: z.boolean().default(false),
  }),
  RichText,
  z.strictObject({
    type: z.literal('image'),
    block_id,
    image_url: z.string().min(1).max(3000),
    alt_text: z.string().min(1).max(2000),
    title: plainText(2000).optional(),
  }),
] as const;

const Cell = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('raw_text'), text: z.string().min(1) }),
  RichText,
]);

const messageOnly = [
  z.strictObject({
    type: z.literal('table'),
    block_id,
    rows: z.array(z.array(Cell).min(1).max(20)).min(1).max(100),
    column_settings: z
      .array(
        z
          .strictObject({ align: z.enum(['left', 'center', 'right']), is_wrapped: z.boolean() })
          .partial()
          .nullable(),
      )
      .max(20)
      .optional(),
  }),
] as const;

/** The blocks of a message: 50 at most. */
export const MessageBlocks = z.array(z.discriminatedUnion('type', [...shared, ...messageOnly])).max(50);

/** The blocks of a modal: 100 at most, and no tables. */
export const ModalBlocks = z.array(z.discriminatedUnion('type', [...shared])).max(100);

/** A block as Slack keeps it: with its defaults filled in. */
export type Block = z.output<typeof MessageBlocks>[number];
