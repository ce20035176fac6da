/** Serves the control APIs: JSON over HTTP for functions that code in the same process can call directly. */
import { z } from 'zod';
import type { Journal, JournalFilter } from './http/journal.ts';
import { matchPath } from './http/match-path.ts';
import type { HttpReply, HttpRequest } from './http/server.ts';
import { definedFields } from './json.ts';

export type ControlRoute = {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  run(params: Record<string, string>, input: unknown): unknown;
};

/**
 * Makes a route. `input` parses the body of a POST, or the query of the other methods; `params` are the named segments of
 * the path.
 */
export function route<B>(
  method: ControlRoute['method'],
  path: string,
  input: z.ZodType<B>,
  run: (call: { params: Record<string, string>; input: B }) => unknown,
): ControlRoute {
  return { method, path, run: (params, raw) => run({ params, input: input.parse(raw) }) };
}

/** The schema of a request without a body or a query. */
export const nothing = z.strictObject({});

/** Answers a request to `/control/…`. A mistake is answered with 400 and a sentence, an unknown route with 404. */
export async function serveControl(routes: readonly ControlRoute[], request: HttpRequest): Promise<void> {
  request.client.send(await answer(routes, request));
}

async function answer(routes: readonly ControlRoute[], request: HttpRequest): Promise<HttpReply> {
  const { pathname, searchParams } = new URL(request.target, 'http://control.test');
  try {
    for (const each of routes) {
      const params = each.method === request.method ? matchPath(each.path, pathname) : undefined;
      if (!params) continue;
      const input = each.method === 'POST' ? readBody(request.body) : Object.fromEntries(searchParams);
      return { status: 200, body: plain((await each.run(params, input)) ?? { ok: true }) };
    }
  } catch (error) {
    return { status: 400, body: { error: sentenceOf(error), ...sentenceForPeople(error) } };
  }
  return { status: 404, body: { error: `there is no route ${request.method} ${pathname}` } };
}

const readBody = (body: string): unknown => (body === '' ? {} : JSON.parse(body));

function sentenceOf(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  return error instanceof Error ? error.message : String(error);
}

/** Returns `said`, the sentence that a client shows a person. It names no ids. Most mistakes have no such sentence. */
const sentenceForPeople = (error: unknown): { said?: unknown } =>
  error instanceof Error && 'said' in error && error.said ? { said: error.said } : {};

/** Converts a value to JSON's types: maps become objects, sets become lists, and promises are left out. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return plain(Object.fromEntries(value));
  if (value instanceof Set || Array.isArray(value)) return [...value].map(plain);
  if (value instanceof Promise) return undefined;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

const Filter = z.strictObject({
  from: z.string().optional(),
  to: z.string().optional(),
  kind: z.string().optional(),
  name: z.string().optional(),
  after: z.coerce.number().int().default(0),
});

export function journalRoute(journal: Journal): ControlRoute {
  return route('GET', '/control/journal', Filter, ({ input: { after, ...fields } }) =>
    journal.entries(definedFields(fields) as JournalFilter).filter(({ n }) => n > after),
  );
}
