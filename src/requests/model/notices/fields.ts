/** The fields that every notice has which belongs to no request. */
import { z } from 'zod';
import { Delivery } from '../../../outbox/delivery.ts';

export const NoticeFields = {
  id: z.string(),
  workspace: z.string(),
  version: z.number(),
  at: z.number(),
  delivery: Delivery,
  claim: z
    .object({
      effect: z.enum(['post', 'find', 'update', 'tidy', 'address']),
      owner: z.string(),
      startedAt: z.number(),
      expiresAt: z.number(),
    })
    .optional(),
};
