import { ACTIONS, CALLBACKS } from '../../blocks/ids.ts';
import type { Feature } from '../feature.ts';
import { historyAction, historySearch, openHistory } from './history.ts';
import { historyDetails, historyMenu } from './menu.ts';

/** The requests of a workspace, with filters and a search. */
export const history: Feature = (deps) => ({
  subcommands: {
    history: {
      usage: '',
      meaning: 'lists the requests, open ones first; finds one by its id or day.',
      run: (args) => openHistory(deps, args),
    },
  },
  views: { [CALLBACKS.history]: historySearch(deps) },
  actions: {
    [ACTIONS.historyGroup]: historyAction('newest', deps),
    [ACTIONS.historyDay]: historyAction('newest', deps),
    [ACTIONS.historyDate]: historyAction('newest', deps),
    [ACTIONS.historyPerson]: historyAction('newest', deps),
    [ACTIONS.historyNewest]: historyAction('newest', deps),
    [ACTIONS.historyOlder]: historyAction('older', deps),
    [ACTIONS.historyClear]: historyAction('cleared', deps),
    [ACTIONS.historyMenu]: historyMenu(deps),
    [ACTIONS.historyDetails]: historyDetails(deps),
  },
});
