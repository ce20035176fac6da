/** The bodies of the service (order-service-interface.md, section 2): what is shown is read, what is not is let be. */
import { z } from 'zod';

/** What a person can read, and a record can hold: the interface shows no limits, so these are ours. */
const MOST_DETAILS = 20;
const text = (longest: number) => z.string().transform((given) => given.slice(0, longest).toWellFormed());

export const ErrorDetail = z.object({ field: text(200), error: text(500) });

/** Whatever a refusal says that is of use; a refusal with no readable body is still a refusal. */
export const ErrorBody = z.object({
  code: text(100).optional().catch(undefined),
  message: text(1_000).optional().catch(undefined),
  details: z
    .array(z.unknown())
    .transform((items) => items.slice(0, MOST_DETAILS))
    .pipe(z.array(ErrorDetail))
    .optional()
    .catch(undefined),
});

/** `requestedAt` is required in the interface; without it the answer still counts, and events are matched by time. */
export const OrderCancellation = z.object({
  cancellationStatus: text(100).optional().catch(undefined),
  cancellationReason: z.string().optional().catch(undefined),
  requestedAt: z.iso.datetime({ offset: true }).optional().catch(undefined),
});
export type OrderCancellation = z.infer<typeof OrderCancellation>;

export const OfferSendResult = z.object({
  success: z.boolean().optional().catch(undefined),
  sentAt: z.string().optional().catch(undefined),
});
export type OfferSendResult = z.infer<typeof OfferSendResult>;

/** Required in the interface; without a status the answer still counts, as one that tells nothing. */
export const OfferCancelResult = z.object({
  offerId: z.string().optional().catch(undefined),
  status: text(100).optional().catch(undefined),
  canceledAt: z.string().optional().catch(undefined),
});
export type OfferCancelResult = z.infer<typeof OfferCancelResult>;

export const SubBrand = z.object({ id: z.string(), name: z.string() });
export type SubBrand = z.infer<typeof SubBrand>;
