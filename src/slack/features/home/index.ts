/**
 * Registers the Home tab, and draws it when a person opens it and after each act on it. The listeners of buttons and forms know
 * nothing of the tab: their private answers are shown at its top.
 */
import { createInTurn } from '../../../in-turn.ts';
import { parseJson } from '../../../json.ts';
import type { Log } from '../../../outbox/ports.ts';
import { KIND_NAMES } from '../../../requests/model/kinds.ts';
import { OWN_GROUPS } from '../../../requests/store/subjects.ts';
import type { AdminsPart } from '../../../requests/use-cases/home.ts';
import { chosenIn } from '../../blocks/fields.ts';
import { ACTIONS, newRequestAction } from '../../blocks/ids.ts';
import { stampedView } from '../../blocks/stamp.ts';
import { linkingOf } from '../../client/links.ts';
import { failureSentence, tellDirectly } from '../../listeners/answers.ts';
import {
  type ActionArgs,
  buttonValue,
  type EventArgs,
  type Listener,
  type ListenerDeps,
  type Routes,
  workspaceOf,
} from '../../listeners/listener.ts';
import { isOnHome, type RedrawBeneath, readMark } from '../../listeners/marks.ts';
import { newRequest } from '../request/index.ts';
import type { Administration } from './admin-view.ts';
import {
  FIRST_PAGE,
  type HomeChoice,
  homeView,
  OwnPage,
  readHomeChoice,
  type Stop,
  WaitingPage,
} from './view.ts';

/** The routes of the tab itself. Its buttons that act on requests are routes of other features (`actionOnHome`). */
export function home(deps: ListenerDeps, publish: PublishHome): Pick<Routes, 'actions' | 'events'> {
  /** Draws the tab anew after a choice on it: other filters, or another page of a list. */
  const choosing =
    (change: (shown: HomeChoice, action: object) => HomeChoice): Listener<ActionArgs> =>
    async ({ ack, action, body, context }) => {
      await ack();
      const shown = change(readHomeChoice(body.view?.private_metadata ?? ''), action);
      await publish({ workspace: workspaceOf(context), user: body.user.id, shown });
    };
  return {
    events: { app_home_opened: openedEvent(publish) },
    actions: {
      ...Object.fromEntries(KIND_NAMES.map((kind) => [newRequestAction(kind), newRequest(kind, deps)])),
      [ACTIONS.homeRefresh]: choosing((shown) => shown),
      [ACTIONS.homeGroup]: choosing(({ filter, waiting }, action) => ({
        filter: { ...filter, group: OWN_GROUPS.find((group) => group === chosenIn(action)) },
        waiting,
      })),
      [ACTIONS.homeKind]: choosing(({ filter, waiting }, action) => ({
        filter: { ...filter, kind: KIND_NAMES.find((kind) => kind === chosenIn(action)) },
        waiting,
      })),
      [ACTIONS.homeOwnNext]: choosing((shown, action) => ({
        ...shown,
        own: OwnPage.parse(parseJson(buttonValue(action))),
      })),
      [ACTIONS.homeOwnFirst]: choosing(({ own: _, ...shown }) => shown),
      [ACTIONS.homeWaitingNext]: choosing((shown, action) => ({
        ...shown,
        waiting: WaitingPage.parse(parseJson(buttonValue(action))),
      })),
      [ACTIONS.homeWaitingFirst]: choosing(({ waiting: _, ...shown }) => shown),
    },
  };
}

/**
 * Listens to the opening of the Home tab. Slack sends the event for the Messages tab, too
 * (https://docs.slack.dev/reference/events/app_home_opened).
 */
function openedEvent(publish: PublishHome): Listener<EventArgs<'app_home_opened'>> {
  return async ({ event, context }) => {
    if (event.tab !== 'home') return;
    // Not waited for: Slack would deliver the event again if the tab had to wait for its turn.
    void publish({ workspace: workspaceOf(context), user: event.user });
  };
}

/**
 * Shows the result of a click on the tab, or in a modal that was opened on it.
 *
 * @param listener of the button, which messages and other modals have, too
 */
export function actionOnHome(
  publish: PublishHome,
  log: Log,
  listener: Listener<ActionArgs>,
): Listener<ActionArgs> {
  return async (args) => {
    const { action, body, context } = args;
    const { view } = body;
    const who = { workspace: workspaceOf(context), user: body.user.id };
    if (view?.type !== 'home') {
      await listener(args);
      if (isOnHome(body))
        await publish({ ...who, shown: readHomeChoice(readMark(view?.external_id)?.chosen) });
      return;
    }
    let said: string | undefined;
    const respond: ActionArgs['respond'] = async (answer) => {
      said = typeof answer === 'string' ? answer : answer.text;
      return new Response();
    };
    await listener({ ...args, respond }).catch((error) => {
      said = failureSentence(log, error, { ...who, listener: action.action_id });
    });
    await publish({ ...who, shown: readHomeChoice(view.private_metadata), said });
  };
}

/** Draws the tab anew after a form over it was submitted. */
export const redrawHome =
  (publish: PublishHome): RedrawBeneath =>
  ({ chosen }, { body, context }) =>
    publish({ workspace: workspaceOf(context), user: body.user.id, shown: readHomeChoice(chosen) });

/** `shown`: what the person chose on the tab. `said`: what they have to read first. */
export type Publishing = { workspace: string; user: string; shown?: HomeChoice; said?: string | undefined };

/**
 * Reads what the tab shows, and draws it. It never throws: the tab shows the time of its data, and a person can press Refresh or
 * open it again.
 */
export type PublishHome = (publishing: Publishing) => Promise<void>;

/**
 * Creates the function that draws the tab. It draws the tab of one person once at a time: an older tab must not replace a newer
 * one.
 */
export function createPublishHome(deps: ListenerDeps): PublishHome {
  const inTurn = createInTurn();
  /** The next drawing for each person, after what they did last. */
  const next = new Map<string, Publishing>();
  const underWay = new Map<string, Publishing>();
  return async (publishing) => {
    const { workspace, user } = publishing;
    const name = `${workspace} ${user}`;
    const isWaiting = next.has(name);
    // A text that is not drawn yet, or is being drawn, was not read: the next drawing has it, too.
    const unread = (next.get(name) ?? underWay.get(name))?.said;
    const said = [unread, publishing.said].filter(Boolean).join('\n');
    next.set(name, { ...publishing, said });
    if (isWaiting) return;
    await inTurn.run(name, async () => {
      const drawn = next.get(name) ?? publishing;
      next.delete(name);
      underWay.set(name, drawn);
      await publish(deps, drawn)
        .catch((err) => notPublished(deps, drawn, err))
        .finally(() => underWay.delete(name));
    });
  };
}

/** Tells directly what the person would have read on the tab. */
async function notPublished(
  { installedIn, log }: ListenerDeps,
  { workspace, user, said }: Publishing,
  err: unknown,
): Promise<void> {
  log.warn({ err, workspace, user }, 'home page not published');
  const bot = said ? await installedIn(workspace).catch(() => undefined) : undefined;
  if (said && bot) await tellDirectly({ log }, bot.client, user, said);
}

async function publish(
  deps: ListenerDeps,
  { workspace, user, shown = FIRST_PAGE, said }: Publishing,
): Promise<void> {
  const home = await deps.readHome({ workspace, user, ...shown });
  const page = home.type === 'page' ? home : undefined;
  const admin = page?.admin;
  const view = homeView(home, {
    shown,
    said,
    ...(page ? await linkingOf(deps, workspace) : { linkTo: () => undefined }),
    ...(admin && { administration: await administrationOf(deps, workspace, admin) }),
    ...(page && !admin && { stop: await stopIn(deps, workspace) }),
  });
  await deps.publishView(workspace, user, stampedView(workspace, view));
}

async function stopIn({ planConnect, settings }: ListenerDeps, workspace: string): Promise<Stop | undefined> {
  const [connection, { paused }] = await Promise.all([planConnect(workspace), settings(workspace)]);
  if (paused) return { type: 'paused', pause: paused };
  const facts = connection.type === 'again' ? connection.facts : undefined;
  if (!facts) return { type: 'not_connected' };
  return facts.paused?.state === 'paused' ? { type: 'token_refused' } : undefined;
}

async function administrationOf(
  { planConnect, limitPauses, directory, log }: ListenerDeps,
  workspace: string,
  admin: AdminsPart,
): Promise<Administration> {
  const [connection, pauses, about] = await Promise.all([
    planConnect(workspace),
    limitPauses(workspace),
    directory
      .about(workspace)
      .catch((err) => log.warn({ err, workspace }, 'scopes of the bot token unknown')),
  ]);
  return { ...admin, connection, pauses, missingScopes: about?.missingScopes };
}
