/**
 * Creates the Bolt app: it authorizes by installation, and registers the routes. If a listener fails while a person waits for
 * it, that is logged, and the person learns what to do about it. If the listener of an event fails, Slack delivers it again.
 */
import {
  type AllMiddlewareArgs,
  App,
  type Authorize,
  type BlockAction,
  type BlockSuggestion,
  type Logger,
  type Receiver,
  type types,
  type ViewSubmitAction,
} from '@slack/bolt';
import { z } from 'zod';
import type { Log } from '../outbox/ports.ts';
import { textModal } from './blocks/forms.ts';
import { drawnIn, stampedView, withoutStamps } from './blocks/stamp.ts';
import { textMessage, withoutEntities } from './blocks/text.ts';
import type { SlackClients } from './client/clients.ts';
import { type Installation, NotInstalledError } from './client/installation.ts';
import { answerClick, failureSentence } from './listeners/answers.ts';
import type {
  ActionArgs,
  CommandArgs,
  Listener,
  NotLearnt,
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
  app.shortcut(ANY, (args) => run(routes.shortcuts, args.shortcut.callback_id, args, reportToShortcut));
  app.view<ViewSubmitAction>({ type: 'view_submission' }, (args) =>
    run(routes.views, args.view.callback_id, args, reportToView),
  );
  app.action<BlockAction>({ type: 'block_actions' }, (args) =>
    run(routes.actions, args.action.action_id, args, reportToAction),
  );
  app.options<'block_suggestion', BlockSuggestion>({ type: 'block_suggestion' }, (args) =>
    run(routes.options, args.options.action_id, args, reportToOptions),
  );
  // Not guarded: no person waits for an answer, and Slack must deliver again what could not be recorded.
  const events = routes.events as Record<string, Listener<never>>;
  app.event(ANY, async (args) => routeOf(events, args.event.type)?.(withOurClient(args) as never));
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

const Payload = z.object({
  view: z.object({ team_id: z.string(), app_installed_team_id: z.string() }).partial().optional(),
  user: z.object({ team_id: z.string() }).partial().optional(),
  event: z.object({ type: z.string() }).partial().optional(),
  team_id: z.string().nullish(),
});

function authorizeBy(clients: SlackClients, log: Log): Authorize<boolean> {
  return async ({ teamId, enterpriseId, isEnterpriseInstall }, given) => {
    const body = Payload.safeParse(given).data ?? {};
    // The workspace has no working token any more. Bolt knows two other such events (app_uninstalled, tokens_revoked), and does
    // not authorize them.
    if (body.event?.type === 'team_access_revoked') return {};
    const organization = isEnterpriseInstall ? enterpriseId : undefined;
    // Bolt takes the envelope's workspace only if that of the authorization is null. Slack may also leave out that of the
    // authorization (https://github.com/slackapi/java-slack-sdk/issues/923).
    const named = workspaceIn(body, teamId ?? body.team_id ?? undefined, organization);
    const meant = await meantBy(clients, { drawn: drawnIn(given), named, organization: enterpriseId });
    // '' is no workspace, so nothing is installed there.
    const finding = clients.installation(meant ?? '', organization, body.event ? 'recent' : 'now');
    const { workspace, botToken, botUserId, notLearnt }: Found = await (body.event &&
    organization !== undefined
      ? finding.catch((err) => ofOrganization(clients, log, organization, err))
      : finding);
    // Not as `botToken`: Bolt makes a client for each of those, and keeps it for ever (`WebClientPool` in its App.js).
    return { teamId: workspace, token: botToken, botUserId, notLearnt };
  };
}

/** `notLearnt`: as in the context (listeners/listener.ts). */
type Found = Installation & Pick<NotLearnt, 'notLearnt'>;

/**
 * Finds the organization's installation, which asks Slack about the channel of an event, if the workspace that Slack names beside
 * the organization does not act by itself (listeners/concerned.ts).
 *
 * @param error says that the workspace is another company's, or that Slack can't say whose it is. In the second case no vote is
 *   lost without the workspace: one that is not known has nothing stored.
 */
async function ofOrganization(
  clients: SlackClients,
  log: Log,
  organization: string,
  error: unknown,
): Promise<Found> {
  const found = await clients.installation(organization);
  if (error instanceof NotInstalledError) return found;
  log.warn({ organization, err: error }, 'workspace of an event not learnt');
  return { ...found, notLearnt: error };
}

/**
 * Decides between the workspace for which something was drawn and the one that Slack names: the first, if both belong to one
 * organization; otherwise neither, because a click must not act where nobody clicked.
 *
 * @param drawn undefined for a shortcut or a command, and for what was drawn before anything was stamped
 * @param organization of the payload, if Slack names it
 */
async function meantBy(
  { memberOf }: Pick<SlackClients, 'memberOf'>,
  { drawn, named, organization }: Record<'drawn' | 'named' | 'organization', string | undefined>,
): Promise<string | undefined> {
  if (drawn === undefined || drawn === named) return named;
  const ours = organization ?? (named && (await memberOf(named)));
  return ours && (await memberOf(drawn)) === ours ? drawn : undefined;
}

/**
 * Finds the workspace that Slack names in a payload. For a view it is the workspace whose bot opened it. In a shared channel the
 * person may belong to another workspace, which Slack then names as `team`; Bolt corrects that only for submissions
 * (https://github.com/slackapi/bolt-js/issues/1614). For an org-wide installation Slack names the organization as the place
 * where the app is installed, so the workspace in which the view was opened counts, or that of the person. In place of these
 * Slack may name the organization (https://docs.slack.dev/reference/interaction-payloads/block_suggestion-payload).
 */
function workspaceIn(
  { view, user }: z.infer<typeof Payload>,
  team: string | undefined,
  organization: string | undefined,
) {
  const installed = view?.app_installed_team_id || team;
  if (installed === undefined || installed !== organization) return installed;
  return [view?.team_id, user?.team_id].find((id) => id !== undefined && id !== organization);
}

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

/** Answers at the message with the button or, for a button in a modal, by a direct message. */
const reportToAction: Report<ActionArgs> = async ({ ack, body, client, respond }, acked, text) => {
  if (!acked) await ack();
  if (body.response_url) await answerClick({ body, respond }, text);
  else await sendDirectMessage(client, body.user.id, text);
};

/** Answers by a direct message: a shortcut from Slack's own menu has no place to answer in. */
const reportToShortcut: Report<ShortcutArgs> = async ({ ack, body, client }, acked, text) => {
  if (!acked) await ack();
  await sendDirectMessage(client, body.user.id, text);
};

/** An options response cannot carry an error message, so it returns an empty list. */
const reportToOptions: Report<OptionsArgs> = async ({ ack }, acked) => {
  if (!acked) await ack({ options: [] });
};

type Acknowledging = {
  ack: (answer?: never) => Promise<void>;
  context: { teamId?: string; userId?: string };
};

/** Stamps the view in the answer to a submission. */
function stampedAnswer<Answer>(workspace: string | undefined, answer: Answer): Answer {
  const shown = answer as { view?: types.View } | undefined;
  return workspace && shown?.view ? { ...answer, view: stampedView(workspace, shown.view) } : answer;
}

/** Runs a listener: its errors are logged, and reported to the person who waits. @param name of the route, for the log */
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
    await listener({ ...args, ack });
  } catch (error) {
    const { teamId: workspace, userId: user } = args.context;
    const about = { listener: name, workspace, user };
    await report(args, acked, failureSentence(log, error, about)).catch((failure) => {
      log.error({ ...about, err: failure }, 'failure message not delivered');
    });
  }
}
