import { ACTIONS, CALLBACKS } from '../../blocks/ids.ts';
import type { Feature } from '../feature.ts';
import { customerReplyAction, customerReplySubmission } from './reply.ts';

/** A text about the outcome, for the customer. */
export const customerReply: Feature = (deps) => ({
  actions: { [ACTIONS.customerReply]: customerReplyAction(deps) },
  views: { [CALLBACKS.customerReply]: customerReplySubmission },
});
