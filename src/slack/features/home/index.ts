/** Registers the Home tab: it is drawn when a person opens it, and after each act on it. */
import { parseJson } from '../../../json.ts';
import { KIND_NAMES, type Kind } from '../../../requests/model/kinds.ts';
import { OWN_GROUPS } from '../../../requests/store/entry.ts';
import { chosenIn } from '../../blocks/fields.ts';
import { ACTIONS, EVENTS, newRequestAction } from '../../blocks/ids.ts';
import {
  type ActionArgs,
  buttonValue,
  type EventArgs,
  type Listener,
  type ListenerDeps,
  type Routes,
  workspaceOf,
} from '../listener.ts';
import { openRequest } from '../request/open.ts';
import type { PublishHome } from './publish.ts';
import { OwnPlace, Place, readShown, type Shown } from './view.ts';

/** A person's own page: drawn when it is opened, and when they act on it. */
export function home(
  deps: ListenerDeps,
  publish: PublishHome,
): Pick<Routes, 'actions'> & { events: Pick<Routes['events'], 'app_home_opened'> } {
  const turn = (change: (shown: Shown, action: object) => Shown) => turnAction(publish, change);
  return {
    events: { [EVENTS.appHomeOpened]: openedEvent(publish) },
    actions: {
      ...Object.fromEntries(KIND_NAMES.map((kind) => [newRequestAction(kind), newRequest(kind, deps)])),
      [ACTIONS.homeRefresh]: turn((shown) => shown),
      [ACTIONS.homeGroup]: turn(({ filter, waiting }, action) => ({
        filter: { ...filter, group: OWN_GROUPS.find((group) => group === chosenIn(action)) },
        waiting,
      })),
      [ACTIONS.homeKind]: turn(({ filter, waiting }, action) => ({
        filter: { ...filter, kind: KIND_NAMES.find((kind) => kind === chosenIn(action)) },
        waiting,
      })),
      [ACTIONS.homeOwnNext]: turn((shown, action) => ({
        ...shown,
        own: OwnPlace.parse(parseJson(buttonValue(action))),
      })),
      [ACTIONS.homeOwnFirst]: turn(({ own: _, ...shown }) => shown),
      [ACTIONS.homeWaitingNext]: turn((shown, action) => ({
        ...shown,
        waiting: Place.parse(parseJson(buttonValue(action))),
      })),
      [ACTIONS.homeWaitingFirst]: turn(({ waiting: _, ...shown }) => shown),
    },
  };
}

/** Opens the form, whose card goes to the channel that the person chooses there. */
function newRequest(kind: Kind, deps: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, body, client, context }) => {
    await ack();
    const who = { workspace: workspaceOf(context), requester: body.user.id, channel: undefined };
    const known = { target: '', reason: '' };
    await openRequest(deps, client, body.trigger_id, { kind, who, known, onHome: true });
  };
}

/** Slack sends it for the tab with messages, too (https://docs.slack.dev/reference/events/app_home_opened). */
function openedEvent(publish: PublishHome): Listener<EventArgs<'app_home_opened'>> {
  return async ({ event, context }) => {
    if (event.tab !== 'home') return;
    // Not waited for: Slack would deliver the event again where the page has to wait for its turn.
    void publish({ workspace: workspaceOf(context), user: event.user });
  };
}

function turnAction(
  publish: PublishHome,
  change: (shown: Shown, action: object) => Shown,
): Listener<ActionArgs> {
  return async ({ ack, action, body, context }) => {
    await ack();
    const shown = change(readShown(body.view?.private_metadata ?? ''), action);
    await publish({ workspace: workspaceOf(context), user: body.user.id, shown });
  };
}
