/** Prepares further records for every storage. */
import type { Further } from '../../outbox/record-store.ts';
import { subjectList } from './subjects.ts';
import { newVersion } from './versions.ts';

/**
 * Draws the version of a further record, and encodes what is stored of it.
 *
 * @param workspace the one of the write that it is created in
 * @throws if it belongs to another workspace: no write touches two
 */
export function encodeFurther({ entry: { record, subjects, at, dueAt } }: Further, workspace: string) {
  if (record.workspace !== workspace)
    throw new Error('A further record must belong to the workspace of the write.');
  const version = newVersion();
  const text = JSON.stringify({ ...record, version });
  return { id: record.id, version, text, subjects: subjectList(subjects), at, dueAt };
}
