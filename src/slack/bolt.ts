/** Creates the Bolt app: it authorizes by installation, and registers the routes with guarded listeners. */
import {
  type AllMiddlewareArgs,
  App,
  type Authorize,
  type BlockAction,
  type BlockSuggestion,
  type ViewSubmitAction,
} from '@slack/bolt';
import { z } from 'zod';
import type { Log } from '../outbox/ports.ts';
import { EVENTS } from './blocks/ids.ts';
import type { Logger, SlackClients } from './client/clients.ts';
import { NotInstalledError } from './client/installations.ts';
import type { Listener } from './features/listener.ts';
import { guardAction, guardCommand, guardOptions, guardShortcut, guardView } from './guard.ts';
import type { SlackRoutes } from './routes.ts';
import type { SlackReceiver } from './transport/receiver.ts';

type BoltDeps = {
  receiver: SlackReceiver;
  clients: SlackClients;
  routes: SlackRoutes;
  logger: Logger;
  log: Log;
};

export function createBoltApp({ receiver, clients, routes, logger, log }: BoltDeps): App {
  const app = new App({
    receiver,
    authorize: authorizeBy(clients),
    clientOptions: clients.options,
    logger,
    convoStore: false,
  });
  const ours = <Args extends AllMiddlewareArgs>(listener: Listener<Args>) => withOurClient(clients, listener);
  const { commands, shortcuts, views, actions, options, events } = routes;
  const command = byName(commands, (name, { listener }) => ours(guardCommand(name, listener, log)));
  const shortcut = byName(shortcuts, (name, listener) => ours(guardShortcut(name, listener, log)));
  const view = byName(views, (name, listener) => ours(guardView(name, listener, log)));
  const action = byName(actions, (name, listener) => ours(guardAction(name, listener, log)));
  const choice = byName(options, (name, listener) => ours(guardOptions(name, listener, log)));
  // Not guarded: no person waits for an answer, and Slack must deliver again what could not be recorded.
  const event = byName(events, (_, listener) => ours(listener as Listener<AllMiddlewareArgs>));
  // One listener for each kind of request: Bolt passes every request through all listeners that it has.
  app.command(ANY, async (args) => command(args.command.command)?.(args));
  app.shortcut(ANY, async (args) => shortcut(args.shortcut.callback_id)?.(args));
  app.view<ViewSubmitAction>({ type: 'view_submission' }, async (args) =>
    view(args.view.callback_id)?.(args),
  );
  app.action<BlockAction>({ type: 'block_actions' }, async (args) => action(args.action.action_id)?.(args));
  app.options<'block_suggestion', BlockSuggestion>({ type: 'block_suggestion' }, async (args) =>
    choice(args.options.action_id)?.(args),
  );
  app.event(ANY, async (args) => event(args.event.type)?.(args));
  // Guards report faults to people. Other errors are rethrown to the receiver, so that Slack learns of them.
  app.error(async (error) => {
    if (error.original instanceof NotInstalledError)
      return log.warn({ err: error.original }, 'request from a workspace without an installation');
    throw error;
  });
  return app;
}

const ANY = /^/;

/** Makes a listener of each route once, and finds it by the name that Slack sends. */
function byName<Route, Args>(
  routes: Readonly<Record<string, Route>>,
  listenerOf: (name: string, route: Route) => Listener<Args>,
): (name: string) => Listener<Args> | undefined {
  const listeners = new Map(Object.entries(routes).map(([name, route]) => [name, listenerOf(name, route)]));
  return (name) => listeners.get(name);
}

/** Replaces Bolt's client for a listener with ours, which handles rate limits and lost access. */
function withOurClient<Args extends AllMiddlewareArgs>(
  clients: SlackClients,
  listener: Listener<Args>,
): Listener<Args> {
  return (args) => {
    const { teamId, botToken } = args.context;
    // Events about an uninstall are not authorized.
    if (!teamId || !botToken) return listener(args);
    return listener({ ...args, client: clients.withToken(teamId, botToken) });
  };
}

/**
 * Whether an event concerns a workspace without a working token. Bolt itself knows two such events, and does not
 * authorize them.
 */
const isWithoutToken = (body: unknown) =>
  Payload.safeParse(body).data?.event?.type === EVENTS.teamAccessRevoked;

function authorizeBy(clients: SlackClients): Authorize<boolean> {
  return async ({ teamId, enterpriseId, isEnterpriseInstall }, body) => {
    if (isWithoutToken(body)) return {};
    const organization = isEnterpriseInstall ? enterpriseId : undefined;
    const named = workspaceIn(body, teamId, organization);
    // '' is no workspace, so nothing is installed there.
    const found = await clients.installation(named ?? '', organization);
    const { workspace, botToken, botId, botUserId } = found;
    return { teamId: workspace, botToken, botId, botUserId };
  };
}

const Payload = z.object({
  view: z.object({ team_id: z.string(), app_installed_team_id: z.string() }).partial().optional(),
  user: z.object({ team_id: z.string() }).partial().optional(),
  event: z.object({ type: z.string() }).partial().optional(),
});

/**
 * Finds the workspace of a payload. For a view it is the workspace whose bot opened it. In a shared channel the person
 * may belong to another workspace, which Slack then names as `team`; Bolt corrects that only for submissions
 * (https://github.com/slackapi/bolt-js/issues/1614). For an org-wide installation Slack names the organization there,
 * so the workspace in which the view was opened counts.
 */
function workspaceIn(body: unknown, team: string | undefined, organization: string | undefined) {
  const { view, user } = Payload.safeParse(body).data ?? {};
  const installed = view?.app_installed_team_id || team;
  if (installed === undefined || installed !== organization) return installed;
  return view?.team_id ?? user?.team_id;
}
