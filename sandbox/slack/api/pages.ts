import { SlackError } from '../slack-error.ts';
import type { World } from '../world/world.ts';

/** A page of a list, and the cursor that leads to the next one. */
export type Page<T> = {
  items: T[];
  hasMore: boolean;
  response_metadata: { next_cursor: string };
};

/** A position in a list: the first item of the page, and how many pages came before it. */
type Position = { offset: number; page: number };

/** Returns the page of a list at a cursor. Cursors are opaque: the position in base64. */
export function pageOf<T>(
  { app }: Pick<World, 'app'>,
  all: readonly T[],
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Page<T> {
  const { offset, page } = cursor ? readCursor(cursor) : { offset: 0, page: 0 };
  const size = Math.min(limit, app.shortPages[page % app.shortPages.length] ?? limit);
  const end = offset + size;
  const hasMore = end < all.length;
  const next_cursor = hasMore ? writeCursor({ offset: end, page: page + 1 }) : '';
  return { items: all.slice(offset, end), hasMore, response_metadata: { next_cursor } };
}

const writeCursor = ({ offset, page }: Position) =>
  Buffer.from(`offset:${offset}:page:${page}`).toString('base64');

function readCursor(cursor: string): Position {
  const read = /^offset:(\d+):page:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString('utf8'));
  if (!read) throw new SlackError('invalid_cursor');
  return { offset: Number(read[1]), page: Number(read[2]) };
}
