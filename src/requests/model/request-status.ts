/** Models the status of a request: its state, and the details that the name of the state hides. */
import { z } from 'zod';
import { KIND_NAMES } from './kinds.ts';
import { STATE_NAMES } from './states.ts';

export const RequestStatus = z.object({
  state: z.enum(STATE_NAMES),
  /**
   * `accepted`: the service has the request, and has not said, or not in a word of the interface, what became of it.
   * `not_received`: failed without a refusal. `not_asked`: failed before the service could be called.
   */
  how: z.enum(['accepted', 'not_received', 'not_asked']).optional(),
  /** The person who recorded the outcome, which is then not the service's word. */
  recordedBy: z.string().optional(),
});
export type RequestStatus = z.infer<typeof RequestStatus>;

/** An earlier request for the same target, as it was when this one was created. */
export const EarlierRequest = RequestStatus.extend({
  id: z.string(),
  kind: z.enum(KIND_NAMES),
  /** May differ in the case of letters. */
  target: z.string(),
  requester: z.string(),
  createdAt: z.number(),
});
export type EarlierRequest = z.infer<typeof EarlierRequest>;
