/** Defines the methods of the Web API, with the schemas of their arguments, and the pages of lists. */
import { z } from 'zod';
import type { HttpRequest } from '../../lib/http/server.ts';
import { jsonOrText } from '../../lib/json.ts';
import { slackMessages } from '../blocks/complaints.ts';
import { SlackError } from '../slack-error.ts';
import type { Installation } from '../world/types.ts';
import { isTs, type World } from '../world/world.ts';
import type { Tier } from './limits.ts';

export type ApiCall = {
  world: World;
  app: Installation;
  /** The workspaces of the call: one, or those of an organization. */
  teams: readonly string[];
};

export type ApiMethod = {
  name: string;
  tier: Tier;
  /** Scopes of which one is needed; the method itself checks those that depend on the kind of channel. */
  scopes: readonly string[];
  /** Whether an org-wide installation must name a workspace, by `team_id`. */
  needsTeam?: boolean;
  run(call: ApiCall, args: Record<string, unknown>): object;
};

/**
 * Defines a method whose arguments are parsed before it runs. Slack ignores an argument that it does not know; here it is
 * refused, so that no call is answered as if it counted.
 */
export function method<A>({
  args: schema,
  run,
  ...rest
}: Omit<ApiMethod, 'run'> & { args: z.ZodType<A>; run(call: ApiCall, args: A): object }): ApiMethod {
  // Every method takes a team_id, which is read before.
  return { ...rest, run: (call, { team_id, ...args }) => run(call, parseArguments(schema, args)) };
}

/** Reads the arguments of a call from the query and a form. Slack also takes JSON, which the bot never sends. */
export function readArguments({ target, headers, body }: HttpRequest): Record<string, unknown> {
  const query = Object.fromEntries(new URL(target, 'http://slack.test').searchParams);
  if (body === '') return query;
  const type = headers['content-type']?.split(';', 1)[0]?.trim();
  if (type !== 'application/x-www-form-urlencoded') throw new SlackError('invalid_post_type');
  return { ...query, ...Object.fromEntries(new URLSearchParams(body)) };
}

/** Parses JSON strings in arguments, so that the journal is readable and faults can match them. */
export function readableArguments(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, jsonArguments.has(key) ? parseIfJson(value) : value]),
  );
}

const jsonArguments = new Set(['blocks', 'view', 'metadata']);

/** Parses the arguments of a method, or throws `invalid_arguments` with the errors. */
export function parseArguments<A>(schema: z.ZodType<A>, args: Record<string, unknown>): A {
  const parsed = schema.safeParse(args);
  if (parsed.success) return parsed.data;
  const messages = slackMessages(parsed.error, '', args).map((message) => `[ERROR] ${message}`);
  throw new SlackError('invalid_arguments', { response_metadata: { messages } });
}

/**
 * The schema of a required argument. Without it Slack answers `invalid_arguments` (slackapi/node-slack-sdk#1415); '' names
 * nothing, and gets the method's own error (measured in brekkylab/backlot#84).
 */
export const required = z.string();

export const flag = z
  .union([z.boolean(), z.enum(['true', '1', 'false', '0', ''])])
  .transform((value) => value === true || value === 'true' || value === '1')
  .default(false);

/** The schema of a JSON value that forms send as a string. A string that is not JSON stays a string. */
export const json = z.unknown().transform(parseIfJson);

/** Returns the schema of a `limit`: the number of items of a page. */
export const limit = (usual: number, most: number) =>
  z.coerce
    .number()
    .int()
    .min(0)
    .default(usual)
    .transform((value) => (value === 0 ? usual : Math.min(value, most)));

export function checkTs(value: string | undefined, code: string): string | undefined {
  if (value !== undefined && !isTs(value)) throw new SlackError(code);
  return value;
}

function parseIfJson(value: unknown): unknown {
  return typeof value === 'string' ? jsonOrText(value) : value;
}

/** The key of the first item of a page, and how many pages came before it. */
type Position = { from: string; page: number };

type Item = string | { id: string } | { ts: string };

const keyOf = (item: Item): string => (typeof item === 'string' ? item : 'ts' in item ? item.ts : item.id);

type Options = {
  limit: number;
  cursor?: string | undefined;
  /** Whether an item comes after one that may have been removed since its cursor was given. */
  isAfter?: (key: string, removed: string) => boolean;
};

/**
 * Returns the page of a list at a cursor. Cursors are opaque. As in Slack, they name the next item and not its number in the
 * list: nothing is left out where an earlier item is removed between two pages (the cursors in the examples of
 * https://docs.slack.dev/reference/methods/conversations.history and users.list are "next_ts:" and "user:" in base64).
 */
export function pageOf<T extends Item>(
  { app }: Pick<World, 'app'>,
  all: readonly T[],
  { limit, cursor, isAfter = () => false }: Options,
) {
  const { from, page } = cursor ? readCursor(cursor) : { from: undefined, page: 0 };
  const isHere = (key: string) => from === undefined || key === from || isAfter(key, from);
  const at = all.findIndex((item) => isHere(keyOf(item)));
  const rest = at < 0 ? [] : all.slice(at);
  const size = Math.min(limit, app.shortPages[page % app.shortPages.length] ?? limit);
  const next = rest[size];
  const next_cursor = next === undefined ? '' : writeCursor({ from: keyOf(next), page: page + 1 });
  return { items: rest.slice(0, size), hasMore: next !== undefined, response_metadata: { next_cursor } };
}

const writeCursor = ({ from, page }: Position) => Buffer.from(`next:${from}:page:${page}`).toString('base64');

function readCursor(cursor: string): Position {
  const [, from, page] = /^next:(.+):page:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString('utf8')) ?? [];
  if (from === undefined) throw new SlackError('invalid_cursor');
  return { from, page: Number(page) };
}
