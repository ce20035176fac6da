/**
 * Draws the Home tab, and lets the listeners of buttons and forms, which know nothing of it, work on it: what they answer
 * privately stands on top of the page, and after each act it is drawn anew.
 */
import { createInTurn } from '../../../in-turn.ts';
import type { Log } from '../../../outbox/ports.ts';
import type { Home } from '../../../requests/use-cases/home.ts';
import { failureSentence } from '../answers.ts';
import { linkingOf } from '../card-links.ts';
import {
  type ActionArgs,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { ON_HOME, withMark } from '../views.ts';
import type { Administration } from './admin-view.ts';
import { FIRST, homeView, readShown, type Shown } from './view.ts';

/** @param listener of a button that stands on messages, too */
export function actionOnHome(
  publish: PublishHome,
  log: Log,
  listener: Listener<ActionArgs>,
): Listener<ActionArgs> {
  return async (args) => {
    const { action, body, context } = args;
    const { view } = body;
    if (view?.type !== 'home') return listener(args);
    let said: string | undefined;
    const respond: ActionArgs['respond'] = async (answer) => {
      said = typeof answer === 'string' ? answer : answer.text;
      return new Response();
    };
    const who = { workspace: workspaceOf(context), user: body.user.id };
    await listener({ ...args, respond }).catch((error) => {
      said = failureSentence(log, error, { ...who, listener: action.action_id });
    });
    await publish({ ...who, shown: readShown(view.private_metadata), said });
  };
}

/** @param listener of a form that is opened on messages, too. What it shows next keeps the mark. */
export function submissionOnHome(publish: PublishHome, listener: Listener<ViewArgs>): Listener<ViewArgs> {
  return async (args) => {
    const { ack, body, context, view } = args;
    const mark = view.external_id;
    if (!mark?.startsWith(ON_HOME)) return listener(args);
    await listener({ ...args, ack: (answer) => ack(answer && withMark(answer, mark)) });
    await publish({ workspace: workspaceOf(context), user: body.user.id });
  };
}

/** `shown`: what the person chose on the page. `said`: what they have to read first. */
export type Publishing = { workspace: string; user: string; shown?: Shown; said?: string | undefined };

/**
 * Reads the page and shows it. It never throws: the page says as of when it is, and a person can press Refresh or open it
 * again.
 */
export type PublishHome = (publishing: Publishing) => Promise<void>;

/** Pages of one person are drawn one after another: an older one must not replace a newer one. */
export function createPublishHome(deps: ListenerDeps): PublishHome {
  const inTurn = createInTurn();
  /** The next drawing for each person: of what they did last. */
  const next = new Map<string, Publishing>();
  return async (publishing) => {
    const { workspace, user } = publishing;
    const name = `${workspace} ${user}`;
    const isWaiting = next.has(name);
    next.set(name, publishing);
    if (isWaiting) return;
    await inTurn
      .run(name, () => {
        const last = next.get(name) ?? publishing;
        next.delete(name);
        return publish(deps, last);
      })
      .catch((err) => deps.log.warn({ err, workspace, user }, 'home page not published'));
  };
}

async function publish(
  deps: ListenerDeps,
  { workspace, user, shown = FIRST, said }: Publishing,
): Promise<void> {
  const home = await deps.readHome({ workspace, user, ...shown });
  const view = homeView(home, {
    shown,
    said,
    ...(home.type === 'page' ? await linkingOf(deps, workspace) : { linkTo: () => undefined }),
    administration: await administrationOf(deps, workspace, home),
  });
  await deps.publishView(workspace, user, view);
}

async function administrationOf(
  { planConnect, limitPauses, aboutWorkspace, log }: ListenerDeps,
  workspace: string,
  home: Home,
): Promise<Administration | undefined> {
  if (home.type !== 'page' || !home.admin) return undefined;
  const [connection, pauses, about] = await Promise.all([
    planConnect(workspace),
    limitPauses(workspace),
    aboutWorkspace(workspace, true).catch((err) =>
      log.warn({ err, workspace }, 'scopes of the bot token unknown'),
    ),
  ]);
  const { settings } = home.admin.inForce;
  return { connection, pauses, missingScopes: about?.missingScopes, settings };
}
