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
import { limitedPerMinute } from './history.ts';
import type { LimitedCalls } from './limits.ts';
import { type ApiMethod, readArguments, readableArguments } from './method.ts';
import { METHODS } from './methods.ts';

/** The dependencies of the Web API. */
export type WebApiContext = SocketMode & {
  world: World;
  journal: Journal;
  faults: Faults;
  limits: LimitedCalls;
};

/** Answers `<origin>/api/<method>`. */
export function serveWebApi(request: HttpRequest, context: WebApiContext): Promise<void> {
  const name = new URL(request.target, 'http://slack.test').pathname.slice('/api/'.length);
  const args = argumentsOrError(request);
  const token = args instanceof SlackError ? undefined : tokenOf(request, args);
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
      const special = SPECIAL.get(name);
      return special
        ? callSpecial(special, { token, args, request, context })
        : callMethod(name, token, args, context);
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

/** A call of a method that takes no bot token. */
type SpecialCall = {
  token: string | undefined;
  args: Record<string, unknown>;
  request: HttpRequest;
  context: WebApiContext;
};

/** The methods that take the app-level token, or the client id and secret. */
const SPECIAL: ReadonlyMap<string, (call: SpecialCall) => object> = new Map([
  [APPS_CONNECTIONS_OPEN, ({ token, request, context }) => openAppConnection(token, request, context)],
  [OAUTH_V2_ACCESS, ({ args, request, context: { world } }) => oauthAccess(world, request, args)],
]);

function callSpecial(run: (call: SpecialCall) => object, given: SpecialCall): HttpReply {
  try {
    return { status: 200, body: { ok: true, ...run(given) } };
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
  if (name === 'api.test') return apiTest(args);
  const method = METHODS.get(name);
  if (!method) return refuse(new SlackError('unknown_method', { req_method: name }));
  let headers = {};
  try {
    if (token === appToken) throw new SlackError('not_allowed_token_type');
    const app = authenticate(world, token);
    // By the clock of the world, as Slack's is not that of the bot's machine (RFC 9110, section 6.6.1).
    headers = { ...scopeHeaders(app, method), date: new Date(world.now()).toUTCString() };
    const waitSeconds = limits.take(limitedCall(world, app, method, args));
    if (waitSeconds !== undefined) return rateLimited(waitSeconds);
    requireScope(app, ...method.scopes);
    const apiCall = { world, app, token: String(token), teams: teamsOfCall(world, app, method, args) };
    return { status: 200, headers, body: { ok: true, ...method.run(apiCall, args) } };
  } catch (error) {
    if (error instanceof SlackError) return { ...refuse(error), headers };
    throw error;
  }
}

function apiTest({ token: _, ...args }: Record<string, unknown>): HttpReply {
  const { error } = args;
  const body = typeof error === 'string' ? { ok: false, error, args } : { ok: true, args };
  return { status: 200, body };
}

const limitedCall = (
  world: World,
  app: Installation,
  { name, tier }: ApiMethod,
  args: Record<string, unknown>,
) => ({
  team: app.team_id,
  method: name,
  tier,
  perMinute: limitedPerMinute(world.app, name),
  ...(tier === 'post' && { channel: String(args['channel']) }),
});

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
