import { ACTIONS } from '../../blocks/ids.ts';
import type { Feature } from '../feature.ts';
import { historyAction, openHistory } from './history.ts';

/** The latest requests of a workspace, with filters. */
export const history: Feature = (deps) => ({
  subcommands: {
    history: { usage: '', meaning: 'lists the latest requests.', run: (args) => openHistory(deps, args) },
  },
  actions: {
    [ACTIONS.historyState]: historyAction('newest', deps),
    [ACTIONS.historyKind]: historyAction('newest', deps),
    [ACTIONS.historyPerson]: historyAction('newest', deps),
    [ACTIONS.historyAge]: historyAction('newest', deps),
    [ACTIONS.historyNewest]: historyAction('newest', deps),
    [ACTIONS.historyOlder]: historyAction('older', deps),
  },
});
