/** Reads lists of the record store page by page: a workspace may have more records than fit into memory. */
import type { Cursor, RecordStore, Stored } from './record-store.ts';

/** Records, or workspaces, that are read at once. */
const PAGE = 200;

/**
 * Lists the records of a workspace, or of one of its subjects, the newest first.
 *
 * @param at the time by which the record is listed
 */
export async function* newestFirst<R extends Stored>(
  { list }: Pick<RecordStore<R>, 'list'>,
  { workspace, subject }: { workspace: string; subject?: string | undefined },
  at: (record: R) => number,
): AsyncGenerator<R, void> {
  const of = subject === undefined ? {} : { subject };
  let before: Cursor | undefined;
  for (;;) {
    const page = await list(workspace, { ...of, limit: PAGE, ...(before && { before }) });
    for (const record of page) {
      yield record;
      before = { at: at(record), id: record.id };
    }
    if (page.length < PAGE) return;
  }
}

/** The time of creation of records that are listed by their ids alone. */
export const LISTED_AT = 0;

/** Lists the records that were created at LISTED_AT. */
export const listById = <R extends Stored>(
  store: Pick<RecordStore<R>, 'list'>,
  workspace: string,
  subject?: string,
): AsyncGenerator<R, void> => newestFirst(store, { workspace, subject }, () => LISTED_AT);

/** Lists the workspaces that have records, each once. */
export async function* listWorkspaces<R extends Stored>({
  workspaces,
}: Pick<RecordStore<R>, 'workspaces'>): AsyncGenerator<string, void> {
  let after: string | undefined;
  for (;;) {
    const page = await workspaces({ after, limit: PAGE });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1);
  }
}
