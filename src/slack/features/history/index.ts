/** Registers the history of requests, and the menus of its rows. */
import { chosenIn } from '../../blocks/fields.ts';
import { readRef } from '../../blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../../blocks/ids.ts';
import {
  type ActionArgs,
  buttonValue,
  type Feature,
  type Listener,
  type ListenerDeps,
  momentOf,
  workspaceOf,
} from '../listener.ts';
import { AGAIN_TITLE, formAgain } from '../request/open.ts';
import { formToRecord, formToRetry, RETRY_TITLE } from '../resolve/index.ts';
import { OUTCOME_TITLE } from '../resolve/outcome-form.ts';
import { DETAILS_TITLE, detailsOf } from '../status/index.ts';
import { type Filling, openModal } from '../views.ts';
import { historyAction, historySearch, markOnHistory, openHistory } from './history.ts';
import { type MenuChoice, readChoice } from './modal.ts';

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

/** The choice, and its request. `domain`: of the workspace. */
type Asked = {
  who: { workspace: string; id: string; by: string };
  moment: number | undefined;
  domain: string | undefined;
};

type Window = { title: string; fill: (deps: ListenerDeps, asked: Asked) => Promise<Filling> };

const WINDOWS: Record<MenuChoice, Window> = {
  details: { title: DETAILS_TITLE, fill: (deps, { who }) => detailsOf(deps, who) },
  record: { title: OUTCOME_TITLE, fill: (deps, { who, moment }) => formToRecord(deps, who, moment) },
  retry: { title: RETRY_TITLE, fill: (deps, { who, moment }) => formToRetry(deps, who, moment) },
  request_again: { title: AGAIN_TITLE, fill: (deps, { who, domain }) => formAgain(deps, who, domain) },
};

export const historyMenu = (deps: ListenerDeps): Listener<ActionArgs> =>
  opening(deps, (action) => readChoice(chosenIn(action) ?? ''));

/** The menu where a person may do nothing with a request but look at it. */
export const historyDetails = (deps: ListenerDeps): Listener<ActionArgs> =>
  opening(deps, (action) => ({ choice: 'details', ref: readRef(buttonValue(action)) }));

function opening(
  deps: ListenerDeps,
  read: (action: ActionArgs['action']) => ReturnType<typeof readChoice>,
): Listener<ActionArgs> {
  return async ({ ack, action, body, client, context }) => {
    await ack();
    const { choice, ref } = read(action);
    const { title, fill } = WINDOWS[choice];
    const who = { workspace: workspaceOf(context), id: ref.id, by: body.user.id };
    const asked = { who, moment: momentOf(action), domain: body.team?.domain };
    const triggerId = body.trigger_id;
    const mark = body.view && markOnHistory(body.view, triggerId);
    const how = { client, triggerId, title, meanwhile: 'Loading the request…', onTop: true, mark };
    await openModal(deps, how, () => fill(deps, asked));
  };
}
