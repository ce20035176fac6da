/** Makes ids that people can read out and type. */

/** Without vowels and look-alike characters. */
const ALPHABET = 'bcdfghjkmnpqrstvwxz23456789';

/** Maps each byte to one character. */
export function readableId(bytes: Uint8Array): string {
  return [...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
