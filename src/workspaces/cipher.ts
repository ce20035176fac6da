/** Seals secrets with AES-256-GCM, so that a copy of the storage is worthless without the keys, and rotates the keys. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { z } from 'zod';
import { createCache } from '../cache.ts';

/** A key with its id. The first key seals and all keys open, so that keys can be rotated. */
export type SecretKey = { id: string; key: KeyObject };

/**
 * The context bound to a sealed text: it opens only for the same workspace (or organization) and purpose. Otherwise
 * somebody who can write to the storage could have a Slack token sent to the order service.
 */
export type SealContext = { workspace: string; purpose: 'api token' | 'events secret' | 'Slack tokens' };

export type Cipher = ReturnType<typeof createCipher>;

/** Explains a failure without revealing the secret or the key. `purpose`: of the secret. */
export class SealError extends Error {
  readonly purpose: SealContext['purpose'];

  constructor(message: string, purpose: SealContext['purpose']) {
    super(message);
    this.purpose = purpose;
  }
}

/** Reports a connection without its token, which no key brings back. */
export class MissingTokenError extends SealError {
  constructor() {
    super('The token of this connection is missing.', 'api token');
  }
}

const FORMAT = 'v1';
/** The recommended nonce length of GCM; a fresh nonce for every sealing (NIST SP 800-38D, 8.2). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Opening a secret costs more than the read of the record that holds it. */
const OPENED_REMEMBERED = 20_000;

export function createCipher(keys: readonly [SecretKey, ...SecretKey[]]) {
  const opened = createCache<string>(OPENED_REMEMBERED);
  return {
    /** Returns the same value for equal secrets, meaningless without the keys. */
    fingerprint: (secret: string): string => fingerprintBy(keys[0], secret),
    /** Returns the fingerprints of a secret by all keys, because any of them may have made the stored one. */
    fingerprints: (secret: string): string[] => keys.map((key) => fingerprintBy(key, secret)),
    /** Whether a text is sealed by the current key. Its content is not checked. */
    isCurrent: (sealed: string): boolean => sealed.startsWith(`${FORMAT}.${keys[0].id}.`),
    seal(context: SealContext, secret: string): string {
      const [{ id, key }] = keys;
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(associated(id, context));
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [FORMAT, id, nonce.toString('base64url'), body.toString('base64url')].join('.');
    },
    /** @throws SealError if the text was changed, was sealed in another context, or its key is missing */
    open(context: SealContext, sealed: string): string {
      const name = JSON.stringify([context.purpose, context.workspace, sealed]);
      const secret = opened.get(name) ?? open(keys, context, sealed);
      opened.set(name, secret);
      return secret;
    },
  };
}

function open(keys: readonly SecretKey[], context: SealContext, sealed: string): string {
  const [format, id = '', nonce = '', body = ''] = sealed.split('.');
  if (format !== FORMAT) throw new SealError('This is not a sealed secret.', context.purpose);
  const key = keys.find((candidate) => candidate.id === id)?.key;
  if (!key) throw new SealError(`The key "${id}" of this secret is not among SECRET_KEYS.`, context.purpose);
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
      context.purpose,
    );
  }
}

/** Computes a fingerprint with a derived key, because no key may serve two purposes (NIST SP 800-57, 5.2). */
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

/**
 * The result of a rotation. `resealed`, `current`: the numbers of connections and installations that were resealed, or had the
 * first key already. Left unchanged: `unopened`, the workspaces and organizations with secrets that can't be opened or read, and
 * `busy`, those that somebody else works on, so that the rotation must be run again.
 */
export type Resealed = { resealed: number; current: number; unopened: string[]; busy: string[] };

/** `current`: the first key has sealed it already. */
export type Resealing = 'resealed' | 'current' | 'busy';

/** A store of sealed secrets, of workspaces and organizations. */
type Sealed = {
  ids(): AsyncGenerator<string, void>;
  /** Reseals with the first key what another key has sealed. @throws SealError or z.ZodError, as `mustOpen` */
  reseal(id: string): Promise<Resealing>;
  /** @throws SealError or z.ZodError if a secret can't be opened or read */
  mustOpen(id: string): Promise<void>;
};

/** Creates a handler of errors that returns `value` if stored data can't be opened or read. @throws any other error */
export const ifUnopened =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof SealError || error instanceof z.ZodError) return value;
    throw error;
  };

/**
 * Use case: an operator has added a new first key, and all secrets are resealed with it. The next run completes an interrupted
 * one.
 */
export async function rotateKeys(stores: readonly Pick<Sealed, 'ids' | 'reseal'>[]): Promise<Resealed> {
  const counts = { resealed: 0, current: 0 };
  const left = { unopened: new Set<string>(), busy: new Set<string>() };
  for (const store of stores)
    for await (const id of store.ids()) {
      const done = await store.reseal(id).catch(ifUnopened('unopened' as const));
      if (done === 'busy' || done === 'unopened') left[done].add(id);
      else counts[done] += 1;
    }
  return { ...counts, unopened: [...left.unopened], busy: [...left.busy] };
}

/** @returns the number of workspaces and organizations with secrets that can't be opened or read; none is named */
export async function countUnopened(stores: readonly Sealed[], stopping: AbortSignal): Promise<number> {
  const unopened = new Set<string>();
  for (const store of stores)
    for await (const id of store.ids()) {
      if (stopping.aborted) return unopened.size;
      const isOpened = await store.mustOpen(id).then(() => true, ifUnopened(false));
      if (!isOpened) unopened.add(id);
    }
  return unopened.size;
}
