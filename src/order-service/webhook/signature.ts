/** Whether an event was signed with one of the workspace's secrets (events.md, "Delivery"). */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

const DIGEST_BYTES = 32;

/**
 * @param signatures the values of the signature headers: SHA-256 HMACs of the body in hex or base64, with or without
 *   the prefix `sha256=`
 * @param secrets every live secret: one matching pair is enough, so that secrets rotate without a gap
 */
export function isSigned(
  body: Buffer,
  signatures: readonly string[],
  secrets: readonly KeyObject[],
): boolean {
  const given = signatures.map(decode).filter((digest) => digest !== undefined);
  const expected = secrets.map((secret) => createHmac('sha256', secret).update(body).digest());
  return expected.some((digest) => given.some((candidate) => timingSafeEqual(digest, candidate)));
}

function decode(signature: string): Buffer | undefined {
  const text = signature.trim().replace(/^sha256=/i, '');
  const digest = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  return digest.length === DIGEST_BYTES ? digest : undefined;
}
