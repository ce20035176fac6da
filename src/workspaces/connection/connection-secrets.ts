/** Seals, opens and replaces the secrets that the events of a connection are signed with. */
import { type Cipher, ifUnopened, type SealContext } from '../cipher.ts';
import type { Connection, SealedSecret } from './connection.ts';

/** The time for which a replaced secret stays valid for events, to hand over the new one. */
export const FORMER_SECRET_MS = 24 * 60 * 60_000;

/** Returns the secrets that are valid now, sealed. */
export function liveSecrets({ secrets }: Pick<Connection, 'secrets'>, now: number): Connection['secrets'] {
  return secrets.filter(({ replacedAt }) => replacedAt === undefined || replacedAt + FORMER_SECRET_MS > now);
}

export function connectionSecrets(cipher: Cipher, now: () => number) {
  const contextOf = (workspace: string): SealContext => ({ workspace, purpose: 'events secret' });
  const seal = (workspace: string, secret: string) => cipher.seal(contextOf(workspace), secret);
  const open = (workspace: string, { sealed }: SealedSecret) => cipher.open(contextOf(workspace), sealed);

  /** Whether a key opens a secret: the one that sealed it may be lost. */
  function isOpened(workspace: string, secret: SealedSecret): boolean {
    try {
      open(workspace, secret);
      return true;
    } catch (error) {
      return ifUnopened(false)(error);
    }
  }

  return {
    /** Returns the secrets that events may be signed with now. @throws SealError if the newest can't be opened */
    live(connection: Connection) {
      const { workspace } = connection;
      const known = liveSecrets(connection, now()).filter((each, n) => n === 0 || isOpened(workspace, each));
      return known.map((each) => open(workspace, each));
    },
    /** Whether nobody has seen the newest secret, or no key opens it: then the connection needs another one. */
    isLost: ({ workspace, secrets: [newest] }: Connection) =>
      newest !== undefined && (newest.unseen === true || !isOpened(workspace, newest)),
    /**
     * Returns the secrets of the next connection, without those of `before` that no key opens.
     *
     * @param secret a new one; undefined: those of `before` stay
     */
    next(workspace: string, secret: string | undefined, before: Connection | undefined) {
      const former = before ? liveSecrets(before, now()).filter((each) => isOpened(workspace, each)) : [];
      if (secret === undefined) return former;
      const replaced = former.map((each) => ({ replacedAt: now(), ...each }));
      return [{ sealed: seal(workspace, secret), unseen: true as const }, ...replaced];
    },
    /**
     * Returns the secrets, sealed by the first key; undefined if they already are.
     *
     * @throws SealError if one can't be opened
     */
    sealedAnew(connection: Connection): Connection['secrets'] | undefined {
      const { workspace, secrets } = connection;
      const anew = liveSecrets(connection, now()).map((each) => ({
        ...each,
        sealed: seal(workspace, open(workspace, each)),
      }));
      return secrets.every(({ sealed }) => cipher.isCurrent(sealed)) ? undefined : anew;
    },
  };
}
