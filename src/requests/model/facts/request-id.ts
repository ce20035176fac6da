/** The id of a request, made from what makes its submission unique. */
import { createHash } from 'node:crypto';
import { readableId } from './readable-id.ts';

const LENGTH = 12;

/**
 * The same submission always gets the same id, so that a second delivery of it, on whatever replica, meets the record
 * of the first.
 */
export function requestId(workspace: string, idempotencyKey: string): string {
  const digest = createHash('sha256').update(`${workspace}\n${idempotencyKey}`).digest();
  return readableId(digest.subarray(0, LENGTH));
}
