/** Derives the id of a request from the key that makes its submission unique. */
import { createHash } from 'node:crypto';
import { readableId } from './readable-id.ts';

const LENGTH = 12;

/**
 * Returns the same id for the same submission, so that a second delivery, on any replica, finds the record of the
 * first.
 */
export function requestId(workspace: string, idempotencyKey: string): string {
  const digest = createHash('sha256').update(`${workspace}\n${idempotencyKey}`).digest();
  return readableId(digest.subarray(0, LENGTH));
}
