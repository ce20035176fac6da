/** Where Countermand is installed, and the bot token of each installation: in a workspace, or in a whole organization. */
import type Keyv from 'keyv';
import { z } from 'zod';
import type { Locks, Patience } from '../requests/locks.ts';
import type { Runtime } from '../requests/runtime.ts';
import type { Cipher } from './cipher.ts';
import { keysOf } from './entries-of.ts';
import { type Resealed, resealEach } from './rotate-keys.ts';

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

export type InstallationStore = {
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
  /** The ids of all of them. */
  list(): Promise<string[]>;
  /** Only within `alone`. */
  forget(id: string): Promise<void>;
  /** Seals anew, by the first key, what was sealed by another one. */
  reseal(): Promise<Resealed>;
};

/** Replacing takes milliseconds; removing all that a workspace has left behind may take minutes. */
const ADDING: Patience = { heldMs: 30_000, waitMs: 10_000 };

/** @param store keyv throws where the storage is away; what it holds is parsed again on the way in */
export function createInstallationStore(
  store: Keyv,
  { cipher, locks, now, uuid }: { cipher: Cipher; locks: Locks } & Pick<Runtime, 'now' | 'uuid'>,
): InstallationStore {
  const read = async (id: string) => Row.optional().parse(await store.get(id));
  const write = async (row: Row) => void (await store.set(row.id, row));
  const list = () => keysOf(store);
  const seal = (id: string, tokens: BotTokens) => cipher.seal(id, JSON.stringify(tokens));
  const alone: InstallationStore['alone'] = (id, patience, act) =>
    locks.hold(`installation ${id}`, patience, act);

  async function reseal(id: string): Promise<'resealed' | 'current'> {
    const row = await read(id);
    if (!row || cipher.isCurrent(row.sealed)) return 'current';
    await write({ ...row, sealed: cipher.seal(id, cipher.open(id, row.sealed)) });
    return 'resealed';
  }

  return {
    alone,
    list,
    facts: read,
    add: ({ tokens, ...rest }) =>
      alone(rest.id, ADDING, () =>
        write({ ...rest, generation: uuid(), sealed: seal(rest.id, tokens), installedAt: now() }),
      ),
    async get(id) {
      const row = await read(id);
      if (!row) return undefined;
      const { sealed, ...rest } = row;
      return { ...rest, tokens: BotTokens.parse(JSON.parse(cipher.open(id, sealed))) };
    },
    async replaceTokens({ id, generation }, tokens, expiresAt) {
      const row = await read(id);
      if (row?.generation !== generation) return;
      const { expiresAt: _former, ...rest } = row;
      const until = expiresAt === undefined ? {} : { expiresAt };
      await write({ ...rest, ...until, sealed: seal(id, tokens) });
    },
    forget: async (id) => void (await store.delete(id)),
    reseal: async () => resealEach(await list(), (id) => alone(id, ADDING, () => reseal(id))),
  };
}
