import { SlackError } from '../slack-error.ts';

/** A page of a list, and the cursor that leads to the next one. */
export type Page<T> = {
  items: T[];
  hasMore: boolean;
  response_metadata: { next_cursor: string };
};

/** Cuts the page that a cursor points at out of a list. Cursors are opaque: base64 of where to go on. */
export function pageOf<T>(all: readonly T[], limit: number, cursor: string | undefined): Page<T> {
  const start = cursor ? readCursor(cursor) : 0;
  const hasMore = start + limit < all.length;
  const next_cursor = hasMore ? writeCursor(start + limit) : '';
  return { items: all.slice(start, start + limit), hasMore, response_metadata: { next_cursor } };
}

const writeCursor = (offset: number) => Buffer.from(`offset:${offset}`).toString('base64');

function readCursor(cursor: string): number {
  const offset = /^offset:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString('utf8'))?.[1];
  if (offset === undefined) throw new SlackError('invalid_cursor');
  return Number(offset);
}
