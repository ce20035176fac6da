/** Where Countermand is installed, and the bot token of each installation: in a workspace, or in a whole organization. */
import { z } from 'zod';
import type { Locks, Patience } from '../../requests/ports/locks.ts';
import type { Runtime } from '../../requests/ports/runtime.ts';
import type { Cipher, SealContext } from '../cipher.ts';
import { perObject } from '../per-object.ts';
import { resealEach, type Sealed } from '../rotate-keys.ts';
import { createRows, type IndexedStore } from '../rows.ts';

const BotTokens = z.object({
  bot: z.string(),
  /** Where tokens rotate: what a new pair is given for, once. */
  refresh: z.string().optional(),
});
export type BotTokens = z.infer<typeof BotTokens>;

const Row = z.object({
  /** Of the workspace or, installed org-wide, of the organization. */
  id: z.string(),
  orgWide: z.boolean(),
  /** That the workspace belongs to, where Slack has named one. */
  organization: z.string().optional(),
  /** New with every installation, so that what is learnt of a former one is never said of it. */
  generation: z.string(),
  /** BotTokens, as JSON. */
  sealed: z.string(),
  /** When the bot token ends, epoch milliseconds; undefined: never. */
  expiresAt: z.number().optional(),
  botId: z.string(),
  botUserId: z.string(),
  installedBy: z.string(),
  /** Epoch milliseconds. */
  installedAt: z.number(),
});
type Row = z.infer<typeof Row>;

export type StoredInstallation = Omit<Row, 'sealed'> & { tokens: BotTokens };

/** What there is to know without opening anything. */
export type InstallationFacts = Pick<Row, 'id' | 'generation' | 'orgWide' | 'organization'>;

export type NewInstallation = Omit<StoredInstallation, 'generation' | 'installedAt'>;

export type InstallationStore = Sealed & {
  /** What takes the place of an installation, or removes it, holds this. @throws LockedError */
  alone<T>(id: string, patience: Patience, act: () => Promise<T>): Promise<T>;
  /** Takes the place of whatever was installed there. @throws LockedError while that is being removed */
  add(installation: NewInstallation): Promise<void>;
  get(id: string): Promise<StoredInstallation | undefined>;
  facts(id: string): Promise<InstallationFacts | undefined>;
  /** Only within `alone`. Does nothing where something else was installed since. */
  replaceTokens(
    installation: StoredInstallation,
    tokens: BotTokens,
    expiresAt: number | undefined,
  ): Promise<void>;
  has(id: string): Promise<boolean>;
  count(): Promise<number>;
  /** Only within `alone`. */
  forget(id: string): Promise<void>;
};

/** Replacing takes milliseconds; removing all that a workspace has left behind may take minutes. */
const ADDING: Patience = { heldMs: 30_000, waitMs: 10_000 };

const tokensOf = (id: string): SealContext => ({ workspace: id, purpose: 'Slack tokens' });

/** @param store throws where the storage is away */
export function createInstallationStore(
  store: IndexedStore,
  { cipher, locks, now, uuid }: { cipher: Cipher; locks: Locks } & Pick<Runtime, 'now' | 'uuid'>,
): InstallationStore {
  // Whoever writes holds the lock of the installation already.
  const rows = createRows(store, { schema: Row, keysOf: () => [], alone: (_id, act) => act({ check() {} }) });
  const seal = (id: string, tokens: BotTokens) => cipher.seal(tokensOf(id), JSON.stringify(tokens));
  const open = ({ id, sealed }: Row) => BotTokens.parse(JSON.parse(cipher.open(tokensOf(id), sealed)));
  const alone: InstallationStore['alone'] = (id, patience, act) =>
    locks.hold(`installation ${id}`, patience, act);

  const opened = perObject((row: Row): StoredInstallation => {
    const { sealed: _opened, ...rest } = row;
    return { ...rest, tokens: open(row) };
  });

  async function get(id: string): Promise<StoredInstallation | undefined> {
    const row = await rows.get(id);
    return row && opened(row);
  }

  const resealed = (row: Row | undefined) =>
    !row || cipher.isCurrent(row.sealed) ? row : { ...row, sealed: seal(row.id, open(row)) };

  return {
    alone,
    ids: () => rows.ids(),
    has: rows.has,
    count: rows.count,
    facts: rows.get,
    get,
    add: ({ tokens, ...rest }) =>
      alone(rest.id, ADDING, () => {
        const made = { generation: uuid(), sealed: seal(rest.id, tokens), installedAt: now() };
        return rows.put(rest.id, { ...rest, ...made });
      }),
    async replaceTokens({ id, generation }, tokens, expiresAt) {
      await rows.change(id, (row) => {
        if (row?.generation !== generation) return row;
        const { expiresAt: _former, ...rest } = row;
        const until = expiresAt === undefined ? {} : { expiresAt };
        return { ...rest, ...until, sealed: seal(id, tokens) };
      });
    },
    forget: rows.forget,
    reseal: () => resealEach(rows.ids(), (id) => alone(id, ADDING, () => rows.change(id, resealed))),
    mustOpen: async (id) => void (await get(id)),
  };
}
