/** Collects the body of an answer. */

/** Removes a byte-order mark, which a reader of JSON may ignore (RFC 8259, section 8.1). */
const decoder = new TextDecoder('utf-8');

export type Body = {
  /** @returns false if the body would exceed its limit; nothing is added then */
  add(chunk: Uint8Array): boolean;
  text(): string;
};

const NOTHING = new Uint8Array();

/**
 * Takes an only chunk as it is, and copies several into one buffer. A chunk of undici is a view of all bytes read together
 * with it: a list of one-byte chunks held 200 MB for a body of 1 MiB.
 */
export function createBody(maxBytes: number): Body {
  let buffer: Uint8Array = NOTHING;
  let length = 0;

  function grow(needed: number): void {
    const grown = Buffer.allocUnsafe(Math.min(Math.max(needed, 2 * buffer.length), maxBytes));
    grown.set(buffer);
    buffer = grown;
  }

  return {
    add(chunk) {
      const needed = length + chunk.length;
      if (needed > maxBytes) return false;
      if (length === 0) {
        buffer = chunk;
      } else {
        if (needed > buffer.length) grow(needed);
        buffer.set(chunk, length);
      }
      length = needed;
      return true;
    },
    text: () => decoder.decode(buffer.subarray(0, length)),
  };
}
