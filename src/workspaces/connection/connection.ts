/** A workspace's connection to the order service: its token, and the endpoint that its events come to. */
import { z } from 'zod';

export const TOKEN_KINDS = ['rest', 'graphql'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

const SealedSecret = z.object({
  sealed: z.string(),
  /** The time of replacement, epoch milliseconds. */
  replacedAt: z.number().optional(),
});

export const Connection = z.object({
  workspace: z.string(),
  /** New with every connect, so that observations about one token are never applied to another. */
  generation: z.string(),
  tokenKind: z.enum(TOKEN_KINDS),
  /** Whether nobody else uses the token, so that it may be revoked one day. */
  exclusive: z.boolean(),
  /** Undefined once the workspace is disconnected: its endpoint lives on while reviews are pending. */
  token: z.object({ sealed: z.string(), fingerprint: z.string() }).optional(),
  /** The unguessable part of the events URL. */
  endpoint: z.string(),
  /** The newest first. Several are valid while a secret is being replaced. */
  secrets: z.array(SealedSecret).min(1),
  connectedBy: z.string(),
  /** Epoch milliseconds. */
  connectedAt: z.number(),
});
export type Connection = z.infer<typeof Connection>;

/** The log fields of a connection: never its token or a secret. null: there is none, or it has no token any more. */
export function connectionFields(connection: Connection | undefined) {
  if (!connection?.token) return null;
  const { tokenKind, exclusive, connectedBy } = connection;
  return { tokenKind, exclusive, connectedBy };
}
