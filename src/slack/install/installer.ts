/** Bolt's installer, at two addresses of our own server: the page to begin with, and the one that Slack leads back to. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import {
  type InstallationStore as BoltStore,
  ErrorCode,
  InstallProvider,
  type Installation as NewlyInstalled,
} from '@slack/oauth';
import { reportFault } from '../../fault.ts';
import type { HttpRequest, HttpResponse, Route } from '../../http/route.ts';
import { LockedError } from '../../requests/ports/locks.ts';
import type { Log } from '../../requests/ports/ports.ts';
import type { InstallationStore, NewInstallation } from '../../workspaces/installation/installations.ts';
import { installedFields } from '../../workspaces/log-fields.ts';
import { failureOf, platformCode } from '../client/failure.ts';
import { SCOPES } from '../client/scopes.ts';
import { clientOptions, type SlackApi } from '../client/web-client.ts';
import { type Ending, endingPage, installPage } from './pages.ts';
import { STATE_SECONDS, type States } from './states.ts';

export type InstallerDeps = {
  store: InstallationStore;
  states: States;
  api: SlackApi;
  clientId: string;
  clientSecret: string;
  publicUrl: URL;
  /** Tells the one who has installed it what to do next. Never throws. @returns whether it was sent */
  welcome: (installation: NewInstallation) => Promise<boolean>;
  log: Log;
};

export const INSTALL_PATH = '/slack/install';
const CALLBACK_PATH = '/slack/oauth_redirect';
/** Binds what comes back to the browser in which it began (RFC 6749, 10.12). */
const COOKIE = 'countermand-install';
const SLACK_MS = 7_000;

export function installRoutes(deps: InstallerDeps): Route[] {
  const installer = createInstaller(deps);
  return [
    page(deps.log, INSTALL_PATH, () => begin(deps, installer)),
    page(deps.log, CALLBACK_PATH, (request) => finish(deps, installer, request)),
  ];
}

/** Whatever goes wrong, most likely that the storage is away: somebody sits at a browser and reads a page. */
function page(log: Log, path: string, handle: Route['handle']): Route {
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
    installationStore: boltStore(store),
    authorizationUrl: new URL('../oauth/v2/authorize', api.apiUrl).href,
    clientOptions: clientOptions(api, SLACK_MS),
    // What is a fault is logged below, with its reference; that somebody changed their mind is none.
    logger: { ...api.logger, error() {} },
  });
}

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

/** The installer was made for node:http: it reads an address and a cookie, and takes the cookie away. */
async function finish(
  deps: InstallerDeps,
  installer: InstallProvider,
  { url, headers }: HttpRequest,
): Promise<HttpResponse> {
  const request = Object.assign(new IncomingMessage(new Socket()), { url, headers });
  const response = new ServerResponse(request);
  const { promise, resolve } = Promise.withResolvers<Ending>();
  await installer.handleCallback(request, response, {
    successAsync: async (installed) => resolve(await succeed(deps, installed)),
    failureAsync: async (error) => resolve(await explain(deps, error, new URL(url, deps.publicUrl))),
  });
  const page = endingPage(await promise);
  const cookie = response.getHeader('set-cookie');
  return cookie === undefined ? page : { ...page, headers: { ...page.headers, 'set-cookie': `${cookie}` } };
}

async function succeed({ welcome, log }: InstallerDeps, installed: NewlyInstalled): Promise<Ending> {
  const installation = toNew(installed);
  log.info(
    { ...installedFields(installation.id), user: installation.installedBy },
    'Countermand was installed',
  );
  const { id, orgWide } = installation;
  const welcomed = await welcome(installation);
  return { type: 'installed', id, appId: installed.appId, orgWide, welcomed };
}

/** What Slack answers to a code that is not good any more (https://docs.slack.dev/reference/methods/oauth.v2.access). */
const SPENT_CODES: ReadonlySet<string | undefined> = new Set(['invalid_code', 'code_already_used']);

async function explain(
  { states, log }: InstallerDeps,
  error: Error & { code?: unknown },
  { searchParams }: URL,
): Promise<Ending> {
  const refusal = searchParams.get('error');
  if (refusal === 'access_denied') return { type: 'denied' };
  if (refusal !== null) return { type: 'refused', code: failureCode(refusal) };
  if (error instanceof LockedError) return { type: 'busy' };
  if (error.code === ErrorCode.InvalidStateError) {
    const fate = await states.judge(searchParams.get('state') ?? '');
    return { type: fate === 'fresh' ? 'other_browser' : fate };
  }
  if (error.code === ErrorCode.MissingStateError || error.code === ErrorCode.MissingCodeError)
    return { type: 'forged' };
  if (SPENT_CODES.has(platformCode(error))) return { type: 'used' };
  const reference = reportFault(log, error, { route: 'install', slack: failureOf(error).code });
  return { type: 'fault', reference };
}

/** A word of Slack's; whatever is none is not repeated. */
const failureCode = (text: string) => (/^\w{1,60}$/.test(text) ? text : 'unknown');

/** Only what has to be kept reaches the store; the installer itself never reads. */
function boltStore(store: InstallationStore): BoltStore {
  return {
    storeInstallation: (installed) => store.add(toNew(installed)),
    fetchInstallation: () => Promise.reject(new Error('Installations are read elsewhere.')),
  };
}

/** @throws where Slack has given no bot token: the app's page asks for none */
function toNew({ team, enterprise, isEnterpriseInstall, bot, user }: NewlyInstalled): NewInstallation {
  const orgWide = isEnterpriseInstall === true;
  const id = orgWide ? enterprise?.id : team?.id;
  if (!id || !bot) throw new Error('Slack named no workspace, or gave no bot token.');
  const { token, refreshToken, expiresAt, id: botId, userId: botUserId } = bot;
  return {
    id,
    orgWide,
    ...(!orgWide && enterprise ? { organization: enterprise.id } : {}),
    tokens: { bot: token, ...(refreshToken ? { refresh: refreshToken } : {}) },
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt * 1_000 }),
    botId,
    botUserId,
    installedBy: user.id,
  };
}
