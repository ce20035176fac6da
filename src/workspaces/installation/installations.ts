/** Stores the installations of Countermand and their bot tokens: of a workspace, or of a whole organization. */
import { z } from 'zod';
import type { LockOptions, Locks } from '../../requests/ports/locks.ts';
import type { Runtime } from '../../requests/ports/runtime.ts';
import type { RecordAct } from '../../requests/store/record-act.ts';
import type { Cipher, SealContext } from '../cipher.ts';
import { perObject } from '../per-object.ts';
import { resealEach, type Sealed } from '../rotate-keys.ts';
import { createRows, type IndexedStore } from '../rows.ts';

const BotTokens = z.object({
  bot: z.string(),
  /** Exchanged once for a new pair, if tokens rotate. */
  refresh: z.string().optional(),
});
export type BotTokens = z.infer<typeof BotTokens>;

const Row = z.object({
  /** The id of the workspace or, if installed org-wide, of the organization. */
  id: z.string(),
  orgWide: z.boolean(),
  /** The organization of the workspace, if Slack has named one. */
  organization: z.string().optional(),
  /** New with every installation, so that data of a former one are never applied to it. */
  generation: z.string(),
  /** BotTokens, as JSON. */
  sealed: z.string(),
  /** The expiry of the bot token, epoch milliseconds; undefined: never. */
  expiresAt: z.number().optional(),
  /** The scopes that were granted. */
  scopes: z.array(z.string()),
  botId: z.string(),
  botUserId: z.string(),
  installedBy: z.string(),
  /** Epoch milliseconds. */
  installedAt: z.number(),
});
type Row = z.infer<typeof Row>;

export type StoredInstallation = Omit<Row, 'sealed'> & { tokens: BotTokens };

/** The data readable without opening secrets. */
export type InstallationFacts = Pick<Row, 'id' | 'generation' | 'orgWide' | 'organization' | 'scopes'>;

export type NewInstallation = Omit<StoredInstallation, 'generation' | 'installedAt'>;

export type InstallationStore = Sealed & {
  /** Holds the lock under which an installation is replaced or removed. @throws LockedError */
  withLock<T>(id: string, options: LockOptions, work: () => Promise<T>): Promise<T>;
  /** Replaces whatever was installed there. @throws LockedError while that is being removed */
  add(installation: NewInstallation): Promise<void>;
  get(id: string): Promise<StoredInstallation | undefined>;
  facts(id: string): Promise<InstallationFacts | undefined>;
  /** Only within `withLock`. Does nothing if another installation has replaced it. */
  replaceTokens(
    installation: StoredInstallation,
    tokens: BotTokens,
    expiresAt: number | undefined,
  ): Promise<void>;
  has(id: string): Promise<boolean>;
  count(): Promise<number>;
  /** Only within `withLock`. */
  forget(id: string): Promise<void>;
};

/** Replacing takes milliseconds; removing all data of a workspace may take minutes. */
const ADDING: LockOptions = { ttlMs: 30_000, timeoutMs: 10_000 };

const tokensOf = (id: string): SealContext => ({ workspace: id, purpose: 'Slack tokens' });

/** @param store throws if the storage is unavailable */
export function createInstallationStore(
  store: IndexedStore,
  {
    cipher,
    locks,
    recordAct,
    now,
    uuid,
  }: { cipher: Cipher; locks: Locks; recordAct: RecordAct } & Pick<Runtime, 'now' | 'uuid'>,
): InstallationStore {
  // Every writer already holds the lock of the installation.
  const rows = createRows(store, {
    schema: Row,
    keysOf: () => [],
    withLock: (_id, work) => work({ write: (act) => act() }),
  });
  const seal = (id: string, tokens: BotTokens) => cipher.seal(tokensOf(id), JSON.stringify(tokens));
  const open = ({ id, sealed }: Row) => BotTokens.parse(JSON.parse(cipher.open(tokensOf(id), sealed)));
  const withLock: InstallationStore['withLock'] = (id, options, work) =>
    locks.withLock(`installation ${id}`, options, work);

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
    withLock,
    ids: () => rows.ids(),
    has: rows.has,
    count: rows.count,
    facts: rows.get,
    get,
    add: ({ tokens, ...rest }) =>
      withLock(rest.id, ADDING, () => {
        const made = { generation: uuid(), sealed: seal(rest.id, tokens), installedAt: now() };
        const { id: workspace, installedBy, orgWide, scopes } = rest;
        return recordAct(
          { workspace, by: [installedBy], act: 'installed', to: { orgWide, scopes } },
          () => rows.put(workspace, { ...rest, ...made }),
          () => 'installed',
        );
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
    reseal: () =>
      resealEach(rows.ids(), async (id) =>
        (await withLock(id, ADDING, () => rows.change(id, resealed))) ? 'resealed' : 'current',
      ),
    mustOpen: async (id) => void (await get(id)),
  };
}
