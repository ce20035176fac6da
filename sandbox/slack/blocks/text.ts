/**
 * The schemas of texts: text objects, options, confirmation dialogs and rich text. The limits are those of the pages below
 * https://docs.slack.dev/reference/block-kit/composition-objects, such as …/option-object.
 */
import { z } from 'zod';

/** A plain_text object. Slack fills in `emoji` where it is left out. */
export const plainText = (maxLength: number) =>
  z.strictObject({
    type: z.literal('plain_text'),
    text: z.string().min(1).max(maxLength),
    emoji: z.boolean().default(true),
  });

/** A mrkdwn object. Slack fills in `verbatim` where it is left out. */
const mrkdwn = (maxLength: number) =>
  z.strictObject({
    type: z.literal('mrkdwn'),
    text: z.string().min(1).max(maxLength),
    verbatim: z.boolean().default(false),
  });

export const textObject = (maxLength: number) =>
  z.discriminatedUnion('type', [plainText(maxLength), mrkdwn(maxLength)]);

export type TextObject = z.output<ReturnType<typeof textObject>>;

const MAX_OPTIONS = 100;

export const PlainOption = z.strictObject({
  text: plainText(75),
  value: z.string().min(1).max(150),
  description: plainText(75).optional(),
});

/** An option of radio buttons and checkboxes, which may use mrkdwn. */
export const RichOption = z.strictObject({ ...PlainOption.shape, text: textObject(75) });

export const PlainOptions = z.array(PlainOption).min(1).max(MAX_OPTIONS);

export const Confirm = z.strictObject({
  title: plainText(100),
  text: plainText(300),
  confirm: plainText(30),
  deny: plainText(30),
});

export type Option = z.output<typeof PlainOption> | z.output<typeof RichOption>;

const style = z
  .strictObject({
    bold: z.boolean(),
    italic: z.boolean(),
    strike: z.boolean(),
    code: z.boolean(),
  })
  .partial()
  .optional();

const Text = z.strictObject({ type: z.literal('text'), text: z.string().min(1), style });
const Link = z.strictObject({
  type: z.literal('link'),
  url: z.string().min(1),
  text: z.string().optional(),
  style,
});

const RichTextPart = z.discriminatedUnion('type', [
  Text,
  Link,
  z.strictObject({ type: z.literal('user'), user_id: z.string().min(1), style }),
  z.strictObject({ type: z.literal('usergroup'), usergroup_id: z.string().min(1), style }),
  z.strictObject({ type: z.literal('channel'), channel_id: z.string().min(1), style }),
  z.strictObject({ type: z.literal('broadcast'), range: z.enum(['here', 'channel', 'everyone']), style }),
  z.strictObject({ type: z.literal('emoji'), name: z.string().min(1), style }),
  z.strictObject({
    type: z.literal('date'),
    timestamp: z.int(),
    format: z.string().min(1),
    fallback: z.string().optional(),
    style,
  }),
]);

/** A rich_text block: formatted text, in which typed text is not parsed. */
export const RichText = z.strictObject({
  type: z.literal('rich_text'),
  block_id: z.string().max(255).optional(),
  elements: z.array(
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(RichTextPart) }),
      z.strictObject({ type: z.literal('rich_text_quote'), elements: z.array(RichTextPart) }),
      z.strictObject({
        type: z.literal('rich_text_preformatted'),
        elements: z.array(z.discriminatedUnion('type', [Text, Link])),
      }),
    ]),
  ),
});

export type RichTextBlock = z.output<typeof RichText>;
export type RichTextElement = RichTextBlock['elements'][number];
export type RichTextPart = z.output<typeof RichTextPart>;
