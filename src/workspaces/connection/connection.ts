/**
 * A workspace's connection to the order service: one record. It names the generation of its token, and the part of its
 * events URL that nobody can guess, and holds the sealed secrets that its events are signed with.
 */
import { z } from 'zod';
import type { Entry } from '../../outbox/record-store.ts';
import { TOKEN_KINDS } from '../../requests/model/refusal.ts';
import { NamedToken } from './token-record.ts';

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
