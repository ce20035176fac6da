/**
 * A workspace's connection to the order service: one record. It names the generation of its token, which keyv holds, and the part
 * of its events URL that nobody can guess, and holds the secrets that its events are signed with. Token and secrets are sealed.
 */
import type Keyv from 'keyv';
import { z } from 'zod';
import { createCache } from '../../cache.ts';
import type { Entry } from '../../outbox/record-store.ts';
import { TOKEN_KINDS } from '../../requests/model/refusal.ts';
import { type Cipher, ifUnopened, MissingTokenError, type SealContext } from '../cipher.ts';
import { type Holder, NamedToken } from './token-record.ts';

export const CONNECTION_ID = 'connection';

/** Identifies one connection of a workspace, so that nothing of it is mistaken for something of the next one. */
export type Generation = { workspace: string; generation: string };

const SealedSecret = z.object({
  sealed: z.string(),
  /** The time of replacement. */
  replacedAt: z.number().optional(),
  /** Set until connecting has ended: nobody has seen the secret of a connect that failed, or was cut short, before. */
  unseen: z.literal(true).optional(),
});
export type SealedSecret = z.infer<typeof SealedSecret>;

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

/** Identifies what is known of a token's refusals; undefined if it was not refused. */
export const phaseOf = ({ pause }: Pick<Connection, 'pause'>): string | undefined =>
  pause && `${pause.state} ${pause.refusals} ${pause.at}`;

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

/** Whether a connection has no token, and its endpoint awaits no outcome. */
export async function isFinished(
  { owesOutcome }: { owesOutcome: (workspace: string) => Promise<boolean> },
  { token, workspace }: Connection,
): Promise<boolean> {
  return !token && !(await owesOutcome(workspace));
}

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

const Stored = z.string().optional();

/** The opened tokens in memory save a read of keyv for each call. */
const TOKENS_REMEMBERED = 10_000;

export type SealedTokens = ReturnType<typeof createSealedTokens>;

/** Keeps API tokens in keyv, sealed, each under its generation: a generation never gets another token. */
export function createSealedTokens(values: Keyv, cipher: Cipher) {
  const opened = createCache<string>(TOKENS_REMEMBERED);
  const contextOf = (workspace: string): SealContext => ({ workspace, purpose: 'api token' });
  const keyOf = ({ workspace, generation }: Holder) => `${workspace} ${generation}`;
  return {
    async write({ workspace, generation }: Holder, token: string): Promise<void> {
      await values.set(generation, cipher.seal(contextOf(workspace), token));
    },
    /** @returns undefined if it was removed @throws SealError or z.ZodError if it can't be opened or read */
    async read(holder: Holder): Promise<string | undefined> {
      const known = opened.get(keyOf(holder));
      if (known !== undefined) return known;
      const sealed = Stored.parse(await values.get(holder.generation));
      if (sealed === undefined) return undefined;
      const token = cipher.open(contextOf(holder.workspace), sealed);
      opened.set(keyOf(holder), token);
      return token;
    },
    /** Whether a token is sealed by the first key. */
    async isCurrent(generation: string): Promise<boolean> {
      const sealed = Stored.parse(await values.get(generation));
      if (sealed === undefined) throw new MissingTokenError();
      return cipher.isCurrent(sealed);
    },
    async remove(generation: string): Promise<void> {
      await values.delete(generation);
    },
  };
}
