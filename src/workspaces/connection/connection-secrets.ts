/** Seals and opens the secrets that the events of a connection are signed with. */
import { createCache } from '../../cache.ts';
import type { Cipher, SealContext } from '../cipher.ts';
import type { Connection } from './connection.ts';

/** The time for which a replaced secret stays valid for events, to hand over the new one. */
export const FORMER_SECRET_MS = 24 * 60 * 60_000;

/** Returns the secrets valid for events now. @param now epoch milliseconds */
export function liveSecrets({ secrets }: Pick<Connection, 'secrets'>, now: number): Connection['secrets'] {
  return secrets.filter(({ replacedAt }) => replacedAt === undefined || replacedAt + FORMER_SECRET_MS > now);
}

/** Opening one costs more than the read of its connection. */
const SECRETS_REMEMBERED = 10_000;

const contextOf = (workspace: string): SealContext => ({ workspace, purpose: 'events secret' });

/** @param now epoch milliseconds */
export function connectionSecrets(cipher: Cipher, now: () => number) {
  const opened = createCache<string>(SECRETS_REMEMBERED);
  function open(workspace: string, sealed: string): string {
    const key = `${workspace} ${sealed}`;
    const secret = opened.get(key) ?? cipher.open(contextOf(workspace), sealed);
    opened.set(key, secret);
    return secret;
  }

  return {
    /** The secrets that open events now. */
    live: (connection: Connection) =>
      liveSecrets(connection, now()).map(({ sealed }) => open(connection.workspace, sealed)),
    /** @param secret a new one; undefined: those of `before` stay as they are */
    next(workspace: string, secret: string | undefined, before: Connection | undefined) {
      const former = before ? liveSecrets(before, now()) : [];
      if (secret === undefined) return former;
      const replaced = former.map((each) => ({ replacedAt: now(), ...each }));
      return [{ sealed: cipher.seal(contextOf(workspace), secret) }, ...replaced];
    },
    /**
     * Returns the secrets, sealed by the first key; undefined if they already are.
     *
     * @throws SealError if one can't be opened
     */
    sealedAnew(connection: Connection): Connection['secrets'] | undefined {
      const { workspace, secrets } = connection;
      const anew = liveSecrets(connection, now()).map(({ sealed, ...more }) => ({
        ...more,
        sealed: cipher.seal(contextOf(workspace), cipher.open(contextOf(workspace), sealed)),
      }));
      return secrets.every(({ sealed }) => cipher.isCurrent(sealed)) ? undefined : anew;
    },
  };
}
