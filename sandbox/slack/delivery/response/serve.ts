import { runExchange } from '../../../lib/faults/exchange.ts';
import type { Faults } from '../../../lib/faults/faults.ts';
import type { Journal } from '../../../lib/http/journal.ts';
import type { HttpReply, HttpRequest } from '../../../lib/http/server.ts';
import { jsonOrText } from '../../../lib/json.ts';
import { SlackError } from '../../slack-error.ts';
import type { World } from '../../world/world.ts';
import { applyResponse, readResponse } from './respond.ts';
import { takeResponseUrl } from './urls.ts';

/** Serves a POST to a response_url. Unlike the Web API it answers with status codes and plain text. */
export function serveResponseUrl(
  request: HttpRequest,
  context: { world: World; journal: Journal; faults: Faults },
): Promise<void> {
  return runExchange(request, {
    ...context,
    to: 'slack',
    kind: 'response_url',
    name: 'response_url',
    request: { path: request.target, body: jsonOrText(request.body) },
    refusal: (fault) => ({
      status: fault.type === 'error' ? 404 : 429,
      ...(fault.type === 'rate_limit' && { headers: { 'retry-after': `${fault.retryAfterSeconds}` } }),
      body: { ok: false, error: fault.type === 'error' ? fault.code : 'ratelimited' },
    }),
    process: () => respond(context.world, request),
  });
}

function respond(world: World, { target, body }: HttpRequest): HttpReply {
  try {
    const response = readResponse(body);
    applyResponse(world, takeResponseUrl(world, target), response);
    return { status: 200, body: 'ok' };
  } catch (error) {
    if (!(error instanceof SlackError)) throw error;
    const isGone = ['no_service', 'expired_url', 'used_url'].includes(error.code);
    return isGone
      ? { status: 404, body: { ok: false, error: error.code } }
      : { status: 400, body: error.code };
  }
}
