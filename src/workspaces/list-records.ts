/** Lists records page by page. */
import type { RecordStore, Stored } from '../outbox/record-store.ts';

const PAGE = 100;

/** The workspaces that have records, each once. */
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

/** The time of creation of records that are listed by their ids alone. */
export const LISTED_AT = 0;

/** All records of a workspace, or of one of its subjects, that were created at LISTED_AT. */
export async function* listRecords<R extends Stored>(
  { list }: Pick<RecordStore<R>, 'list'>,
  workspace: string,
  subject?: string,
): AsyncGenerator<R, void> {
  let last: R | undefined;
  do {
    const before = last && { at: LISTED_AT, id: last.id };
    const page = await list(workspace, {
      limit: PAGE,
      ...(before && { before }),
      ...(subject !== undefined && { subject }),
    });
    yield* page;
    last = page[PAGE - 1];
  } while (last);
}
