import { ACTIONS, CALLBACKS, EVENTS } from '../../blocks/ids.ts';
import type { Feature } from '../feature.ts';
import { addReasonAction, addReasonSubmission } from './add-reason.ts';
import { declineAction, declineSubmission } from './decline.ts';
import { reactionEvent } from './reaction.ts';
import { approveAction, takeBackAction } from './votes.ts';

/** Votes by button and by reaction, and the reason of a decline. */
export const approval: Feature = (deps) => ({
  actions: {
    [ACTIONS.approve]: approveAction(deps),
    [ACTIONS.deny]: declineAction(deps),
    [ACTIONS.takeBack]: takeBackAction(deps),
    [ACTIONS.sayWhy]: addReasonAction(deps),
  },
  views: {
    [CALLBACKS.deny]: declineSubmission(deps),
    [CALLBACKS.sayWhy]: addReasonSubmission(deps),
  },
  events: {
    [EVENTS.reactionAdded]: reactionEvent(deps),
    [EVENTS.reactionRemoved]: reactionEvent(deps),
  },
});
