/** Ids that people read out and type. */

/** No vowels, and nothing that looks alike. */
const ALPHABET = 'bcdfghjkmnpqrstvwxz23456789';

/** A character for each byte. */
export function readableId(bytes: Uint8Array): string {
  return [...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
