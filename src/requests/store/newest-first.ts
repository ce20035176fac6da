/** Reads long lists of records page by page. */
import type { Cursor, RecordStore, Stored } from '../../outbox/record-store.ts';

const AT_ONCE = 200;

/**
 * Lists the records of a workspace, the newest first, page by page: a workspace may have more than fit into memory.
 *
 * @param at the time by which the record is listed
 */
export async function* newestFirst<R extends Stored>(
  store: Pick<RecordStore<R>, 'list'>,
  { workspace, subject }: { workspace: string; subject?: string | undefined },
  at: (record: R) => number,
): AsyncGenerator<R, void> {
  const of = subject === undefined ? {} : { subject };
  let before: Cursor | undefined;
  for (;;) {
    const page = await store.list(workspace, { ...of, limit: AT_ONCE, ...(before && { before }) });
    for (const record of page) {
      yield record;
      before = { at: at(record), id: record.id };
    }
    if (page.length < AT_ONCE) return;
  }
}
