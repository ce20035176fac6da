/** Serves the Web API, which answers refusals with 200, too (https://docs.slack.dev/apis/web-api/#responses). */
import { runExchange } from '../../lib/faults/exchange.ts';
import type { Faults } from '../../lib/faults/faults.ts';
import type { Journal } from '../../lib/http/journal.ts';
import type { HttpReply, HttpRequest } from '../../lib/http/server.ts';
import { SlackError } from '../slack-error.ts';
import type { Installation } from '../world/types.ts';
import type { World } from '../world/world.ts';
import { requireScope, teamsOfCall } from './access.ts';
import {
  APPS_CONNECTIONS_OPEN,
  authenticate,
  OAUTH_V2_ACCESS,
  oauthAccess,
  openAppConnection,
  type SocketMode,
  tokenOf,
} from './auth.ts';
import { type LimitedCalls, limitedPerMinute } from './limits.ts';
import { type ApiMethod, readArguments, readableArguments } from './method.ts';
import { METHODS } from './methods.ts';

export type WebApiContext = SocketMode & {
  world: World;
  journal: Journal;
  faults: Faults;
  limits: LimitedCalls;
};

export function serveWebApi(request: HttpRequest, context: WebApiContext): Promise<void> {
  const name = new URL(request.target, 'http://slack.test').pathname.slice('/api/'.length);
  const args = argumentsOrError(request);
  const token = tokenOf(request);
  const shown =
    args instanceof SlackError ? request.body : { token: token ?? null, ...readableArguments(args) };
  return runExchange(request, {
    ...context,
    to: 'slack',
    kind: 'web_api',
    name,
    request: shown,
    refusal: (fault) =>
      fault.type === 'error' ? refuse(new SlackError(fault.code)) : rateLimited(fault.retryAfterSeconds),
    process: () => {
      if (args instanceof SlackError) return refuse(args);
      // The two methods that take no bot token, but the app-level token or the client's id and secret.
      if (name === APPS_CONNECTIONS_OPEN) return answer(() => openAppConnection(token, request, context));
      if (name === OAUTH_V2_ACCESS) return answer(() => oauthAccess(context.world, args));
      return callMethod(name, token, args, context);
    },
  });
}

function argumentsOrError(request: HttpRequest): Record<string, unknown> | SlackError {
  try {
    return readArguments(request);
  } catch (error) {
    if (error instanceof SlackError) return error;
    throw error;
  }
}

function answer(run: () => object): HttpReply {
  try {
    return { status: 200, body: { ok: true, ...run() } };
  } catch (error) {
    if (error instanceof SlackError) return refuse(error);
    throw error;
  }
}

/** Runs one method of the Web API, with the same answer as over HTTP. */
export function callMethod(
  name: string,
  token: string | undefined,
  args: Record<string, unknown>,
  { world, limits, appToken }: Pick<WebApiContext, 'world' | 'limits' | 'appToken'>,
): HttpReply {
  const method = METHODS.get(name);
  if (!method) return refuse(new SlackError('unknown_method', { req_method: name }));
  let headers = {};
  try {
    if (token === appToken) throw new SlackError('not_allowed_token_type');
    const app = authenticate(world, token);
    headers = scopeHeaders(app, method);
    const { team_id: team } = app;
    const channel = String(args['channel']);
    const perMinute = limitedPerMinute(world.app, name);
    const waitSeconds = limits.take({ team, method: name, tier: method.tier, channel, perMinute });
    if (waitSeconds !== undefined) return rateLimited(waitSeconds);
    requireScope(app, ...method.scopes);
    const apiCall = { world, app, teams: teamsOfCall(world, app, method, args) };
    return { status: 200, headers, body: { ok: true, ...method.run(apiCall, args) } };
  } catch (error) {
    if (error instanceof SlackError) return { ...refuse(error), headers };
    throw error;
  }
}

const scopeHeaders = ({ scopes }: Installation, method: ApiMethod) => ({
  'x-oauth-scopes': scopes.join(','),
  'x-accepted-oauth-scopes': method.scopes.join(','),
});

const refuse = ({ code, details }: SlackError): HttpReply => ({
  status: 200,
  body: { ok: false, error: code, ...details },
});

const rateLimited = (seconds: number): HttpReply => ({
  status: 429,
  headers: { 'retry-after': `${seconds}` },
  body: { ok: false, error: 'ratelimited' },
});
