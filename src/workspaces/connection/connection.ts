/**
 * A workspace's connection to the order service: one record. It names the generation of its token, and the part of its
 * events URL that nobody can guess, and holds the sealed secrets that its events are signed with. Observations about it are
 * stored beside it.
 */
import type Keyv from 'keyv';
import { z } from 'zod';
import { createCache } from '../../cache.ts';
import type { Entry } from '../../outbox/record-store.ts';
import { isRecent } from '../../requests/model/recent.ts';
import { TOKEN_KINDS } from '../../requests/model/refusal.ts';
import { type Cipher, ifUnopened, type SealContext } from '../cipher.ts';
import { NamedToken } from './token/token-record.ts';

export const CONNECTION_ID = 'connection';

/** Identifies one connection of a workspace, so that nothing of it is mistaken for something of the next one. */
export type Generation = { workspace: string; generation: string };

const SealedSecret = z.object({
  sealed: z.string(),
  /** The time of replacement. */
  replacedAt: z.number().optional(),
  /** Set until the write is confirmed: nobody has seen the secret of a connect that failed before. */
  unseen: z.literal(true).optional(),
});
type SealedSecret = z.infer<typeof SealedSecret>;

/** The pause of a workspace's calls (token-pauses.ts), by the store's clock. */
export const TokenPause = z.object({
  /** `open`: one call may be made. `over`: calls go on; a new refusal soon after counts as the next one in a row. */
  state: z.enum(['paused', 'open', 'over']),
  /** The beginning of the pause. */
  since: z.number(),
  /** The refusals in a row. */
  refusals: z.number(),
  /** The next check of the token or, if the pause is over, the time at which it is forgotten. */
  dueAt: z.number(),
  /** The beginning of the last state. */
  at: z.number(),
  /** Whether the admins' notice is stored. */
  told: z.boolean(),
});
export type TokenPause = z.infer<typeof TokenPause>;

export const Connection = z.object({
  workspace: z.string(),
  id: z.literal(CONNECTION_ID),
  version: z.number(),
  /** New with every connect, so that observations about one token are never applied to another. */
  generation: z.string(),
  tokenKind: z.enum(TOKEN_KINDS),
  /** Whether nobody else uses the token, so that it may be revoked one day. */
  exclusive: z.boolean(),
  /** Undefined once the workspace is disconnected: its endpoint lives on while reviews are pending. */
  token: NamedToken.optional(),
  /** The unguessable part of the events URL. */
  endpoint: z.string(),
  /** The newest first. Several are valid while a secret is being replaced. */
  secrets: z.array(SealedSecret).min(1),
  connectedBy: z.string(),
  connectedAt: z.number(),
  /** Set since the service refused the token. */
  pause: TokenPause.optional(),
});
export type Connection = z.infer<typeof Connection>;

/** Returns the pause of a connection; undefined if its calls are not paused. */
export const pauseIn = ({ pause }: Pick<Connection, 'pause'>): TokenPause | undefined =>
  pause?.state === 'over' ? undefined : pause;

/** Identifies the connection of a workspace, which has one at most. */
export const connectionRef = (workspace: string) => ({ workspace, id: CONNECTION_ID }) as const;

export function connectionEntry(record: Connection): Entry<Connection> {
  return { record, subjects: [], at: record.connectedAt, slot: undefined, dueAt: record.pause?.dueAt };
}

/** Occurs in no id of a workspace and in no secret part, and is not escaped in a URL (RFC 3986, section 2.3). */
const SEPARATOR = '~';

/** The address of the endpoint: it names its workspace, so that it is found without an index. */
export const endpointAddress = ({ workspace, endpoint }: Pick<Connection, 'workspace' | 'endpoint'>) =>
  `${workspace}${SEPARATOR}${endpoint}`;

/** @returns undefined for a text that is not the address of an endpoint */
export function readEndpointAddress(address: string): Pick<Connection, 'workspace' | 'endpoint'> | undefined {
  const [workspace = '', endpoint, ...rest] = address.split(SEPARATOR);
  return endpoint && rest.length === 0 ? { workspace, endpoint } : undefined;
}

/** The log fields of a connection: never its token or a secret. null: there is none, or it has no token any more. */
export function connectionFields(connection: Connection | undefined) {
  if (!connection?.token) return null;
  const { tokenKind, exclusive, connectedBy } = connection;
  return { tokenKind, exclusive, connectedBy };
}

/** `call`: the service accepted the token. `event`: a signed event arrived. */
type Observation = 'call' | 'event';

/** An unreadable observation counts as none, because nothing important depends on it. */
const StoredObservation = z.object({ generation: z.string(), at: z.number() });

/** Nobody needs the time to the second, and a write for each call and event would be wasteful. */
const WRITE_EVERY_MS = 60_000;
const OBSERVATIONS_REMEMBERED = 10_000;

export type ConnectionHealth = ReturnType<typeof createConnectionHealth>;

/**
 * Stores the last observations of each connection outside of its record, because none is worth a write conflict with an
 * admin who connects.
 *
 * @param stores keyed by workspace, so that its observations can be removed by its id alone
 */
export function createConnectionHealth(stores: Record<Observation, Keyv>, now: () => number) {
  const written = createCache<number>(OBSERVATIONS_REMEMBERED);

  return {
    /** Returns the last observation; undefined: none of this connection. */
    async last(kind: Observation, { workspace, generation }: Generation): Promise<number | undefined> {
      const { data } = StoredObservation.safeParse(await stores[kind].get(workspace));
      return data?.generation === generation ? data.at : undefined;
    },
    /** Records an observation, at most once a minute. */
    async record(kind: Observation, { workspace, generation }: Generation): Promise<void> {
      const key = `${kind} ${workspace} ${generation}`;
      const last = written.get(key);
      if (last !== undefined && isRecent(last, now(), WRITE_EVERY_MS)) return;
      written.set(key, now());
      await stores[kind].set(workspace, { generation, at: now() });
    },
    /** Removes all observations of a workspace. */
    async forget(workspace: string): Promise<void> {
      await Promise.all(Object.values(stores).map((store) => store.delete(workspace)));
    },
  };
}

/** The time for which a replaced secret stays valid for events, to hand over the new one. */
export const FORMER_SECRET_MS = 24 * 60 * 60_000;

/** Returns the secrets valid for events now. */
export function liveSecrets({ secrets }: Pick<Connection, 'secrets'>, now: number): Connection['secrets'] {
  return secrets.filter(({ replacedAt }) => replacedAt === undefined || replacedAt + FORMER_SECRET_MS > now);
}

/** Seals and opens the secrets that events are signed with. */
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
