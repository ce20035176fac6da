/** Parses, versions and encodes records for both storages. Another version of Countermand may have written them. */
import { randomInt } from 'node:crypto';
import type { z } from 'zod';
import { createCache } from '../cache.ts';
import { isObject } from '../json.ts';
import type { Further, RecordTypeName } from '../outbox/record-store.ts';

/**
 * Types of records that are read for every event or command, and hardly ever change: parsing a record takes longer than finding
 * the same text again.
 */
const OFTEN_READ: ReadonlySet<RecordTypeName> = new Set(['connections', 'installations', 'settings']);
const TEXTS_REMEMBERED = 1_000;

/** @returns a function that reads the records of a type as `readRecord` does. What it returns must not be changed */
export function createReader<R extends {}>(type: RecordTypeName, schema: z.ZodType<R>): (text: string) => R {
  if (!OFTEN_READ.has(type)) return (text) => readRecord(schema, text);
  const known = createCache<R>(TEXTS_REMEMBERED);
  return (text) => {
    const remembered = known.get(text);
    if (remembered) return remembered;
    const record = readRecord(schema, text);
    known.set(text, record);
    return record;
  };
}

/**
 * @returns the record with all that the schema does not know, at any depth: an older version writes back what a newer one has
 *   added
 * @throws if it can't be read: then nothing changes it
 */
export function readRecord<R>(schema: z.ZodType<R>, text: string): R {
  const stored: unknown = JSON.parse(text);
  const parsed = schema.parse(stored);
  return holdsUnknown(parsed, stored) ? (withUnknown(parsed, stored) as R) : parsed;
}

/**
 * Whether a stored value has fields that the schema does not know. Few values have any, and for all others no copy is made, which
 * would cost as much as parsing.
 */
function holdsUnknown(parsed: unknown, stored: unknown): boolean {
  if (Array.isArray(parsed) && Array.isArray(stored))
    return parsed.some((each, i) => holdsUnknown(each, stored[i]));
  if (!isObject(parsed) || !isObject(stored)) return false;
  return Object.keys(stored).some((key) => {
    const known = parsed[key];
    return known === undefined ? !Object.hasOwn(parsed, key) : holdsUnknown(known, stored[key]);
  });
}

function withUnknown(parsed: unknown, stored: unknown): unknown {
  if (Array.isArray(parsed) && Array.isArray(stored))
    return parsed.map((each, i) => withUnknown(each, stored[i]));
  if (!isObject(parsed) || !isObject(stored)) return parsed;
  const known = Object.entries(parsed).map(([key, value]) => [key, withUnknown(value, stored[key])]);
  return { ...stored, ...Object.fromEntries(known) };
}

/**
 * Returns sorted, distinct subjects as JSON, so that unchanged subjects yield the same text. A lone surrogate, which
 * only JavaScript can hold, becomes the replacement character, as in every other encoding.
 */
export function subjectList(subjects: readonly string[]): string {
  return JSON.stringify([...new Set(subjects.map((subject) => subject.toWellFormed()))].sort());
}

/** The highest number that `randomInt` can draw; a double holds it exactly. */
const HIGHEST_VERSION = 2 ** 48 - 1;

/**
 * @returns a version that no record had before. Counted versions would repeat after a failover that has undone writes: a
 *   process that was frozen meanwhile would take another record for the one that it has read, and overwrite it.
 */
export const newVersion = (): number => randomInt(1, HIGHEST_VERSION);

/**
 * Draws the version of a further record, and encodes what is stored of it.
 *
 * @param workspace that of the write
 * @throws if the record belongs to another workspace: no write touches two
 */
export function encodeFurther({ entry: { record, subjects, at, dueAt } }: Further, workspace: string) {
  if (record.workspace !== workspace)
    throw new Error('A further record must belong to the workspace of the write.');
  const version = newVersion();
  const text = JSON.stringify({ ...record, version });
  return { id: record.id, version, text, subjects: subjectList(subjects), at, dueAt };
}
