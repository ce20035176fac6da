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
