/**
 * Registers the history of requests: opens it, turns its pages, opens what the menus of its rows offer, and draws it anew
 * beneath a modal in which something was done.
 */
import type { types } from '@slack/bolt';
import { parseJson } from '../../json.ts';
import { chosenIn } from '../blocks/fields.ts';
import type { FilledIn } from '../blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../blocks/ids.ts';
import { beginning, LIMITS } from '../blocks/text.ts';
import { linkingOf } from '../client/links.ts';
import {
  type ActionArgs,
  type CommandArgs,
  type Feature,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listeners/listener.ts';
import { type RedrawBeneath, writeMark } from '../listeners/marks.ts';
import {
  byCommand,
  type Filling,
  type ModalAboutRequest,
  openAboutRequest,
  openModal,
  redrawAfter,
  viewOf,
} from '../listeners/modals.ts';
import { personSentence } from '../messages/sentences/problems.ts';
import {
  Chosen,
  chosenOn,
  HISTORY_TITLE,
  historyModal,
  type MenuChoice,
  readChoice,
  readList,
  readSearch,
  UNFILTERED,
} from './history-modal.ts';
import { RECORD_OUTCOME } from './record-outcome.ts';
import { REQUEST_AGAIN } from './request/index.ts';
import { RETRY, WITHDRAW } from './resolve.ts';
import { DETAILS } from './status.ts';

export const history: Feature = (deps) => ({
  subcommands: {
    history: {
      usage: '[id]',
      meaning: 'lists the open requests, and finds others by state, day, person or id.',
      run: (args, rest) => openHistory(deps, args, rest),
    },
  },
  views: { [CALLBACKS.history]: historySearch(deps) },
  actions: {
    ...pageActions(deps),
    [ACTIONS.historyMenu]: openChosen(deps),
  },
});

/** Opens the list: on the open requests, or on the requests for an id. */
async function openHistory(deps: ListenerDeps, args: CommandArgs, id: string): Promise<void> {
  const opener = byCommand(args);
  await openModal(deps, opener, { title: HISTORY_TITLE, meanwhile: 'Loading the requests…' }, () =>
    pageFor(deps, opener, { ...UNFILTERED, id: beginning(id, LIMITS.searchText) }),
  );
}

const MODALS: Record<MenuChoice, ModalAboutRequest> = {
  details: DETAILS,
  record: RECORD_OUTCOME,
  withdraw: WITHDRAW,
  retry: RETRY,
  request_again: REQUEST_AGAIN,
};

function openChosen(deps: ListenerDeps): Listener<ActionArgs> {
  return async (args) => {
    const { ack, action, body } = args;
    await ack();
    const { choice, ref } = readChoice(chosenIn(action) ?? '');
    const mark = body.view && markOnHistory(body.view, body.trigger_id);
    await openAboutRequest(deps, args, MODALS[choice], { ref, mark });
  };
}

/** Searches by an id; without one, the list has its filters again. */
function historySearch(deps: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, context, view }) => {
    const who = { workspace: workspaceOf(context), user: body.user.id };
    const page = await pageFor(deps, who, fromTheNewest(readSearch(view)));
    await ack({ response_action: 'update', view: viewOf(HISTORY_TITLE, page) });
  };
}

/** Turns the pages. A choice in the filters leads to the first page. */
function pageActions(deps: ListenerDeps): Record<string, Listener<ActionArgs>> {
  const action = (turn: (list: ReturnType<typeof readList>) => Chosen) =>
    redrawAfter(deps.redraw, async (view, { body, context }) => {
      const who = { workspace: workspaceOf(context), user: body.user.id };
      return viewOf(HISTORY_TITLE, await pageFor(deps, who, turn(readList(view))));
    });
  const toNewest = action(({ chosen }) => fromTheNewest(chosen));
  return {
    [ACTIONS.historyGroup]: toNewest,
    [ACTIONS.historyDay]: toNewest,
    [ACTIONS.historyDate]: toNewest,
    [ACTIONS.historyPerson]: toNewest,
    [ACTIONS.historyNewest]: toNewest,
    [ACTIONS.historyOlder]: action(({ chosen, next }) => ({ ...chosen, before: next })),
    [ACTIONS.historyClear]: action(({ chosen }) => ({ ...UNFILTERED, round: chosen.round + 1 })),
  };
}

const fromTheNewest = ({ before: _, ...chosen }: Chosen): Chosen => chosen;

/** The page of the list that a person has chosen, or why there is none for them. @throws if that can't be read */
async function pageFor(
  deps: ListenerDeps,
  { workspace, user }: { workspace: string; user: string },
  chosen: Chosen,
): Promise<Filling> {
  const { id, group, day, date, requester, before } = chosen;
  const filter = {
    group: group === 'all' ? undefined : group,
    day: day === 'date' ? { date } : day === 'any' ? undefined : day,
    requester,
  };
  const [page, linking] = await Promise.all([
    deps.readHistory({ workspace, user, filter, id, before }),
    linkingOf(deps, workspace),
  ]);
  return page.type === 'not_allowed'
    ? { refused: personSentence(page.problem) }
    : historyModal(page, chosen, linking);
}

/**
 * Makes the mark of a modal that is opened over the list: the hash of the list, and what was chosen in it. In the submission of
 * that modal Slack names only the id of the list (marks.ts).
 *
 * @param view the view with the menu
 * @returns undefined if that view is not the list, or if a long search leaves no room in the mark: the list then stays as it was
 */
export function markOnHistory(
  view: FilledIn & Pick<types.ModalView, 'callback_id'> & { hash: string },
  triggerId: string,
): string | undefined {
  if (view.callback_id !== CALLBACKS.history) return undefined;
  const { chosen } = readList(view);
  return writeMark(triggerId, { place: 'history', hash: view.hash, chosen: JSON.stringify(chosen) });
}

/** Draws the list anew after a form over it was submitted. */
export function redrawHistory(deps: ListenerDeps): RedrawBeneath {
  return async (beneath, { body, client, context, view }) => {
    const chosen = Chosen.safeParse(parseJson(beneath.chosen)).data;
    if (!chosen) return;
    const who = { workspace: workspaceOf(context), user: body.user.id };
    const list = { id: view.root_view_id ?? undefined, hash: beneath.hash };
    const redrawn = deps.redraw({ client, workspace: who.workspace }, list, async (newerMetadata) => {
      const shown = newerMetadata === undefined ? chosen : chosenOn(newerMetadata);
      return viewOf(HISTORY_TITLE, await pageFor(deps, who, shown));
    });
    // The person's act is done: the list says so, or stays as it was.
    await redrawn.catch((err) => deps.log.warn({ err, ...who }, 'list of requests not drawn anew'));
  };
}
