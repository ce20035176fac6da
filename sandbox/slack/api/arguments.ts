import { z } from 'zod';
import type { HttpRequest } from '../../lib/http/server.ts';
import { jsonOrText, tryJson } from '../../lib/json.ts';
import { slackMessages } from '../blocks/slack-messages.ts';
import { SlackError } from '../slack-error.ts';
import { isTs } from '../world/timestamps.ts';

/** The arguments of a call, from the query and from a form or JSON body; JSON strings are still strings. */
export function readArguments({ target, headers, body }: HttpRequest): Record<string, unknown> {
  const query = Object.fromEntries(new URL(target, 'http://slack.test').searchParams);
  if (body === '') return query;
  const type = headers['content-type']?.split(';', 1)[0]?.trim();
  if (type === undefined) throw new SlackError('missing_post_type');
  if (type === 'application/json') return { ...query, ...readJsonBody(body) };
  if (type === 'application/x-www-form-urlencoded') {
    return { ...query, ...Object.fromEntries(new URLSearchParams(body)) };
  }
  throw new SlackError('invalid_post_type');
}

function readJsonBody(body: string): Record<string, unknown> {
  const value = tryJson(body);
  if (value === undefined) throw new SlackError('invalid_json');
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new SlackError('json_not_object');
  return value as Record<string, unknown>;
}

/** The arguments as the journal keeps them: JSON strings parsed, so that they can be read and matched. */
export function readableArguments(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, jsonArguments.has(key) ? parseIfJson(value) : value]),
  );
}

const jsonArguments = new Set(['blocks', 'view', 'metadata', 'attachments']);

/** Parses the arguments of a method, or refuses with `invalid_arguments` and what is wrong. */
export function parseArguments<A>(schema: z.ZodType<A>, args: Record<string, unknown>): A {
  const parsed = schema.safeParse(args);
  if (parsed.success) return parsed.data;
  const messages = slackMessages(parsed.error, '', args).map((message) => `[ERROR] ${message}`);
  throw new SlackError('invalid_arguments', { response_metadata: { messages } });
}

/** A flag as forms send it. */
export const flag = z
  .union([z.boolean(), z.enum(['true', '1', 'false', '0', ''])])
  .transform((value) => value === true || value === 'true' || value === '1')
  .default(false);

/** A JSON value that forms send as a string. What can't be parsed stays a string. */
export const json = z.unknown().transform(parseIfJson);

/** How many items a page may hold. */
export const limit = (usual: number, most: number) =>
  z.coerce
    .number()
    .int()
    .min(0)
    .default(usual)
    .transform((value) => (value === 0 ? usual : Math.min(value, most)));

/** A timestamp, refused with a code of its own. */
export function checkTs(value: string | undefined, code: string): string | undefined {
  if (value !== undefined && !isTs(value)) throw new SlackError(code);
  return value;
}

function parseIfJson(value: unknown): unknown {
  return typeof value === 'string' ? jsonOrText(value) : value;
}
