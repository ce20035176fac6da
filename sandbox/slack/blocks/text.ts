import { z } from 'zod';

/** A plain_text object. Slack fills in `emoji` where it is left out. */
export const plainText = (maxLength: number) =>
  z.strictObject({
    type: z.literal('plain_text'),
    text: z.string().min(1).max(maxLength),
    emoji: z.boolean().default(true),
  });

/** A mrkdwn object. Slack fills in `verbatim` where it is left out. */
export const mrkdwn = (maxLength: number) =>
  z.strictObject({
    type: z.literal('mrkdwn'),
    text: z.string().min(1).max(maxLength),
    verbatim: z.boolean().default(false),
  });

/** A text object of either kind. */
export const textObject = (maxLength: number) =>
  z.discriminatedUnion('type', [plainText(maxLength), mrkdwn(maxLength)]);

export type TextObject = z.output<ReturnType<typeof textObject>>;

const MAX_OPTIONS = 100;

/** An option of a select menu or an external data source. */
export const PlainOption = z.strictObject({
  text: plainText(75),
  value: z.string().min(1).max(150),
  description: plainText(75).optional(),
});

/** An option of radio buttons and checkboxes, which may use mrkdwn. */
export const RichOption = z.strictObject({ ...PlainOption.shape, text: textObject(75) });

/** The options of a select menu. */
export const PlainOptions = z.array(PlainOption).min(1).max(MAX_OPTIONS);

/** The dialog that asks for confirmation. */
export const Confirm = z.strictObject({
  title: plainText(100),
  text: textObject(300),
  confirm: plainText(30),
  deny: plainText(30),
  style: z.enum(['primary', 'danger']).optional(),
});

export type Option = z.output<typeof PlainOption> | z.output<typeof RichOption>;
