/** The Bolt app: authorizes by installation, and registers the table of routes, each listener guarded. */
import {
  App,
  type Authorize,
  type BlockAction,
  type BlockSuggestion,
  type SlackViewAction,
} from '@slack/bolt';
import type { Log } from '../requests/ports.ts';
import type { Logger } from './bolt-logger.ts';
import { NotInstalledError, type SlackClients } from './clients.ts';
import { guardAction, guardCommand, guardOptions, guardView } from './guard.ts';
import { EVENTS } from './ids.ts';
import { isObject } from './incoming.ts';
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
  return async ({ teamId }, body) => {
    const { workspace, botToken, botId, botUserId } = await clients.installation(
      installedTeam(body) ?? teamId ?? '',
    );
    return { teamId: workspace, botToken, botId, botUserId };
  };
}

/**
 * The workspace whose bot has opened a view. In a shared channel the person may be of another one, which Slack then names
 * as `team`; Bolt sees to that for submissions alone (https://github.com/slackapi/bolt-js/issues/1614).
 */
function installedTeam(body: object | undefined): string | undefined {
  const view = body && 'view' in body ? body.view : undefined;
  if (!isObject(view)) return undefined;
  const { app_installed_team_id: team } = view;
  return typeof team === 'string' && team !== '' ? team : undefined;
}
