/** Stores records in Redis, with compare-and-set by version. One operation is one round trip. */
import { z } from 'zod';
import type { Cursor, Entry, RecordRef, RecordStore, Stored } from '../../requests/ports/record-store.ts';
import { DUE_LOOKED_AT } from '../due.ts';
import { subjectList } from '../subjects.ts';
import type { RedisConnection } from './connection/connection.ts';
import { dueMember, idInPlace, place, readDueMember, recordKeys } from './keys.ts';
import { CREATE, DUE, GET, LIST, LIST_HOLDING, NOTHING, POSTPONE, REMOVE, UPDATE } from './record-scripts.ts';

const Created = z.tuple([z.enum(['created', 'exists', 'slot_taken']), z.string().optional()]);
const Updated = z.enum(['updated', 'conflict', 'slot_taken']);
const Removed = z.enum(['removed', 'conflict']);
const Text = z.string();
const Texts = z.array(Text);

/** The bounds of a list (https://redis.io/docs/latest/commands/zrange/, "Lexicographical ranges"). */
const FROM_THE_NEWEST = '+';
const below = (cursor: Cursor) => `(${place(cursor)}`;

/**
 * @param name the kind of record, part of its keys after the prefix
 * @param schema parses what is read, because another version may have written it
 */
export function createRedisRecordStore<R extends Stored>(
  connection: RedisConnection,
  prefix: string,
  name: string,
  schema: z.ZodType<R>,
): RecordStore<R> {
  const keys = recordKeys(prefix, name);
  const read = (text: string): R => schema.parse(JSON.parse(text));
  const readAll = (value: unknown) => Texts.parse(value).map(read);
  const run = async (...call: Parameters<RedisConnection['run']>) => (await connection.run(...call)).value;
  async function listOf(key: string, workspace: string, from: string, limit: number) {
    const { value, now } = await connection.run(LIST, [key], [keys.records(workspace), from, `${limit}`]);
    return { records: readAll(value), now };
  }
  /** @param listed its place in the list, even if the record is gone */
  async function remove({ workspace, id }: RecordRef, expected?: number, listed = '') {
    const { due, slots, list, records, subjects } = keys;
    const touched = [records(workspace) + id, slots(workspace), due, list(workspace)];
    const version = expected === undefined ? '' : `${expected}`;
    return Removed.parse(
      await run(REMOVE, touched, [subjects(workspace), id, dueMember({ workspace, id }), version, listed]),
    );
  }

  return {
    now: async () => (await connection.run(NOTHING)).now,
    async create(entry) {
      const [type, text = ''] = Created.parse(await run(CREATE, ...creation(keys, entry)));
      if (type === 'created') return { type };
      return type === 'exists' ? { type, record: read(text) } : { type, by: read(text) };
    },
    async get({ workspace, id }) {
      const { now, value } = await connection.run(GET, [keys.records(workspace) + id]);
      return value === null ? undefined : { record: read(Text.parse(value)), now };
    },
    update: async (entry, expected) => Updated.parse(await run(UPDATE, ...change(keys, entry, expected))),
    remove: (ref, expected) => remove(ref, expected),
    async removeSome(workspace, limit) {
      const places = await connection.read((client) => client.zRange(keys.list(workspace), 0, limit - 1));
      for (const listed of places) await remove({ workspace, id: idInPlace(listed) }, undefined, listed);
      return places.length;
    },
    count: (workspace) => connection.read((client) => client.zCard(keys.list(workspace))),
    due: async (limit) =>
      Texts.parse(await run(DUE, [keys.due], [`${limit}`, `${DUE_LOOKED_AT}`])).map(readDueMember),
    postpone: async (ref, ms) => void (await run(POSTPONE, [keys.due], [dueMember(ref), `${ms}`])),
    listBySubject: (workspace, subject, limit) =>
      listOf(keys.subjects(workspace) + subject, workspace, FROM_THE_NEWEST, limit),
    listHolding: async (workspace, limit) =>
      readAll(await run(LIST_HOLDING, [keys.slots(workspace)], [keys.records(workspace), `${limit}`])),
    async list(workspace, { before, limit }) {
      const from = before ? below(before) : FROM_THE_NEWEST;
      return (await listOf(keys.list(workspace), workspace, from, limit)).records;
    },
  };
}

type Keys = ReturnType<typeof recordKeys>;

function creation<R extends Stored>(keys: Keys, entry: Entry<R>) {
  const { record, at } = entry;
  const { workspace, id, version } = record;
  const touched = [keys.records(workspace) + id, keys.slots(workspace), keys.due, keys.list(workspace)];
  const written = [`${version}`, JSON.stringify(record), ...indexed(keys, entry), place({ at, id })];
  return [touched, [keys.records(workspace), id, ...written]] as const;
}

function change<R extends Stored>(keys: Keys, entry: Entry<R>, expected: number) {
  const { record } = entry;
  const { workspace, id } = record;
  const version = expected + 1;
  const touched = [keys.records(workspace) + id, keys.slots(workspace), keys.due];
  const written = [`${version}`, JSON.stringify({ ...record, version }), ...indexed(keys, entry)];
  return [touched, [keys.records(workspace), id, `${expected}`, ...written]] as const;
}

function indexed<R extends Stored>(keys: Keys, { record, subjects, slot, dueAt }: Entry<R>) {
  const listed = [keys.subjects(record.workspace), subjectList(subjects)];
  return [slotField(slot), dueField(dueAt), dueMember(record), ...listed];
}

/** Encodes an absent value as an empty text. */
const slotField = (slot: string | undefined) => (slot === undefined ? '' : `=${slot}`);
const dueField = (dueAt: number | undefined) => (dueAt === undefined ? '' : `${dueAt}`);
