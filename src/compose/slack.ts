/** Creates the adapters to Slack, for a bot in one workspace or in many. */
import type { Config } from '../config.ts';
import type { Route } from '../http/server.ts';
import type { Log } from '../outbox/ports.ts';
import { createTokenWatch, type TokenWatch } from '../slack/client/access.ts';
import {
  boltLogger,
  createPublishView,
  createSlackClients,
  type SlackApi,
  type SlackTimeouts,
  webClient,
} from '../slack/client/clients.ts';
import type { Installations } from '../slack/client/installation.ts';
import { createLinks } from '../slack/client/links.ts';
import { createSlackRateLimits, mayInstall } from '../slack/client/rate-limits.ts';
import { logOutages } from '../slack/client/slack-fetch.ts';
import { createDirectory } from '../slack/directory/directory.ts';
import { createIsBot } from '../slack/install/bot-users.ts';
import { createChecks } from '../slack/install/check-installed.ts';
import { createStoredInstallations } from '../slack/install/find-installations.ts';
import { installRoutes, installUrl } from '../slack/install/installer.ts';
import { createIsListed } from '../slack/install/listed-workspaces.ts';
import { createStates } from '../slack/install/oauth-states.ts';
import { welcome } from '../slack/install/pages.ts';
import { createRotation } from '../slack/install/rotation.ts';
import { createSingleInstallation } from '../slack/install/single-installation.ts';
import { createMessenger } from '../slack/messages/messenger.ts';
import { createNotifier } from '../slack/messages/notifier.ts';
import { createReceiver, type SlackReceiver } from '../slack/transport/receiver.ts';
import { createSocketReceiver, type LinkTimings } from '../slack/transport/socket-receiver.ts';
import { connectionState } from '../workspaces/connection/tokens.ts';
import { createTellOfRenewal } from '../workspaces/tell-admins.ts';
import type { Adapters } from './adapters.ts';

type Given = { config: Config; adapters: Adapters; log: Log };

/** Set by tests and the bench alone. */
export type SlackOverrides = { socket?: LinkTimings; slackTimeouts?: Partial<SlackTimeouts> };

/** The time-out of the welcome message: short, because nobody waits for it, and the page says the same. */
const WELCOME_MS = 5_000;

export function createSlackAdapters(given: Given, { socket, slackTimeouts }: SlackOverrides) {
  const { config, log } = given;
  const { apiUrl } = config.slack;
  const logger = boltLogger(log);
  const { limiter } = given.adapters.storage;
  const { runtime, connectSlack } = given.adapters.outside;
  const { close, ...network } = connectSlack();
  const send = logOutages(network.send, log, runtime.monotonic);
  const api = { apiUrl, logger, ...network, send };
  const tokenWatch = createTokenWatch(log);
  const { installations, routes, stop } = createInstallations(given, api, tokenWatch);
  const rateLimits = createSlackRateLimits(limiter, config.slack, log);
  const clients = createSlackClients(installations, {
    ...api,
    rateLimits,
    tokenWatch,
    monotonic: runtime.monotonic,
    timeouts: slackTimeouts,
  });
  const directory = createDirectory(clients, runtime.monotonic, tokenWatch);
  const links = createLinks({ directory, log });
  const settings = given.adapters.settings.read;
  const receiver = createSlackReceiver(given, api, socket);
  return {
    logger,
    installations,
    checks: createChecks(installations, api),
    noteRefused: tokenWatch.noteRefused,
    clients,
    rateLimits,
    receiver,
    /** The routes that Slack calls, and those for people who install the bot. */
    routes: [...receiver.routes, ...routes],
    messenger: createMessenger({ clients, log, links, directory, settings }),
    notifier: createNotifier({ clients, log, directory, settings }),
    directory,
    links,
    publishView: createPublishView(clients, rateLimits, runtime),
    /** Waits for tokens that are being replaced, until `timeout` resolves, and closes the connections to Slack. */
    async stop(timeout: Promise<unknown>) {
      await stop(timeout);
      await close();
    },
  };
}

function createInstallations(
  { config, adapters, log }: Given,
  api: SlackApi,
  tokenWatch: TokenWatch,
): { installations: Installations; routes: Route[]; stop: (timeout: Promise<unknown>) => Promise<void> } {
  const { installing } = config.slack;
  if (installing.type === 'token') {
    return {
      installations: createSingleInstallation(installing.botToken, { api, log, ...tokenWatch, ...adapters }),
      routes: [],
      stop: async () => {},
    };
  }
  const { clientId, clientSecret, stateSecret } = installing;
  const store = adapters.installations;
  const { replicated, limiter } = adapters.storage;
  const rotation = createRotation({
    store,
    replicated,
    api,
    clientId,
    clientSecret,
    tellOfRenewal: createTellOfRenewal({ ...adapters.storage, ...adapters }, installUrl(config.publicUrl)),
    log,
    runtime: adapters.outside.runtime,
  });
  const routes = installRoutes({
    // Otherwise a failover could undo the installation that the page has confirmed.
    store: { ...store, add: (...given) => replicated(() => store.add(...given)) },
    states: createStates(stateSecret, adapters.usedStates),
    api,
    clientId,
    clientSecret,
    publicUrl: config.publicUrl,
    mayExchange: () => mayInstall(limiter),
    isConnected: async (workspace) =>
      (await connectionState(adapters.connections, workspace)) !== 'not_connected',
    welcome: (installed) => welcome(webClient(installed.tokens.bot, api, WELCOME_MS), installed, log),
    log,
  });
  return {
    installations: {
      ...createStoredInstallations(store, adapters.organizations, {
        ...rotation,
        isListed: createIsListed(api, adapters.outside.runtime.monotonic),
      }),
      isBot: createIsBot(store, adapters.outside.runtime.monotonic),
    },
    routes,
    stop: rotation.stop,
  };
}

function createSlackReceiver(
  { config, adapters, log }: Given,
  api: SlackApi,
  timings: LinkTimings | undefined,
): SlackReceiver {
  const { transport } = config.slack;
  if (transport.type === 'socket')
    return createSocketReceiver({ ...api, log, appToken: transport.appToken, ...(timings && { timings }) });
  const { now } = adapters.outside.runtime;
  return createReceiver({ signingSecret: transport.signingSecret, log, now });
}
