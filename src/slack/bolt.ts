/** The Bolt app: authorizes by installation, and registers the table of routes, each listener guarded. */
import {
  App,
  type Authorize,
  type BlockAction,
  type BlockSuggestion,
  type SlackViewAction,
} from '@slack/bolt';
import { z } from 'zod';
import type { Log } from '../requests/ports.ts';
import type { Logger } from './bolt-logger.ts';
import { NotInstalledError, type SlackClients } from './clients.ts';
import { guardAction, guardCommand, guardOptions, guardView } from './guard.ts';
import { EVENTS } from './ids.ts';
import type { Listener } from './listeners/listener.ts';
import type { SlackReceiver } from './receiver.ts';
import type { SlackRoutes } from './routes.ts';

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
  for (const [name, listener] of Object.entries(routes.commands)) {
    app.command(name, guardCommand(name, listener, log));
  }
  for (const [name, listener] of Object.entries(routes.views)) {
    app.view<SlackViewAction>(
      { callback_id: name, type: 'view_submission' },
      guardView(name, listener, log) as never,
    );
  }
  for (const [name, listener] of Object.entries(routes.actions)) {
    app.action<BlockAction>({ type: 'block_actions', action_id: name }, guardAction(name, listener, log));
  }
  for (const [name, listener] of Object.entries(routes.options)) {
    app.options<'block_suggestion', BlockSuggestion>(name, guardOptions(name, listener, log) as never);
  }
  // Not guarded: nobody waits for an answer, and what could not be recorded Slack must tell again.
  for (const name of Object.values(EVENTS)) app.event(name, routes.events[name] as Listener<unknown>);
  // Guards tell people of faults. What still gets here is thrown on to the receiver, so that Slack hears of it.
  app.error(async (error) => {
    if (error.original instanceof NotInstalledError)
      return log.warn({ err: error.original }, 'not installed there');
    throw error;
  });
  return app;
}

function authorizeBy(clients: SlackClients): Authorize<boolean> {
  return async ({ teamId, enterpriseId, isEnterpriseInstall }, body) => {
    const organization = isEnterpriseInstall ? enterpriseId : undefined;
    const named = teamId === organization ? workspaceIn(body) : teamId;
    const found = await clients.installation(named ?? '', organization);
    const { workspace, botToken, botId, botUserId } = found;
    return { teamId: workspace, botToken, botId, botUserId };
  };
}

const Named = z.object({ team_id: z.string() });
const Interaction = z.object({ view: Named.optional(), user: Named.optional() });

/**
 * Of a form, Bolt takes the workspace in which the app is installed: of an org-wide installation that is the organization
 * (`view.app_installed_team_id`). What is meant is the workspace in which the form was opened.
 */
function workspaceIn(body: unknown): string | undefined {
  const { view, user } = Interaction.safeParse(body).data ?? {};
  return view?.team_id ?? user?.team_id;
}
