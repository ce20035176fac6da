/** A message of ours that is kept up to date: the card of a request, or what is shown of it to the approvers. Pure. */
import { z } from 'zod';
import { Delivery, owed } from './delivery.ts';

export const Post = z.object({
  delivery: Delivery,
  /** Where it stood, even when it is gone: its thread may hold replies still. */
  place: z.object({ channel: z.string(), ts: z.string() }).optional(),
  /** The revision of the record that it shows. */
  shown: z.number(),
  updateTries: z.number(),
  updateAt: z.number(),
  /** When it is updated once more, epoch milliseconds: an earlier update may still come through until then. */
  refreshAt: z.number().optional(),
});
export type Post = z.infer<typeof Post>;

export const newPost = (now: number): Post => ({
  delivery: owed(now),
  shown: 0,
  updateTries: 0,
  updateAt: now,
});
