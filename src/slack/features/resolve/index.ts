import { ACTIONS, CALLBACKS } from '../../blocks/ids.ts';
import type { Feature } from '../feature.ts';
import { resolveByButton } from './by-button.ts';
import { recordOutcomeAction, recordOutcomeSubmission } from './record-outcome.ts';
import { retrySubmission } from './retry.ts';

/** Retry, Withdraw and Record the outcome: a person decides what the order service has not. */
export const resolve: Feature = (deps) => ({
  actions: {
    [ACTIONS.retry]: resolveByButton('retry', deps),
    [ACTIONS.withdraw]: resolveByButton('withdraw', deps),
    [ACTIONS.recordOutcome]: recordOutcomeAction(deps),
  },
  views: {
    [CALLBACKS.recordOutcome]: recordOutcomeSubmission(deps),
    [CALLBACKS.retry]: retrySubmission(deps),
  },
});
