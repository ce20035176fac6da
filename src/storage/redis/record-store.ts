/** Stores records in Redis, with compare-and-set by version. One operation is one round trip. */
import { z } from 'zod';
import type {
  Condition,
  Cursor,
  Entry,
  RecordRef,
  RecordStore,
  RecordType,
  Stored,
} from '../../requests/ports/record-store.ts';
import { subjectList } from '../subjects.ts';
import { newVersion } from '../versions.ts';
import type { RedisConnection } from './connection/connection.ts';
import { idInPlace, part, place, recordKeys, unpart } from './keys.ts';
import { CREATE, DUE, GET, LIST, LIST_HOLDING, NOTHING, POSTPONE, REMOVE, UPDATE } from './record-scripts.ts';

const Created = z.tuple([z.enum(['created', 'exists', 'unmet', 'slot_taken']), z.string().optional()]);
const Updated = z.enum(['updated', 'conflict', 'unmet', 'slot_taken']);
const Removed = z.enum(['removed', 'conflict']);
const Text = z.string();
const Texts = z.array(Text);

/** The bounds of a list (https://redis.io/docs/latest/commands/zrange/, "Lexicographical ranges"). */
const FROM_THE_NEWEST = '+';
const below = (cursor: Cursor) => `(${place(cursor)}`;

/**
 * @param type part of the keys, after the prefix
 * @param schema parses what is read, because another version may have written it
 */
export function createRedisRecordStore<R extends Stored>(
  connection: RedisConnection,
  prefix: string,
  type: RecordType,
  schema: z.ZodType<R>,
): RecordStore<R> {
  const keys = recordKeys(prefix, type);
  const conditional = conditionally(prefix);
  const read = (text: string): R => schema.parse(JSON.parse(text));
  const readAll = (value: unknown) => Texts.parse(value).map(read);
  const run = async (...call: Parameters<RedisConnection['run']>) => (await connection.run(...call)).value;
  async function listOf(key: string, workspace: string, from: string, limit: number) {
    const { value, now } = await connection.run(LIST, [key], [keys.records(workspace), from, `${limit}`]);
    return { records: readAll(value), now };
  }
  const remove = async (...removed: [RecordRef, number?, string?]) =>
    Removed.parse(await run(REMOVE, ...removal(keys, ...removed)));

  return {
    now: async () => (await connection.run(NOTHING)).now,
    async create(entry, conditions = []) {
      const version = newVersion();
      const call = conditional(creation(keys, entry, version), entry.record, conditions);
      const [type, text = ''] = Created.parse(await run(CREATE, ...call));
      if (type === 'created') return { type, version };
      if (type === 'unmet') return { type };
      return type === 'exists' ? { type, record: read(text) } : { type, by: read(text) };
    },
    async get({ workspace, id }) {
      const { now, value } = await connection.run(GET, [keys.records(workspace) + id]);
      return value === null ? undefined : { record: read(Text.parse(value)), now };
    },
    async update(entry, expected, conditions = []) {
      const version = newVersion();
      const call = conditional(change(keys, entry, { expected, version }), entry.record, conditions);
      const type = Updated.parse(await run(UPDATE, ...call));
      return type === 'updated' ? { type, version } : { type };
    },
    remove,
    async removeSome(workspace, limit) {
      const places = await connection.read((client) => client.zRange(keys.list(workspace), 0, limit - 1));
      for (const listed of places) await remove({ workspace, id: idInPlace(listed) }, undefined, listed);
      return places.length;
    },
    count: (workspace) => connection.read((client) => client.zCard(keys.list(workspace))),
    async workspaces({ after, limit }) {
      const from = after === undefined ? '-' : `(${part(after)}`;
      const page = { BY: 'LEX', LIMIT: { offset: 0, count: limit } } as const;
      return (await connection.read((client) => client.zRange(keys.workspaces, from, '+', page))).map(unpart);
    },
    due: async (limit) => readRefs(Texts.parse(await run(DUE, [keys.waiting], [keys.due(''), `${limit}`]))),
    postpone: async ({ workspace, id }, ms) =>
      void (await run(POSTPONE, [keys.due(workspace), keys.waiting], [id, `${ms}`, part(workspace)])),
    listBySubject: (workspace, subject, limit) =>
      listOf(keys.subjects(workspace) + subject, workspace, FROM_THE_NEWEST, limit),
    listHolding: async (workspace, limit) =>
      readAll(await run(LIST_HOLDING, [keys.slots(workspace)], [keys.records(workspace), `${limit}`])),
    async list(workspace, { subject, before, limit }) {
      const from = before ? below(before) : FROM_THE_NEWEST;
      const key = subject === undefined ? keys.list(workspace) : keys.subjects(workspace) + subject;
      return (await listOf(key, workspace, from, limit)).records;
    },
  };
}

type Keys = ReturnType<typeof recordKeys>;

/** The keys and the arguments of a script. */
type Call = readonly [keys: string[], args: string[]];

/** Adds conditions to a write of a workspace: their keys and versions stand after those of the script. */
const conditionally =
  (prefix: string) =>
  ([keys, args]: Call, { workspace }: RecordRef, conditions: readonly Condition[]): Call => [
    [
      ...keys,
      ...conditions.map(
        ({ type, id, workspace: of = workspace }) => recordKeys(prefix, type).records(of) + id,
      ),
    ],
    [...args, ...conditions.map(({ version }) => (version === undefined ? '' : `${version}`))],
  ];

function creation<R extends Stored>(keys: Keys, entry: Entry<R>, version: number): Call {
  const { record, at } = entry;
  const { workspace, id } = record;
  const written = [...versioned(record, version), ...indexed(keys, entry), place({ at, id })];
  return [all(keys, record), [keys.records(workspace), id, ...written]];
}

function change<R extends Stored>(
  keys: Keys,
  entry: Entry<R>,
  { expected, version }: { expected: number; version: number },
): Call {
  const { record } = entry;
  const { workspace, id } = record;
  const touched = [keys.records(workspace) + id, keys.slots(workspace), keys.due(workspace), keys.waiting];
  const written = [...versioned(record, version), ...indexed(keys, entry)];
  return [touched, [keys.records(workspace), id, `${expected}`, ...written]];
}

/** @param listed its place in the list, even if the record is gone */
function removal(keys: Keys, ref: RecordRef, expected?: number, listed = ''): Call {
  const version = expected === undefined ? '' : `${expected}`;
  return [all(keys, ref), [keys.subjects(ref.workspace), ref.id, part(ref.workspace), version, listed]];
}

/** The keys that a record comes into, or leaves. */
const all = ({ records, slots, due, list, waiting, workspaces }: Keys, { workspace, id }: RecordRef) => [
  records(workspace) + id,
  slots(workspace),
  due(workspace),
  list(workspace),
  waiting,
  workspaces,
];

const versioned = (record: Stored, version: number): string[] => [
  `${version}`,
  JSON.stringify({ ...record, version }),
];

function indexed<R extends Stored>(keys: Keys, { record, subjects, slot, dueAt }: Entry<R>) {
  const listed = [keys.subjects(record.workspace), subjectList(subjects)];
  return [slotField(slot), dueField(dueAt), part(record.workspace), ...listed];
}

/** Reads the names of workspaces, each followed by an id. */
const readRefs = (texts: readonly string[]): RecordRef[] =>
  texts.flatMap((id, n) => (n % 2 === 1 ? { workspace: unpart(texts[n - 1] ?? ''), id } : []));

/** Encodes an absent value as an empty text. */
const slotField = (slot: string | undefined) => (slot === undefined ? '' : `=${slot}`);
const dueField = (dueAt: number | undefined) => (dueAt === undefined ? '' : `${dueAt}`);
