/** Validates blocks, views, options and the content of messages as Slack does. */
import { z } from 'zod';
import { SlackError, validationError } from '../slack-error.ts';
import { type Block, MessageBlocks, ViewBlocks } from './blocks.ts';
import { inconsistencies, slackMessages } from './complaints.ts';
import { type Option, PlainOptions, plainText } from './text.ts';

export type Validated<T> = { ok: true; value: T } | { ok: false; error: string; messages: string[] };

/** A limit that apps have reported; Slack's pages do not state it. */
const MAX_BLOCK_TEXT = 13_200;

export function validateMessageBlocks(input: unknown): Validated<Block[]> {
  if (!Array.isArray(input)) return { ok: false, error: 'invalid_blocks_format', messages: [] };
  const parsed = MessageBlocks.safeParse(input);
  if (!parsed.success) {
    return { ok: false, error: 'invalid_blocks', messages: slackMessages(parsed.error, '/blocks', input) };
  }
  const messages = inconsistencies(parsed.data, '/blocks');
  if (messages.length > 0) return { ok: false, error: 'invalid_blocks', messages };
  if (textWithin(parsed.data).join('\n').length > MAX_BLOCK_TEXT) {
    return { ok: false, error: 'msg_blocks_too_long', messages: [] };
  }
  return { ok: true, value: parsed.data };
}

const viewFields = {
  blocks: ViewBlocks,
  private_metadata: z.string().max(3000).default(''),
  callback_id: z.string().max(255).default(''),
  external_id: z.string().max(255).default(''),
};

const ModalView = z
  .strictObject({
    type: z.literal('modal'),
    title: plainText(24),
    submit: plainText(24).optional(),
    close: plainText(24).optional(),
    ...viewFields,
  })
  .refine(
    ({ blocks, submit }) => submit || !blocks.some(({ type }) => type === 'input'),
    'must define `submit` to use an `input` block in modals',
  );

export type ModalView = z.output<typeof ModalView>;

const HomeView = z.strictObject({ type: z.literal('home'), ...viewFields });

export type HomeView = z.output<typeof HomeView>;

const MAX_VIEW_BYTES = 250_000;

/** Validates the `view` argument of views.*, and the view in the answer to a submission. */
export const validateModal = (input: unknown): Validated<ModalView> => validateView(ModalView, input);

export const validateHome = (input: unknown): Validated<HomeView> => validateView(HomeView, input);

function validateView<View extends ModalView | HomeView>(
  shape: z.ZodType<View>,
  input: unknown,
): Validated<View> {
  if (Buffer.byteLength(JSON.stringify(input) ?? '') > MAX_VIEW_BYTES) {
    return { ok: false, error: 'view_too_large', messages: [] };
  }
  const parsed = shape.safeParse(input);
  const messages = parsed.success
    ? inconsistencies(parsed.data.blocks, '/view/blocks')
    : slackMessages(parsed.error, '/view', input);
  if (!parsed.success || messages.length > 0) return { ok: false, error: 'invalid_arguments', messages };
  return { ok: true, value: parsed.data };
}

const Options = z.strictObject({ options: z.array(PlainOptions.element).max(100) });

/** Validates the answer to a block_suggestion request; an empty list is valid. */
export function validateOptions(input: unknown): Validated<Option[]> {
  const parsed = Options.safeParse(input);
  if (!parsed.success) {
    return { ok: false, error: 'invalid_options', messages: slackMessages(parsed.error, '', input) };
  }
  return { ok: true, value: parsed.data.options };
}

function textWithin(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textWithin);
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'text' && typeof item === 'string' ? [item] : textWithin(item),
  );
}

/**
 * "Slack will truncate messages containing more than 40,000 characters"
 * (https://docs.slack.dev/reference/methods/chat.postMessage).
 */
const MAX_TEXT = 40_000;

export function readContent(args: { text?: string | undefined; blocks?: unknown }) {
  const isGiven = args.blocks !== undefined && args.blocks !== '';
  const blocks = isGiven ? valid(validateMessageBlocks(args.blocks)) : undefined;
  const text = args.text ?? '';
  if (text === '' && !blocks?.length) throw new SlackError('no_text');
  return { text: text.slice(0, MAX_TEXT), blocks };
}

export const readModal = (input: unknown): ModalView => valid(validateModal(input));
export const readHome = (input: unknown): HomeView => valid(validateHome(input));

function valid<View>(validated: Validated<View>): View {
  if (!validated.ok) throw validationError(validated);
  return validated.value;
}
