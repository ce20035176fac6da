/**
 * Models one entry of the audit trail: an act of a person, or of the operator at the terminal. Only the result of an act that
 * takes time is added later.
 */
import { z } from 'zod';
import type { Pending } from '../../../outbox/record-type.ts';
import { KIND_NAMES } from '../kinds.ts';

/** The operator, who acts at the terminal and has no id in Slack. */
export const TERMINAL = 'terminal';

/** In place of the id of a person whom the operator has removed. */
export const FORGOTTEN = 'forgotten';

/** `retried`: sent again, or asked to be. `corrected`: an outcome that a person had recorded. `paused`, `resumed`: sending. */
export const ACTS = [
  'requested',
  'voted',
  'took_vote_back',
  'decided',
  'gave_reason',
  'withdrew',
  'released',
  'recorded',
  'corrected',
  'retried',
  'changed_setting',
  'paused',
  'resumed',
  'connected',
  'disconnected',
  'revoked_token',
  'installed',
  'uninstalled',
  'exported',
  'purged',
  'rotated_keys',
  'upgraded_storage',
  'sent_event',
  'forgot_person',
] as const;
export type Act = (typeof ACTS)[number];

const StreamFields = {
  /** The process that writes the entry to the stream. */
  claim: z
    .object({
      effect: z.literal('stream'),
      owner: z.string(),
      startedAt: z.number(),
      expiresAt: z.number(),
    })
    .optional(),
  isStreamed: z.boolean().optional(),
  /** The next try after one that failed. `notBefore`: epoch milliseconds. */
  retry: z.object({ tries: z.number(), notBefore: z.number() }).optional(),
  /** The data of the workspace are removed, and this entry is as soon as it is streamed. */
  isToBeRemoved: z.boolean().optional(),
};

const Shape = z.object({
  workspace: z.string(),
  /** Follows from the act, so that one that is repeated has the same. */
  id: z.string(),
  version: z.number(),
  /** Epoch milliseconds. */
  at: z.number(),
  /** The people who acted, or `TERMINAL`. A decision has several; of an uninstall Slack names nobody. */
  by: z.array(z.string()).readonly(),
  act: z.enum(ACTS),
  /** The request that it is about. No reason and no other text of a person stands here. */
  request: z.object({ id: z.string(), kind: z.enum(KIND_NAMES), target: z.string() }).optional(),
  /** The setting that it is about. */
  setting: z.string().optional(),
  /** The value before and after: the state of a request, a vote, the value of a setting, how something is connected. */
  from: z.unknown().optional(),
  to: z.unknown().optional(),
  /** The result of an act that takes time; undefined: it was cut short. */
  result: z.string().optional(),
  /** The progress of the entry on its way into the audit stream. */
  ...StreamFields,
});
export type AuditEntry = z.infer<typeof Shape>;

/** Keeps fields that a newer version wrote, so an older version can write the record back. */
export const AuditEntry: z.ZodType<AuditEntry> = Shape.loose();

/** An entry that is not stored yet. */
export type NewAuditEntry = Omit<AuditEntry, 'version' | keyof typeof StreamFields>;

/** The content of an entry, without the fields that the storage and the stream need. */
export function contentOf(entry: AuditEntry): NewAuditEntry {
  const { version: _, claim, isStreamed, retry, isToBeRemoved, ...content } = entry;
  return content;
}

/** Lists what is to be done with an entry: to write it to the stream, unless it is there. */
export const pendingOfEntry = ({ at, retry, isStreamed }: AuditEntry): Pending<'stream'>[] =>
  isStreamed ? [] : [{ effect: 'stream', at: retry?.notBefore ?? at }];

/** `former`: the version of the settings until then; undefined: nothing was set. */
type Acting = { workspace: string; by: string; at: number; former: number | undefined };

/** The settings that a save has changed, by name; null: not set. */
export type ChangedSettings = Readonly<Record<string, { from: unknown; to: unknown }>>;

/** An entry for each setting that was changed. */
export const settingsChanged = (acting: Acting, changed: ChangedSettings): NewAuditEntry[] =>
  Object.entries(changed).map(([setting, fromTo]) => ({
    ...entryOf(acting, setting),
    act: 'changed_setting',
    setting,
    ...fromTo,
  }));

export const sendingPaused = (acting: Acting): NewAuditEntry => ({
  ...entryOf(acting, 'pause'),
  act: 'paused',
});

export const sendingResumed = (acting: Acting): NewAuditEntry => ({
  ...entryOf(acting, 'resume'),
  act: 'resumed',
});

/** Each version of the settings is written over once, and has no entry of a name twice. */
const entryOf = ({ workspace, by, at, former }: Acting, name: string) => ({
  workspace,
  id: `settings:${former ?? 'none'}:${name}`,
  at,
  by: [by],
});
