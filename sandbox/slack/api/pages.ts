import { SlackError } from '../slack-error.ts';
import type { World } from '../world/world.ts';

/** A page of a list, and the cursor that leads to the next one. */
export type Page<T> = {
  items: T[];
  hasMore: boolean;
  response_metadata: { next_cursor: string };
};

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
): Page<T> {
  const { from, page } = cursor ? readCursor(cursor) : { from: undefined, page: 0 };
  const at = all.findIndex(
    (item) => from === undefined || keyOf(item) === from || isAfter(keyOf(item), from),
  );
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
