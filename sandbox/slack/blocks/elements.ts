/**
 * The schemas of elements, with the limits of their pages (https://docs.slack.dev/reference/block-kit/block-elements), and
 * the blocks that may hold them.
 */
import { z } from 'zod';
import { Confirm, PlainOption, PlainOptions, plainText, RichOption } from './text.ts';

/** Makes up an id that an app left out, as Slack does. Slack's ids are shorter, but ids that short could be equal by chance. */
const madeUpId = () => Math.random().toString(36).slice(2);

export const identifier = z.string().min(1).max(255).default(madeUpId);

const action_id = identifier;
const placeholder = plainText(150).optional();

const select = { action_id, placeholder };

const filter = z
  .strictObject({
    include: z.array(z.enum(['im', 'mpim', 'private', 'public'])).min(1),
    exclude_external_shared_channels: z.boolean(),
    exclude_bot_users: z.boolean(),
  })
  .partial()
  .optional();
const min_query_length = z.int().min(0).default(3);

const Button = z.strictObject({
  type: z.literal('button'),
  action_id,
  text: plainText(75),
  value: z.string().max(2000).optional(),
  style: z.enum(['primary', 'danger']).optional(),
  confirm: Confirm.optional(),
  accessibility_label: z.string().max(75).optional(),
});

const Overflow = z.strictObject({
  type: z.literal('overflow'),
  action_id,
  options: z.array(PlainOption).min(1).max(5),
});

const choices = [
  z.strictObject({
    type: z.literal('static_select'),
    ...select,
    options: PlainOptions,
    initial_option: PlainOption.optional(),
  }),
  z.strictObject({
    type: z.literal('external_select'),
    ...select,
    min_query_length,
    initial_option: PlainOption.optional(),
  }),
  z.strictObject({
    type: z.literal('conversations_select'),
    ...select,
    filter,
    default_to_current_conversation: z.boolean().optional(),
    initial_conversation: z.string().optional(),
  }),
  z.strictObject({ type: z.literal('users_select'), ...select, initial_user: z.string().optional() }),
  z.strictObject({
    type: z.literal('datepicker'),
    ...select,
    initial_date: z.iso.date().optional(),
  }),
  z.strictObject({
    type: z.literal('multi_users_select'),
    ...select,
    max_selected_items: z.int().min(1).optional(),
    initial_users: z.array(z.string()).optional(),
  }),
  z.strictObject({
    type: z.literal('radio_buttons'),
    action_id,
    options: z.array(RichOption).min(1).max(10),
    initial_option: RichOption.optional(),
  }),
  z.strictObject({
    type: z.literal('checkboxes'),
    action_id,
    options: z.array(RichOption).min(1).max(10),
    initial_options: z.array(RichOption).optional(),
  }),
] as const;

const PlainTextInput = z.strictObject({
  type: z.literal('plain_text_input'),
  action_id,
  placeholder,
  focus_on_load: z.boolean().optional(),
  initial_value: z.string().max(3000).optional(),
  multiline: z.boolean().default(false),
  max_length: z.int().min(1).max(3000).optional(),
});

/**
 * An element of an actions block, or the accessory of a section.
 * @see https://docs.slack.dev/tools/node-slack-sdk/reference/types/type-aliases/ActionsBlockElement, and those beside it
 */
export const ActionsElement = z.discriminatedUnion('type', [Button, Overflow, ...choices]);
export const InputElement = z.discriminatedUnion('type', [PlainTextInput, ...choices]);

export type InteractiveElement = z.output<typeof ActionsElement> | z.output<typeof InputElement>;
/** An element that holds a value, which Slack keeps in `state.values`. */
export type StatefulElement = Exclude<InteractiveElement, { type: 'button' | 'overflow' }>;
