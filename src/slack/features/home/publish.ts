/** Publishes a person's own page. */
import { createInTurn } from '../../../in-turn.ts';
import type { Home } from '../../../requests/use-cases/home.ts';
import { linkingOf } from '../card-links.ts';
import type { ListenerDeps } from '../listener.ts';
import type { Administration } from './admin-view.ts';
import { FIRST, homeView, type Shown } from './view.ts';

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
  /** What is to be drawn next for each person: what they did last. */
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
