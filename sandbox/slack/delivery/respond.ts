/** The answers of an app to a command or an action: in the acknowledgement, or at a response_url. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../../../src/json.ts';
import { runExchange } from '../../lib/faults/exchange.ts';
import type { Faults } from '../../lib/faults/faults.ts';
import type { Journal } from '../../lib/http/journal.ts';
import type { HttpReply, HttpRequest } from '../../lib/http/server.ts';
import { jsonOrText } from '../../lib/json.ts';
import { readContent } from '../blocks/validate.ts';
import { SlackError } from '../slack-error.ts';
import { botIdIn, installationOf } from '../world/app/installations.ts';
import { channelOf } from '../world/channels.ts';
import { postEphemeral } from '../world/messages.ts';
import type { ResponseUrl } from '../world/types.ts';
import type { World } from '../world/world.ts';

/** An ephemeral message, the only answer that the bot gives. Any other one is refused. */
const Response = z.strictObject({
  text: z.string().optional(),
  blocks: z.unknown().optional(),
  response_type: z.literal('ephemeral').optional(),
  replace_original: z.literal(false).optional(),
  thread_ts: z.string().optional(),
});

type AppResponse = z.output<typeof Response>;

type RespondTo = Pick<ResponseUrl, 'team_id' | 'channel' | 'user'>;

/** Parses an answer; text that is not JSON is the message itself. */
export function readResponse(body: string): AppResponse {
  const value = parseJson(body);
  const parsed = Response.safeParse(typeof value === 'object' ? value : { text: body });
  if (!parsed.success) throw new SlackError('invalid_payload');
  return parsed.data;
}

export function applyResponse(
  world: World,
  { team_id, channel, user }: RespondTo,
  { thread_ts, ...response }: AppResponse,
): void {
  const bot_id = botIdIn(world, installationOf(world, team_id), channelOf(world, channel).team_id);
  postEphemeral(world, { channel, user, bot_id, thread_ts, ...readContent(response) });
}

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

/** Slack's limits: five answers within half an hour. */
const MAX_USES = 5;
const LIFETIME_MS = 30 * 60_000;

export function createResponseUrl(
  world: World,
  given: RespondTo,
  family: 'commands' | 'actions' | 'app',
): string {
  const path = `/${family}/${given.team_id}/${world.responseUrls.size + 1}/${randomBytes(12).toString('hex')}`;
  world.responseUrls.set(path, { ...given, uses: 0, expires_at: world.now() + LIFETIME_MS });
  return path;
}

/** Uses a response_url once. The error codes are those that apps report; no page of Slack lists them. */
function takeResponseUrl(world: World, path: string): ResponseUrl {
  const found = world.responseUrls.get(path);
  if (!found) throw new SlackError('no_service');
  if (world.now() > found.expires_at) throw new SlackError('expired_url');
  if (found.uses >= MAX_USES) throw new SlackError('used_url');
  found.uses += 1;
  return found;
}
