/** Use case: somebody looks through the latest requests of their workspace. */
import type { Kind } from './kinds.ts';
import type { Directory, RequestStore } from './ports.ts';
import type { RequestRecord } from './record.ts';
import type { Cursor } from './record-store.ts';
import { type PersonProblem, personProblem } from './rules.ts';
import type { State } from './states.ts';

export type HistoryFilter = { state?: State; kind?: Kind; asker?: string };

export type HistoryPage =
  | { type: 'not_allowed'; problem: PersonProblem }
  /** `next`: where the page after this one begins; undefined where there is none. */
  | { type: 'page'; records: RequestRecord[]; next: Cursor | undefined };

const PAGE = 10;
const READ_AT_ONCE = 100;
/** A filter that fits nothing must not read for ever: the page then ends here, and can be turned. */
const MOST_READ = 2_000;

export async function readHistory(
  { store, directory }: { store: RequestStore; directory: Directory },
  question: { workspace: string; user: string; filter: HistoryFilter; before?: Cursor | undefined },
): Promise<HistoryPage> {
  const { workspace, user, filter } = question;
  const problem = personProblem(await directory.person(workspace, user));
  if (problem) return { type: 'not_allowed', problem };
  const records: RequestRecord[] = [];
  let { before } = question;
  for (let read = 0; read < MOST_READ; read += READ_AT_ONCE) {
    const page = await store.list(workspace, { limit: READ_AT_ONCE, ...(before ? { before } : {}) });
    for (const record of page) {
      if (records.length === PAGE) return { type: 'page', records, next: before };
      before = { at: record.askedAt, id: record.id };
      if (fits(record, filter)) records.push(record);
    }
    if (page.length < READ_AT_ONCE) return { type: 'page', records, next: undefined };
  }
  return { type: 'page', records, next: before };
}

function fits(record: RequestRecord, { state, kind, asker }: HistoryFilter): boolean {
  return (
    (state === undefined || record.state === state) &&
    (kind === undefined || record.kind === kind) &&
    (asker === undefined || record.asker === asker)
  );
}
