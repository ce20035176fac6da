/** Serves Bolt's installer on two pages: one to begin, and one that Slack redirects to. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { ErrorCode, InstallProvider, type Installation as NewlyInstalled } from '@slack/oauth';
import { reportFault } from '../../fault.ts';
import type { HttpRequest, HttpResponse, Route } from '../../http/server.ts';
import type { Log } from '../../outbox/ports.ts';
import { installedFields } from '../../workspaces/installation/installation-record.ts';
import {
  type InstallationStore,
  type NewInstallation,
  NotAddedError,
} from '../../workspaces/installation/installations.ts';
import { isTokenRefused, missingScopes, SCOPES } from '../client/access.ts';
import { failureOf, platformCode } from '../client/call-slack.ts';
import { clientOptions, type SlackApi, webClient } from '../client/clients.ts';
import { STATE_SECONDS, type States } from './oauth-states.ts';
import { type Ending, endingPage, installPage, REFUSALS } from './pages.ts';

type InstallerDeps = {
  store: InstallationStore;
  states: States;
  api: SlackApi;
  clientId: string;
  clientSecret: string;
  publicUrl: URL;
  /** Whether Slack's limit leaves room for one more installation now. */
  mayExchange: () => Promise<boolean>;
  isConnected: (workspace: string) => Promise<boolean>;
  /** Tells the installing person what to do next. Never throws. @returns whether the message was sent */
  welcome: (installation: NewInstallation) => Promise<boolean>;
  log: Log;
};

const INSTALL_PATH = '/slack/install';
const CALLBACK_PATH = '/slack/oauth_redirect';
/** Binds the callback to the browser in which the installation began (RFC 6749, 10.12). */
const COOKIE = 'countermand-install';
const SLACK_TIMEOUT_MS = 7_000;

/** The page on which somebody installs the bot. */
export const installUrl = (publicUrl: URL): string => new URL(INSTALL_PATH.slice(1), publicUrl).href;

export function installRoutes(deps: InstallerDeps): Route[] {
  const installer = createInstaller(deps);
  return [
    pageRoute(deps.log, INSTALL_PATH, () => begin(deps, installer)),
    pageRoute(deps.log, CALLBACK_PATH, (request) => finish(deps, installer, request)),
  ];
}

/** The route of a page. Every fault, most likely an unavailable storage, shows a page: a person is waiting at a browser. */
function pageRoute(log: Log, path: string, handle: Route['handle']): Route {
  return {
    method: 'GET',
    path,
    maxBytes: 0,
    handle: (request) =>
      handle(request).catch((error) =>
        endingPage({ type: 'fault', reference: reportFault(log, error, { route: path }) }),
      ),
  };
}

function createInstaller({ store, states, api, clientId, clientSecret }: InstallerDeps): InstallProvider {
  return new InstallProvider({
    clientId,
    clientSecret,
    stateStore: states,
    stateCookieName: COOKIE,
    // The installer never reads, and only the necessary fields are stored.
    installationStore: {
      storeInstallation(installed) {
        const installation = toNew(installed);
        return store.add(installation, () => isAccepted(installation.tokens.bot, api));
      },
      fetchInstallation: () => Promise.reject(new Error('Installations are read elsewhere.')),
    },
    authorizationUrl: new URL('../oauth/v2/authorize', api.apiUrl).href,
    clientOptions: clientOptions(api, SLACK_TIMEOUT_MS),
    // Faults are logged below with a reference; a cancelled installation is no fault.
    logger: { ...api.logger, error() {} },
  });
}

/** Asks Slack whether a bot token works. @throws if Slack does not say */
async function isAccepted(token: string, api: SlackApi): Promise<boolean> {
  const asked = webClient(token, api, SLACK_TIMEOUT_MS).auth.test();
  return asked.then(
    () => true,
    (error) => {
      if (isTokenRefused(platformCode(error))) return false;
      throw error;
    },
  );
}

/** Shows the page to begin at, and gives the browser the cookie of its installation. */
async function begin(
  { states, publicUrl }: InstallerDeps,
  installer: InstallProvider,
): Promise<HttpResponse> {
  const options = { scopes: SCOPES, redirectUri: new URL(CALLBACK_PATH.slice(1), publicUrl).href };
  const state = await states.generateStateParam(options, new Date());
  const page = installPage(await installer.generateInstallUrl(options, true, state));
  const cookie = `${COOKIE}=${state}; Secure; HttpOnly; SameSite=Lax; Path=/; Max-Age=${STATE_SECONDS}`;
  return { ...page, headers: { ...page.headers, 'set-cookie': cookie } };
}

/**
 * Checks what can be checked before anything is written, or Slack is called: anybody may open this page, and the calls
 * are limited for the whole app.
 *
 * @returns the ending of a callback that may not go on
 */
async function refusalOf(
  { states, mayExchange, publicUrl, log }: InstallerDeps,
  { url, headers }: HttpRequest,
): Promise<Ending | undefined> {
  const { searchParams } = new URL(url, publicUrl);
  const refusal = searchParams.get('error');
  if (refusal === 'access_denied') return { type: 'denied' };
  if (refusal !== null) return { type: 'refused', code: failureCode(refusal) };
  if (!searchParams.get('code')) return { type: 'forged' };
  const state = searchParams.get('state') ?? '';
  const verdict = await states.judge(state);
  if (verdict !== 'fresh') return { type: verdict };
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  if (!cookies.includes(`${COOKIE}=${state}`)) return { type: 'other_browser' };
  if (await mayExchange()) return undefined;
  // A caller who uses up the limit keeps everybody from installing, and only the operator can stop them.
  log.warn({ route: CALLBACK_PATH }, 'installation refused: too many are tried');
  return { type: 'crowded' };
}

/**
 * Runs the installer's callback. It was made for node:http: it reads a URL and a cookie, and removes the cookie, even if the
 * state is not the browser's. In that case the cookie belongs to another installation that is under way, and stays.
 */
async function finish(
  deps: InstallerDeps,
  installer: InstallProvider,
  incoming: HttpRequest,
): Promise<HttpResponse> {
  const refusal = await refusalOf(deps, incoming);
  if (refusal) return endingPage(refusal);
  const { url } = incoming;
  // Anybody could name a host with which no URL can be made.
  const headers = { ...incoming.headers, host: deps.publicUrl.host };
  const request = Object.assign(new IncomingMessage(new Socket()), { url, headers });
  const response = new ServerResponse(request);
  const { promise, resolve } = Promise.withResolvers<Ending>();
  let isVerified = false;
  await installer.handleCallback(request, response, {
    beforeInstallation: async () => {
      isVerified = true;
      return true;
    },
    successAsync: async (installed) => resolve(await succeed(deps, installed)),
    failureAsync: async (error) => resolve(await endingOf(deps, error, new URL(url, deps.publicUrl))),
  });
  const page = endingPage(await promise);
  const cookie = response.getHeader('set-cookie');
  return cookie === undefined || !isVerified
    ? page
    : { ...page, headers: { ...page.headers, 'set-cookie': `${cookie}` } };
}

async function succeed(deps: InstallerDeps, installed: NewlyInstalled): Promise<Ending> {
  const { isConnected, welcome, log } = deps;
  const installation = toNew(installed);
  log.info(
    { event: 'installed', ...installedFields(installation.id), user: installation.installedBy },
    'Countermand was installed',
  );
  const { id, orgWide, scopes } = installation;
  const missing = missingScopes(scopes);
  if (missing.length > 0) {
    log.error(
      { event: 'slack_scopes_missing', ...installedFields(id), missing },
      'the bot token lacks scopes that Countermand needs',
    );
    return { type: 'lacking', missing };
  }
  const facts = { type: 'installed', id, appId: installed.appId, orgWide } as const;
  if (!orgWide && (await isConnected(id))) return { ...facts, next: 'none' };
  return { ...facts, next: (await welcome(installation)) ? 'message' : 'command' };
}

/** Slack's errors for a code that is no longer valid (https://docs.slack.dev/reference/methods/oauth.v2.access). */
const SPENT_CODES: ReadonlySet<string | undefined> = new Set(['invalid_code', 'code_already_used']);

/** The ending of a failed callback. A fault is logged. */
async function endingOf(
  { states, log }: InstallerDeps,
  error: Error & { code?: unknown },
  { searchParams }: URL,
): Promise<Ending> {
  if (error instanceof NotAddedError) return { type: error.why };
  if (error.code === ErrorCode.InvalidStateError) {
    const verdict = await states.judge(searchParams.get('state') ?? '');
    return { type: verdict === 'fresh' ? 'other_browser' : verdict };
  }
  const code = platformCode(error);
  if (SPENT_CODES.has(code)) return { type: 'used' };
  if (code !== undefined && REFUSALS.has(code)) return { type: 'refused', code };
  const reference = reportFault(log, error, { route: CALLBACK_PATH, slack: failureOf(error).code });
  return { type: 'fault', reference };
}

/** Returns a code of Slack's; any other text is not repeated, because anybody can write it into the address. */
const failureCode = (text: string) => (/^\w{1,60}$/.test(text) ? text : 'unknown');

/** Turns Bolt's installation into ours. @throws if Slack has given no bot token: the app's page requests none */
function toNew({ team, enterprise, isEnterpriseInstall, bot, user }: NewlyInstalled): NewInstallation {
  const orgWide = isEnterpriseInstall === true;
  const id = orgWide ? enterprise?.id : team?.id;
  if (!id || !bot) throw new Error('Slack named no workspace, or gave no bot token.');
  const { token, refreshToken, expiresAt, scopes, userId: botUserId } = bot;
  return {
    id,
    orgWide,
    ...(!orgWide && enterprise ? { organization: enterprise.id } : {}),
    tokens: { bot: token, ...(refreshToken ? { refresh: refreshToken } : {}) },
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt * 1_000 }),
    scopes,
    botUserId,
    installedBy: user.id,
  };
}
