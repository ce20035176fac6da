/** The bodies of the service (order-service-interface.md, section 2): what is shown is read, what is not is let be. */
import { z } from 'zod';

/** A person reads no more of them; the interface shows no limit, so this is ours. */
const MOST_DETAILS = 20;

const ErrorDetail = z.object({ field: z.string(), error: z.string() });
export type ErrorDetail = z.infer<typeof ErrorDetail>;

/** Whatever a refusal says that is of use; a refusal with no readable body is still a refusal. */
export const ErrorBody = z.object({
  code: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  details: z
    .array(z.unknown())
    .transform((items) => items.slice(0, MOST_DETAILS))
    .pipe(z.array(ErrorDetail))
    .optional()
    .catch(undefined),
});

/** `requestedAt` is required in the interface; without it the answer still counts, and events are matched by time. */
export const OrderCancellation = z.object({
  cancellationStatus: z.string().optional().catch(undefined),
  requestedAt: z.iso.datetime({ offset: true }).optional().catch(undefined),
});
export type OrderCancellation = z.infer<typeof OrderCancellation>;

/** What is no boolean says nothing about success. */
export const OfferSendResult = z.object({ success: z.boolean().optional().catch(undefined) });
export type OfferSendResult = z.infer<typeof OfferSendResult>;

/** Required in the interface; without a status the answer still counts, as one that tells nothing. */
export const OfferCancelResult = z.object({
  offerId: z.string().optional().catch(undefined),
  status: z.string().optional().catch(undefined),
});
export type OfferCancelResult = z.infer<typeof OfferCancelResult>;

export const SubBrand = z.object({ id: z.string(), name: z.string() });
export type SubBrand = z.infer<typeof SubBrand>;
