/**
 * A client of the Web API that calls and fails as the SDK's does. The SDK's is slow to build and to call: it binds three
 * hundred methods, encodes forms, reads a `Response` and formats texts for a debug log. light-client.test.ts compares the two.
 */
import { webApi } from '@slack/bolt';
import { OAUTH_V2_ACCESS } from '../../../sandbox/slack/api/auth.ts';
import { METHODS } from '../../../sandbox/slack/api/methods.ts';
import type { HttpAnswer } from '../../../src/http/exchange.ts';
import type { SendCall } from '../../../src/slack/client/slack-fetch.ts';

type Arguments = Record<string, unknown>;
type Call = (method: string, args?: Arguments) => Promise<webApi.WebAPICallResult>;
type Family = object;

export function lightClient(token: string | undefined, sendCall: SendCall): webApi.WebClient {
  const call = callOver(token, sendCall);
  return familyOf('', call, { paginate: paginateOver(call) }) as webApi.WebClient;
}

/** Reads page by page, until one names no next one. */
function paginateOver(call: Call) {
  return async function* paginate(method: string, args: Arguments) {
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
      const page = await call(method, { ...args, ...(cursor ? { cursor } : {}) });
      yield page;
      cursor = page.response_metadata?.next_cursor;
    }
  };
}

const NAMES: ReadonlySet<string> = new Set([...METHODS.keys(), OAUTH_V2_ACCESS]);

/** Returns the methods below a prefix, each made when it is read: "usergroups.users.list" is client.usergroups.users.list. */
function familyOf(prefix: string, call: Call, own: Record<string, unknown> = {}): Family {
  return new Proxy(
    {},
    {
      get(_, name) {
        const path = `${prefix}${String(name)}`;
        if (NAMES.has(path)) return (args?: Arguments) => call(path, args);
        return FAMILIES.has(path) ? familyOf(`${path}.`, call) : own[path];
      },
    },
  );
}

/** "usergroups" and "usergroups.users", among others. */
const FAMILIES = new Set(
  [...NAMES].flatMap((method) => {
    const names = method.split('.');
    return names.slice(1).map((_, n) => names.slice(0, n + 1).join('.'));
  }),
);

function callOver(token: string | undefined, sendCall: SendCall): Call {
  const headers = {
    'Content-Type': 'application/json',
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  };
  return async (method, args = {}) => {
    const channel = method === 'chat.postMessage' ? String(args['channel'] ?? '') : '';
    const http = { method: 'POST', path: `/api/${method}`, headers, body: JSON.stringify(args) } as const;
    const answer = await sendCall({ method, channel }, http).catch((error) => {
      throw new webApi.WebAPIRequestError(error);
    });
    return resultOf(answer);
  };
}

/** @throws what the SDK throws for such an answer */
function resultOf({ status, headers, body }: HttpAnswer): webApi.WebAPICallResult {
  if (status === 429) throw limited(headers['retry-after']);
  if (status !== 200) throw new webApi.WebAPIHTTPError(status, '', {}, body);
  const result = parsed(body);
  const scopes = headers['x-oauth-scopes'];
  result.response_metadata ??= {};
  if (typeof scopes === 'string') result.response_metadata.scopes = scopes.trim().split(/\s*,\s*/);
  if (!result.ok) throw new webApi.WebAPIPlatformError(result as webApi.WebAPICallResult & { error: string });
  return result;
}

function limited(retryAfter: unknown): Error {
  const seconds = Number.parseInt(String(retryAfter), 10);
  if (!Number.isNaN(seconds)) return new webApi.WebAPIRateLimitedError(seconds);
  return new Error(`Retry header did not contain a valid timeout (retry-after header: ${retryAfter})`);
}

/** The SDK treats a body that is not JSON as an error code. */
function parsed(body: string): webApi.WebAPICallResult {
  try {
    return JSON.parse(body);
  } catch {
    const refusal = { ok: false, error: body };
    return refusal;
  }
}
