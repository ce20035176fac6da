import { refusal, validationError } from '../answers.ts';
import type { Operation } from './operation.ts';

// The interface does not show the statuses, so these are assumptions: 200 for success, and 404, 403 and 409 for refusals.

/** Sends a pending offer. The interface does not show its refusals, so they have the codes of cancelling an offer. */
export const sendOffer: Operation = {
  name: 'send_offer',
  routes: [{ method: 'POST', path: '/prod/offers/{id}/send' }],
  run: ({ organization, id, now }) => {
    const offer = organization.offers.get(id);
    if (!offer) return notFound;
    if (offer.status !== 'pending') return validationError('id', `is an offer that is ${offer.status}`);
    // The status of a sent offer in public copies of the page.
    offer.status = 'awaiting_customer';
    return { status: 200, body: { success: true, sentAt: new Date(now()).toISOString() } };
  },
};

/** Cancels an offer that was not cancelled before. */
export const cancelOffer: Operation = {
  name: 'cancel_offer',
  routes: [{ method: 'POST', path: '/prod/offers/{id}/cancel' }],
  run: ({ organization, id, now }) => {
    const offer = organization.offers.get(id);
    if (!offer) return notFound;
    if (offer.forbidden) {
      return refusal(403, { code: 'FORBIDDEN', message: 'No permission to cancel this offer' });
    }
    if (offer.status === 'canceled') {
      const message = 'The offer cannot be canceled: it is already canceled';
      return refusal(409, { code: 'OFFER_CANCELLATION_ERROR', message });
    }
    offer.status = 'canceled';
    return {
      status: 200,
      body: { offerId: id, status: 'CANCELED', canceledAt: new Date(now()).toISOString() },
    };
  },
};

const notFound = refusal(404, { code: 'OFFER_NOT_FOUND', message: 'Offer not found' });
