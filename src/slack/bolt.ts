/**
 * Creates the Bolt app, and registers the routes. If the authorization or a listener fails while a person waits, that is logged,
 * and the person learns what to do about it. If that of an event fails, Slack delivers it again.
 */
import {
  type AllMiddlewareArgs,
  App,
  type BlockAction,
  type BlockSuggestion,
  type Logger,
  type Receiver,
  type types,
  type ViewSubmitAction,
} from '@slack/bolt';
import type { Log } from '../outbox/ports.ts';
import { authorizeBy, type NotAuthorized } from './authorize.ts';
import { textModal } from './blocks/forms.ts';
import { stampedView, withoutStamps } from './blocks/stamp.ts';
import { textMessage, withoutEntities } from './blocks/text.ts';
import type { SlackClients } from './client/clients.ts';
import { NotInstalledError } from './client/installation.ts';
import { answerClick, failureSentence } from './listeners/answers.ts';
import { ifScopeMissing } from './listeners/concerned.ts';
import type {
  ActionArgs,
  CommandArgs,
  Listener,
  OptionsArgs,
  ShortcutArgs,
  ViewArgs,
} from './listeners/listener.ts';
import { sendDirectMessage } from './messages/deliver.ts';
import type { SlackRoutes } from './routes.ts';

type BoltDeps = {
  receiver: Receiver;
  clients: SlackClients;
  routes: SlackRoutes;
  logger: Logger;
  log: Log;
};

/** A pattern that matches any name: a listener is found by the name itself (`routeOf`). */
const ANY = /^/;

export function createBoltApp({ receiver, clients, routes, logger, log }: BoltDeps): App {
  const app = new App({
    receiver,
    authorize: authorizeBy(clients, log),
    clientOptions: clients.options,
    logger,
    convoStore: false,
  });

  /** Replaces Bolt's client with one of `clients`, which handles rate limits and lost access. */
  function withOurClient<Args extends AllMiddlewareArgs>(args: Args): Args {
    const { teamId, token } = args.context;
    // Events about an uninstall are not authorized.
    return teamId && token ? { ...args, client: clients.withToken(teamId, token) } : args;
  }

  /** Runs the listener of a route, for a person who waits. */
  async function run<Args extends Acknowledging & AllMiddlewareArgs & { body: object }>(
    listeners: Readonly<Record<string, Listener<Args>>>,
    name: string,
    args: Args,
    report: Report<Args>,
  ): Promise<void> {
    const listener = routeOf(listeners, name);
    if (listener) await guard(name, listener, withOurClient(withoutStamps(args)), { log, report });
  }

  // One listener for each type of payload: Bolt passes every payload through all listeners that it has.
  app.command(ANY, (args) =>
    run(routes.commands, args.command.command, { ...args, command: asTyped(args.command) }, reportToCommand),
  );
  app.shortcut(ANY, (args) => run(routes.shortcuts, args.shortcut.callback_id, args, reportToClick));
  app.view<ViewSubmitAction>({ type: 'view_submission' }, (args) =>
    run(routes.views, args.view.callback_id, args, reportToView),
  );
  app.action<BlockAction>({ type: 'block_actions' }, (args) =>
    run(routes.actions, args.action.action_id, args, reportToClick),
  );
  app.options<'block_suggestion', BlockSuggestion>({ type: 'block_suggestion' }, (args) =>
    run(routes.options, args.options.action_id, args, reportToOptions),
  );
  // Not guarded: no person waits for an answer, and Slack must deliver again what could not be recorded.
  const events = routes.events as Record<string, Listener<never>>;
  app.event(ANY, async (args) => {
    const { type: name } = args.event;
    const handled = routeOf(events, name)?.(withOurClient(args) as never);
    const { teamId, enterpriseId = '' } = args.context;
    await handled?.catch(ifScopeMissing(log, teamId ?? enterpriseId, name, undefined));
  });
  // Guards report faults to people. Other errors are rethrown to the receiver, so that Slack learns of them.
  app.error(async (error) => {
    if (error.original instanceof NotInstalledError)
      return log.warn({ err: error.original }, 'payload from a workspace without an installation');
    throw error;
  });
  return app;
}

/**
 * A command with its text as the person typed it: Slack writes & < and > in it as in messages. No page of Slack says so; other
 * apps undo it, and docs/acceptance.md tries it in a real workspace.
 */
const asTyped = (command: CommandArgs['command']): CommandArgs['command'] => ({
  ...command,
  // Slack may leave it out, whatever the type says.
  text: withoutEntities(command.text ?? ''),
});

const routeOf = <Route>(routes: Readonly<Record<string, Route>>, name: string): Route | undefined =>
  Object.hasOwn(routes, name) ? routes[name] : undefined;

type Report<Args> = (args: Args, acked: boolean, text: string) => Promise<unknown>;

const reportToCommand: Report<CommandArgs> = ({ ack, respond }, acked, text) => {
  const answer = { response_type: 'ephemeral' as const, ...textMessage(text) };
  return acked ? respond(answer) : ack(answer);
};

/**
 * Shows the failure above the form, so that no input is lost. It takes the place of the form if Slack allows no further view,
 * or if the submission is acknowledged already.
 */
const reportToView: Report<ViewArgs> = async ({ ack, body, client, view }, acked, text) => {
  const modal = textModal('This did not work', text);
  if (!acked) return ack({ response_action: isThirdView(view) ? 'update' : 'push', view: modal });
  return client.views
    .update({ view_id: view.id, view: modal })
    .catch(() => sendDirectMessage(client, body.user.id, text));
};

/** A modal has three views at most (https://docs.slack.dev/surfaces/modals). */
const isThirdView = ({ previous_view_id: below, root_view_id: lowest }: ViewArgs['view']): boolean =>
  below !== null && below !== lowest;

/** Answers at the message with the button or the shortcut's menu; elsewhere there is no place, so by a direct message. */
const reportToClick: Report<ActionArgs | ShortcutArgs> = async (args, acked, text) => {
  const { ack, body, client, respond } = args;
  if (!acked) await ack();
  if ('response_url' in body && body.response_url) await answerClick({ body, respond }, text);
  else await sendDirectMessage(client, body.user.id, text);
};

/** An options response cannot carry an error message, so it returns an empty list. */
const reportToOptions: Report<OptionsArgs> = async ({ ack }, acked) => {
  if (!acked) await ack({ options: [] });
};

type Acknowledging = {
  ack: (answer?: never) => Promise<void>;
  context: { teamId?: string; userId?: string } & NotAuthorized;
};

/** Stamps the view in the answer to a submission. */
function stampedAnswer<Answer>(workspace: string | undefined, answer: Answer): Answer {
  const shown = answer as { view?: types.View } | undefined;
  return workspace && shown?.view ? { ...answer, view: stampedView(workspace, shown.view) } : answer;
}

/**
 * Runs a listener, if its payload is authorized. Errors are logged, and reported to the person who waits.
 *
 * @param name of the route, for the log
 */
async function guard<Args extends Acknowledging>(
  name: string,
  listener: Listener<Args>,
  args: Args,
  { log, report }: { log: Log; report: Report<Args> },
): Promise<void> {
  let acked = false;
  const ack = (answer: never) => {
    acked = true;
    return args.ack(stampedAnswer(args.context.teamId, answer));
  };
  try {
    if (args.context.notAuthorized) throw args.context.notAuthorized;
    await listener({ ...args, ack });
  } catch (error) {
    const { teamId: workspace, userId: user } = args.context;
    const about = { listener: name, workspace, user };
    await report(args, acked, failureSentence(log, error, about)).catch((failure) => {
      log.error({ ...about, err: failure }, 'failure message not delivered');
    });
  }
}
