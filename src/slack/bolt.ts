/** The Bolt app: authorizes by installation, and registers the table of routes, each listener guarded. */
import {
  type AllMiddlewareArgs,
  App,
  type Authorize,
  type BlockAction,
  type BlockSuggestion,
  type SlackViewAction,
} from '@slack/bolt';
import { z } from 'zod';
import type { Log } from '../requests/ports/ports.ts';
import { EVENTS } from './blocks/ids.ts';
import type { Logger } from './client/bolt-logger.ts';
import type { SlackClients } from './client/clients.ts';
import { NotInstalledError } from './client/installations.ts';
import type { Listener } from './features/listener.ts';
import { guardAction, guardCommand, guardOptions, guardView } from './guard.ts';
import type { SlackRoutes } from './routes.ts';
import type { SlackReceiver } from './transport/receiver.ts';

export type BoltDeps = {
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
  for (const [name, listener] of Object.entries(routes.commands)) {
    app.command(name, ours(guardCommand(name, listener, log)));
  }
  for (const [name, listener] of Object.entries(routes.views)) {
    app.view<SlackViewAction>(
      { callback_id: name, type: 'view_submission' },
      ours(guardView(name, listener, log)) as never,
    );
  }
  for (const [name, listener] of Object.entries(routes.actions)) {
    app.action<BlockAction>(
      { type: 'block_actions', action_id: name },
      ours(guardAction(name, listener, log)),
    );
  }
  for (const [name, listener] of Object.entries(routes.options)) {
    app.options<'block_suggestion', BlockSuggestion>(name, ours(guardOptions(name, listener, log)) as never);
  }
  // Not guarded: nobody waits for an answer, and what could not be recorded Slack must tell again.
  for (const name of Object.values(EVENTS))
    app.event(name, ours(routes.events[name] as Listener<AllMiddlewareArgs>));
  // Guards tell people of faults. What still gets here is thrown on to the receiver, so that Slack hears of it.
  app.error(async (error) => {
    if (error.original instanceof NotInstalledError)
      return log.warn({ err: error.original }, 'not installed there');
    throw error;
  });
  return app;
}

/** Gives a listener our client in place of Bolt's, which tells neither of rate limits nor of a lost access. */
function withOurClient<Args extends AllMiddlewareArgs>(
  clients: SlackClients,
  listener: Listener<Args>,
): Listener<Args> {
  return (args) => {
    const { teamId, botToken } = args.context;
    // Of events that tell of an uninstall nothing is authorized.
    if (!teamId || !botToken) return listener(args);
    return listener({ ...args, client: clients.withToken(teamId, botToken) });
  };
}

/**
 * About workspaces in which no token works any more. Bolt itself knows of two such events, and asks nobody whether they are
 * authorized.
 */
const isWithoutToken = (body: unknown) =>
  Payload.safeParse(body).data?.event?.type === EVENTS.teamAccessRevoked;

function authorizeBy(clients: SlackClients): Authorize<boolean> {
  return async ({ teamId, enterpriseId, isEnterpriseInstall }, body) => {
    if (isWithoutToken(body)) return {};
    const organization = isEnterpriseInstall ? enterpriseId : undefined;
    const named = workspaceIn(body, teamId, organization);
    // '' is no workspace, and so it is installed nowhere there.
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
 * The workspace that a payload is about: of a view, the one whose bot has opened it. In a shared channel the person may be
 * of another one, which Slack then names as `team`; Bolt sees to that for submissions alone
 * (https://github.com/slackapi/bolt-js/issues/1614). Of an org-wide installation Slack names the organization there, and
 * what is meant is the workspace in which the view was opened.
 */
function workspaceIn(body: unknown, team: string | undefined, organization: string | undefined) {
  const { view, user } = Payload.safeParse(body).data ?? {};
  const installed = view?.app_installed_team_id || team;
  if (installed === undefined || installed !== organization) return installed;
  return view?.team_id ?? user?.team_id;
}
