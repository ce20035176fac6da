/** Seals secrets with AES-256-GCM, so that a copy of the storage is worth nothing without the keys. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** The first key seals, all of them open: that is how keys rotate. */
export type SecretKey = { id: string; key: KeyObject };

/**
 * Bound to the sealed text: it opens for no other workspace (or organization), and as nothing else. Else whoever can
 * write to the storage could have a Slack token sent to the order service.
 */
export type SealContext = { workspace: string; purpose: 'api token' | 'events secret' | 'Slack tokens' };

export type Cipher = {
  seal(context: SealContext, secret: string): string;
  /** What two equal secrets have in common, and nobody without the keys can tell anything from. */
  fingerprint(secret: string): string;
  /** The fingerprints of a secret by all keys: the one that is stored may have been made by any of them. */
  fingerprints(secret: string): string[];
  /** Whether a text is sealed by the key that seals now. It may not open all the same: it is not looked into. */
  isCurrent(sealed: string): boolean;
  /** @throws SealError where the text was changed, was sealed in another context, or its key is missing */
  open(context: SealContext, sealed: string): string;
};

/** Says what is wrong without a trace of the secret or the key. */
export class SealError extends Error {}

const FORMAT = 'v1';
/** The nonce that GCM is made for; fresh for every sealing (NIST SP 800-38D, 8.2). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function createCipher(keys: readonly [SecretKey, ...SecretKey[]]): Cipher {
  return {
    fingerprint: (secret) => fingerprintBy(keys[0], secret),
    fingerprints: (secret) => keys.map((key) => fingerprintBy(key, secret)),
    isCurrent: (sealed) => sealed.startsWith(`${FORMAT}.${keys[0].id}.`),
    seal(context, secret) {
      const [{ id, key }] = keys;
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(associated(id, context));
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [FORMAT, id, nonce.toString('base64url'), body.toString('base64url')].join('.');
    },
    open(context, sealed) {
      const [format, id = '', nonce = '', body = ''] = sealed.split('.');
      if (format !== FORMAT) throw new SealError('This is not a sealed secret.');
      const key = keys.find((candidate) => candidate.id === id)?.key;
      if (!key) throw new SealError(`The key "${id}" that sealed this secret is not among SECRET_KEYS.`);
      try {
        return decrypt(
          key,
          associated(id, context),
          Buffer.from(nonce, 'base64url'),
          Buffer.from(body, 'base64url'),
        );
      } catch {
        throw new SealError(
          'A sealed secret was changed, or sealed for another workspace or purpose or by another key.',
        );
      }
    },
  };
}

/** A key of its own, derived from the one that seals: no key does two jobs (NIST SP 800-57, 5.2). */
function fingerprintBy({ id, key }: SecretKey, secret: string): string {
  const derived = hkdfSync('sha256', key, '', 'countermand token fingerprint', 32);
  return `${id}.${createHmac('sha256', Buffer.from(derived)).update(secret).digest('base64url')}`;
}

function associated(keyId: string, { workspace, purpose }: SealContext): Buffer {
  return Buffer.from(JSON.stringify([FORMAT, keyId, purpose, workspace]));
}

function decrypt(key: KeyObject, aad: Buffer, nonce: Buffer, body: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(aad);
  decipher.setAuthTag(body.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(body.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
}
