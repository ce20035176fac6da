/** Seals and opens the secrets of a connection: its token, and the secrets that its events are signed with. */
import type { Cipher, SealContext } from '../cipher.ts';
import { perObject } from '../per-object.ts';
import type { Connection } from './connection.ts';

/** The time for which a replaced secret stays valid for events, to hand over the new one. */
export const FORMER_SECRET_MS = 24 * 60 * 60_000;

/** Returns the secrets valid for events now. @param now epoch milliseconds */
export function liveSecrets({ secrets }: Connection, now: number): Connection['secrets'] {
  return secrets.filter(({ replacedAt }) => replacedAt === undefined || replacedAt + FORMER_SECRET_MS > now);
}

const tokenOf = (workspace: string): SealContext => ({ workspace, purpose: 'api token' });
const eventsSecretOf = (workspace: string): SealContext => ({ workspace, purpose: 'events secret' });

/** @param now epoch milliseconds */
export function connectionSecrets(cipher: Cipher, now: () => number) {
  const sealToken = (workspace: string, token: string) => ({
    sealed: cipher.seal(tokenOf(workspace), token),
    fingerprint: cipher.fingerprint(token),
  });
  /** Undefined where the workspace is disconnected. */
  const token = perObject(
    ({ workspace, token: stored }: Connection) => stored && cipher.open(tokenOf(workspace), stored.sealed),
  );
  const openedBy = perObject(({ workspace }: Connection) =>
    perObject(({ sealed }: Connection['secrets'][number]) => cipher.open(eventsSecretOf(workspace), sealed)),
  );

  return {
    sealToken,
    token,
    /** The secrets that open events now. */
    live: (connection: Connection) => liveSecrets(connection, now()).map(openedBy(connection)),
    /** @param secret a new one; undefined: those of `before` stay as they are */
    next(workspace: string, secret: string | undefined, before: Connection | undefined) {
      const former = before ? liveSecrets(before, now()) : [];
      if (secret === undefined) return former;
      const replaced = former.map((each) => ({ replacedAt: now(), ...each }));
      return [{ sealed: cipher.seal(eventsSecretOf(workspace), secret) }, ...replaced];
    },
    /**
     * Returns the connection with all secrets sealed by the first key; undefined if they already are.
     *
     * @throws SealError if a secret can't be opened
     */
    sealedAnew(connection: Connection): Connection | undefined {
      const { workspace } = connection;
      const opened = token(connection);
      const secrets = liveSecrets(connection, now()).map(({ sealed, ...more }) => {
        const secret = cipher.open(eventsSecretOf(workspace), sealed);
        return { ...more, sealed: cipher.seal(eventsSecretOf(workspace), secret) };
      });
      const sealed = [connection.token, ...connection.secrets].flatMap((each) => each?.sealed ?? []);
      if (sealed.every(cipher.isCurrent)) return undefined;
      return {
        ...connection,
        secrets,
        ...(opened === undefined ? {} : { token: sealToken(workspace, opened) }),
      };
    },
  };
}
