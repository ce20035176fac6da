/** Stores records in Redis, with compare-and-set by version. One operation is one round trip. */
import { z } from 'zod';
import type {
  Condition,
  Cursor,
  Entry,
  Further,
  Page,
  RecordRef,
  RecordStore,
  RecordTypeName,
  Stored,
} from '../../outbox/record-store.ts';
import { createReader, encodeFurther, newVersion, subjectList } from '../records.ts';
import type { RedisConnection } from './connection/connection.ts';
import { decodePart, encodePart, idInPlace, place, recordKeys } from './keys.ts';
import {
  CREATE,
  DUE,
  GET,
  LIST,
  LIST_FROM_THE_OLDEST,
  POSTPONE,
  READ_TIME,
  REMOVE,
  UPDATE,
} from './record-scripts.ts';

const Created = z.tuple([z.enum(['created', 'exists', 'unmet', 'slot_taken']), z.string().optional()]);
const Updated = z.enum(['updated', 'conflict', 'unmet', 'slot_taken']);
const Removed = z.enum(['removed', 'conflict']);
const Text = z.string();
const Texts = z.array(Text);

type Keys = ReturnType<typeof recordKeys>;

/** The bounds of a list (https://redis.io/docs/latest/commands/zrange/, "Lexicographical ranges"). */
const FROM_THE_NEWEST = '+';
const beyond = (cursor: Cursor) => `(${place(cursor)}`;

/** @param type part of the keys, after the prefix */
export function createRedisRecordStore<R extends Stored>(
  connection: RedisConnection,
  prefix: string,
  type: RecordTypeName,
  schema: z.ZodType<R>,
): RecordStore<R> {
  const keys = recordKeys(prefix, type);
  const readText = createReader(type, schema);
  const run = async (...call: Parameters<RedisConnection['run']>) => (await connection.run(...call)).value;
  const get = async ({ workspace, id }: RecordRef) => {
    const { now, value } = await connection.run(GET, [keys.records(workspace) + id]);
    return value === null ? undefined : { record: readText(Text.parse(value)), now };
  };
  return {
    now: async () => (await connection.run(READ_TIME)).now,
    async create(entry, conditions = [], further = []) {
      const version = newVersion();
      const own = writing(keys, entry, version, place({ at: entry.at, id: entry.record.id }));
      const call = withOthers(own, prefix, entry.record.workspace, { conditions, further });
      const [type, text = ''] = Created.parse(await run(CREATE, ...call));
      if (type === 'created') return { type, version };
      if (type === 'unmet') return { type };
      return type === 'exists' ? { type, record: readText(text) } : { type, by: readText(text) };
    },
    get,
    async read(ref) {
      const key = keys.records(ref.workspace) + ref.id;
      const text = await connection.read((client) => client.hGet(key, 'record'));
      // Without that field there is no record, or one that can't be read: the script tells which.
      return text === null ? (await get(ref))?.record : readText(text);
    },
    async update(entry, expected, conditions = [], further = []) {
      const version = newVersion();
      const own = writing(keys, entry, version, `${expected}`);
      const call = withOthers(own, prefix, entry.record.workspace, { conditions, further });
      const type = Updated.parse(await run(UPDATE, ...call));
      return type === 'updated' ? { type, version } : { type };
    },
    remove: async (ref, expected) => Removed.parse(await run(REMOVE, ...removal(keys, ref, { expected }))),
    async removeSome(workspace, limit) {
      const places = await connection.read((client) => client.zRange(keys.list(workspace), 0, limit - 1));
      for (const listed of places) {
        const ref = { workspace, id: idInPlace(listed) };
        await run(REMOVE, ...removal(keys, ref, { listed }));
      }
      return places.length;
    },
    count: (workspace) => connection.read((client) => client.zCard(keys.list(workspace))),
    workspaces: (page) => listWorkspaces(connection, keys.workspaces, page),
    due: async (limit) => readRefs(Texts.parse(await run(DUE, [keys.waiting], [keys.due(''), `${limit}`]))),
    postpone: async ({ workspace, id }, ms) =>
      void (await run(POSTPONE, [keys.due(workspace), keys.waiting], [id, `${ms}`, encodePart(workspace)])),
    ...listsOf(connection, keys, (texts) => Texts.parse(texts).map(readText)),
  };
}

/** The lists of records. @param read the records of a list from their texts */
function listsOf<R extends Stored>(
  connection: RedisConnection,
  keys: Keys,
  read: (texts: unknown) => R[],
): Pick<RecordStore<R>, 'listBySubject' | 'list' | 'subjects'> {
  async function pageOf(key: string, workspace: string, page: Page) {
    const [list, from] = rangeOf(page);
    const { value, now } = await connection.run(
      list,
      [key],
      [keys.records(workspace), from, `${page.limit}`],
    );
    return { records: read(value), now };
  }
  return {
    listBySubject: (workspace, subject, limit) =>
      pageOf(keys.subjects(workspace) + subject, workspace, { limit }),
    async list(workspace, page) {
      const { subject } = page;
      const key = subject === undefined ? keys.list(workspace) : keys.subjects(workspace) + subject;
      return (await pageOf(key, workspace, page)).records;
    },
    subjects: (workspace, limit) =>
      connection.read((client) => client.zRange(keys.listedSubjects(workspace), 0, limit - 1)),
  };
}

/** The script that lists a page, and the bound that it begins at. */
function rangeOf(page: Page): readonly [typeof LIST, string] {
  if ('after' in page) return [LIST_FROM_THE_OLDEST, beyond(page.after)];
  return [LIST, page.before ? beyond(page.before) : FROM_THE_NEWEST];
}

async function listWorkspaces(
  connection: RedisConnection,
  key: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<string[]> {
  const from = after === undefined ? '-' : `(${encodePart(after)}`;
  const page = { BY: 'LEX', LIMIT: { offset: 0, count: limit } } as const;
  return (await connection.read((client) => client.zRange(key, from, '+', page))).map(decodePart);
}

/** The keys and the arguments of a script. */
type Call = readonly [keys: string[], args: string[]];

/** @param last the place of a new record, or the version that an update expects */
function writing<R extends Stored>(
  keys: Keys,
  { record, subjects, slot, dueAt }: Entry<R>,
  version: number,
  last: string,
): Call {
  const { workspace, id } = record;
  const text = JSON.stringify({ ...record, version });
  const indexed = [slot === undefined ? '' : `=${slot}`, dueField(dueAt), encodePart(workspace)];
  const listed = [keys.subjects(workspace), subjectList(subjects)];
  return [
    keysOf(keys, record),
    [keys.records(workspace), id, `${version}`, text, ...indexed, ...listed, last],
  ];
}

/**
 * Completes a write of a workspace: the number of its further records stands before its arguments. The keys and versions
 * of its conditions stand after its own, and those of its further records last.
 */
function withOthers(
  [keys, args]: Call,
  prefix: string,
  workspace: string,
  { conditions, further }: { conditions: readonly Condition[]; further: readonly Further[] },
): Call {
  const keysOfConditions = conditions.map(
    ({ type, id, workspace: of = workspace }) => recordKeys(prefix, type).records(of) + id,
  );
  const versions = conditions.map(({ version }) => (version === undefined ? '' : `${version}`));
  const others = further.map((each) => creationBeside(prefix, workspace, each));
  return [
    [...keys, ...keysOfConditions, ...others.flatMap(([touched]) => touched)],
    [`${further.length}`, ...args, ...versions, ...others.flatMap(([, written]) => written)],
  ];
}

function creationBeside(prefix: string, workspace: string, further: Further): Call {
  const { records, list, due, waiting, workspaces, subjects } = recordKeys(prefix, further.type);
  const { id, version, text, subjects: listed, at, dueAt } = encodeFurther(further, workspace);
  const written = [id, `${version}`, text, dueField(dueAt), encodePart(workspace)];
  return [
    [records(workspace) + id, list(workspace), due(workspace), waiting, workspaces],
    [...written, subjects(workspace), listed, place({ at, id })],
  ];
}

/** @param how `listed`: the place of the record in the list, if the record itself may be gone */
function removal(
  keys: Keys,
  ref: RecordRef,
  { expected, listed = '' }: { expected?: number | undefined; listed?: string },
): Call {
  const version = expected === undefined ? '' : `${expected}`;
  return [
    keysOf(keys, ref),
    [keys.subjects(ref.workspace), ref.id, encodePart(ref.workspace), version, listed],
  ];
}

/** The keys that a record is written to, and removed from. */
const keysOf = ({ records, slots, due, list, waiting, workspaces }: Keys, { workspace, id }: RecordRef) => [
  records(workspace) + id,
  slots(workspace),
  due(workspace),
  list(workspace),
  waiting,
  workspaces,
];

/** @param texts each workspace is followed by the id of its record */
const readRefs = (texts: readonly string[]): RecordRef[] =>
  texts.flatMap((id, n) => (n % 2 === 1 ? { workspace: decodePart(texts[n - 1] ?? ''), id } : []));

/** Encodes an absent value as an empty text. */
const dueField = (dueAt: number | undefined) => (dueAt === undefined ? '' : `${dueAt}`);
