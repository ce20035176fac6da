import { ACTIONS, CALLBACKS, EVENTS } from '../../blocks/ids.ts';
import type { Feature } from '../feature.ts';
import { addReasonAction, addReasonSubmission, declineAction, declineSubmission } from './decline.ts';
import { reactionEvent } from './reaction.ts';
import { approveAction, takeBackAction } from './votes.ts';

/** Votes by button and by reaction, and the reason of a decline. */
export const approval: Feature = (deps) => ({
  actions: {
    [ACTIONS.approve]: approveAction(deps),
    [ACTIONS.decline]: declineAction(deps),
    [ACTIONS.takeBack]: takeBackAction(deps),
    [ACTIONS.addReason]: addReasonAction(deps),
  },
  views: {
    [CALLBACKS.decline]: declineSubmission(deps),
    [CALLBACKS.addReason]: addReasonSubmission(deps),
  },
  events: {
    [EVENTS.reactionAdded]: reactionEvent(deps),
    [EVENTS.reactionRemoved]: reactionEvent(deps),
  },
});
