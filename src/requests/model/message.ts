/** Models a message that the bot keeps up to date: the card or the approval message. */
import { z } from 'zod';
import { Delivery, owed } from '../../outbox/delivery.ts';
import { newUpkeep, UpkeepFields } from '../../outbox/upkeep.ts';

/** `n`: the number of the step or of the notification. */
export const MessageKey = z.discriminatedUnion('type', [
  z.object({ type: z.literal('card') }),
  z.object({ type: z.literal('approval_message') }),
  z.object({ type: z.literal('reply'), n: z.number() }),
  z.object({ type: z.literal('notification'), n: z.number() }),
]);
export type MessageKey = z.infer<typeof MessageKey>;

export const TrackedMessage = z.object({
  delivery: Delivery,
  /** The last known location. It stays after the message is gone, because its thread may still hold replies. */
  location: z.object({ channel: z.string(), ts: z.string() }).optional(),
  /** The round of the approval that it was made for: by this its copies are found. Absent on a card. */
  round: z.number().optional(),
  ...UpkeepFields,
});
export type TrackedMessage = z.infer<typeof TrackedMessage>;

export const newTrackedMessage = (now: number): TrackedMessage => ({
  delivery: owed(now),
  ...newUpkeep(now),
});
