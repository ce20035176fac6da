/** Makes ids that people can read out and type. */
import { createHash } from 'node:crypto';

const LENGTH = 12;

/**
 * Derives the id of a request from the key that makes its submission unique.
 *
 * Returns the same id for the same submission, so that a second delivery, on any replica, finds the record of the
 * first.
 */
export function requestId(workspace: string, idempotencyKey: string): string {
  const digest = createHash('sha256').update(`${workspace}\n${idempotencyKey}`).digest();
  return readableId(digest.subarray(0, LENGTH));
}

/** Without vowels and look-alike characters. */
const ALPHABET = 'bcdfghjkmnpqrstvwxz23456789';

export function readableId(bytes: Uint8Array): string {
  return [...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
