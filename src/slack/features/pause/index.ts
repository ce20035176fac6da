import { ACTIONS } from '../../blocks/ids.ts';
import type { Feature } from '../feature.ts';
import { pauseAction } from './pause.ts';

/** Pausing and resuming what is sent to the order service, in the settings. */
export const pause: Feature = (deps) => ({
  actions: {
    [ACTIONS.pauseSending]: pauseAction('pauseSending', deps),
    [ACTIONS.resumeSending]: pauseAction('resumeSending', deps),
  },
});
