/** Stores the installations of Countermand and their bot tokens: of a workspace, or of a whole organization. */
import { withoutClaim } from '../../outbox/claim.ts';
import { type HeldClaim, isClaimed } from '../../outbox/record-changes.ts';
import { type Condition, listWorkspaces, NOT_STORED, type RecordStore } from '../../outbox/record-store.ts';
import type { Runtime } from '../../requests/ports/ports.ts';
import { audited } from '../../requests/store/audit-trail.ts';
import { type Cipher, ifUnopened, type Resealing, type SealContext } from '../cipher.ts';
import {
  BotTokens,
  type ClaimedAct,
  type ClaimTimes,
  claimInstallation,
  type InstallationRecord,
  type Installed,
  installationChanges,
  installationRef,
  isBeingRemoved,
  notInstalled,
  retryWhileClaimed,
} from './installation-record.ts';

/** `id`: of the workspace or, if installed org-wide, of the organization. */
export type StoredInstallation = Omit<Installed, 'sealed'> & { id: string; tokens: BotTokens };

export type NewInstallation = Omit<StoredInstallation, 'generation' | 'installedAt' | 'refusedAt'>;

/** The data readable without opening secrets. */
type InstallationFacts = Pick<
  StoredInstallation,
  'id' | 'generation' | 'orgWide' | 'organization' | 'scopes' | 'botUserId' | 'expiresAt' | 'refusedAt'
>;

const WHY_NOT_ADDED = {
  removing: 'data of an earlier one are being removed',
  replaced: 'Slack does not accept its token any more',
};

export class NotAddedError extends Error {
  readonly why: keyof typeof WHY_NOT_ADDED;
  constructor(id: string, why: keyof typeof WHY_NOT_ADDED) {
    super(`The installation of ${id} was not stored: ${WHY_NOT_ADDED[why]}.`);
    this.why = why;
  }
}

/**
 * The longest time for which an installation waits to be added, while data are being removed: a person waits, and little data takes
 * no longer.
 */
const ADDING_MS = 10_000;

type Deps = Pick<Runtime, 'uuid' | 'monotonic' | 'sleep'> & {
  records: RecordStore<InstallationRecord>;
  cipher: Cipher;
};

export type InstallationStore = ReturnType<typeof createInstallationStore>;

/** Creates the store. A function that needs a record throws if that can't be read, unless it says otherwise. */
export function createInstallationStore({ records, cipher, ...runtime }: Deps) {
  const changes = installationChanges(records);
  const tokens = sealedTokens(cipher);
  const { read, change } = changes;
  const ids = () => listWorkspaces(records);

  const findInstalled = async (id: string) => (await records.read(installationRef(id)))?.installed;

  async function get(id: string): Promise<StoredInstallation | undefined> {
    const installed = await findInstalled(id);
    if (!installed) return undefined;
    const { sealed, ...rest } = installed;
    return { ...rest, id, tokens: tokens.open(id, sealed) };
  }

  async function facts(id: string): Promise<InstallationFacts | undefined> {
    const installed = await findInstalled(id);
    return installed && { ...installed, id };
  }

  /** Removes a record that can't be read, where it is replaced or removed anyway. */
  async function dropUnreadable(id: string): Promise<void> {
    const isReadable = await read(id).then(() => true, ifUnopened(false));
    if (!isReadable) await records.remove(installationRef(id));
  }

  const parts = { changes, tokens, dropUnreadable, ...runtime };
  return {
    ids,
    get,
    facts,
    /** Whether something is installed there, readable or not. */
    has: (id: string): Promise<boolean> => facts(id).then(Boolean, ifUnopened(true)),
    /**
     * Returns what is installed there, and the condition that it is still that.
     *
     * @returns undefined while its data are being removed
     */
    async standing(
      id: string,
    ): Promise<{ installed: Installed | undefined; condition: Condition } | undefined> {
      const { record, now } = await read(id);
      if (isBeingRemoved(record, now)) return undefined;
      const version = record.version === NOT_STORED ? undefined : record.version;
      return {
        installed: record.installed,
        condition: { type: 'installations', ...installationRef(id), version },
      };
    },
    /** Changes the organization of a workspace, if that has a readable installation of its own. */
    async setOrganization(id: string, organization: string | undefined): Promise<void> {
      await change(id, (record) => {
        const { installed } = record;
        if (!installed || installed.organization === organization) return record;
        return { ...record, installed: { ...installed, organization } };
      }).catch(ifUnopened(undefined));
    },
    ...installing(parts),
    claim: (id: string, act: ClaimedAct, times: ClaimTimes): Promise<HeldClaim | undefined> =>
      claimInstallation(parts, id, act, times),
    ...renewing(parts),
    /** Removes the claims of processes that ended, where nothing is installed. A record that can't be read is left. */
    async sweep(): Promise<void> {
      for await (const id of ids())
        await change(id, (record, now) =>
          record.installed || isClaimed(record, now) ? record : withoutClaim(record),
        ).catch(ifUnopened(undefined));
    },
    reseal: (id: string) => reseal(parts, id),
    mustOpen: async (id: string) => void (await get(id)),
  };
}

type Parts = Omit<Deps, 'records' | 'cipher'> & {
  changes: ReturnType<typeof installationChanges>;
  tokens: ReturnType<typeof sealedTokens>;
  dropUnreadable: (id: string) => Promise<void>;
};

function installing({ changes: { read, change, write }, tokens, dropUnreadable, uuid, ...runtime }: Parts) {
  /** @returns false if data are being removed */
  async function add(installation: NewInstallation, isAccepted: () => Promise<boolean>): Promise<boolean> {
    const { id, tokens: given, ...rest } = installation;
    const { record, now: at } = await read(id);
    if (isBeingRemoved(record, at)) return false;
    if (!(await isAccepted())) throw new NotAddedError(id, 'replaced');
    const made = { generation: uuid(), sealed: tokens.seal(id, given), installedAt: at };
    const { installedBy, orgWide, scopes } = rest;
    const acted = { workspace: id, id: `installed:${made.generation}`, at, by: [installedBy] };
    const isWritten = await write(
      { ...notInstalled(id), version: record.version, installed: { ...rest, ...made } },
      audited([{ ...acted, act: 'installed', to: { orgWide, scopes } }]),
    );
    return isWritten || add(installation, isAccepted);
  }

  return {
    /**
     * Replaces what was installed there, unless that is a later installation: Slack has ended the tokens of this one then.
     *
     * @param isAccepted asks Slack whether the new token works: between the read of what is stored and the write, which fails if
     * a later installation was stored meanwhile
     * @throws NotAddedError if Slack does not accept the token, or data are being removed for longer than ten seconds
     */
    async add(installation: NewInstallation, isAccepted = async () => true): Promise<void> {
      await dropUnreadable(installation.id);
      const isAdded = await retryWhileClaimed(runtime, ADDING_MS, () => add(installation, isAccepted));
      if (!isAdded) throw new NotAddedError(installation.id, 'removing');
    },
    /**
     * Removes an installation, readable or not. A claim stays.
     *
     * @param claim if given, it is removed only under this claim, which a failover may have undone together with earlier removals
     * @returns whether the claim stood
     */
    async forget(id: string, claim?: Pick<HeldClaim, 'owner'>): Promise<boolean> {
      await dropUnreadable(id);
      let wasStillClaimed = true;
      await change(id, (record) => {
        wasStillClaimed = claim === undefined || record.claim?.owner === claim.owner;
        const { installed: _forgotten, ...rest } = record;
        return wasStillClaimed ? rest : record;
      });
      return wasStillClaimed;
    },
  };
}

function renewing({ changes: { change, now }, tokens: { open, seal } }: Parts) {
  /** Changes an installation, unless other tokens are stored by now. @returns whether the tokens are the same */
  async function changeIfSame(
    { id, generation, tokens: { refresh } }: StoredInstallation,
    decide: (record: InstallationRecord, installed: Installed) => InstallationRecord,
  ): Promise<boolean> {
    let isSame = false;
    await change(id, (record) => {
      const { installed } = record;
      isSame = installed?.generation === generation && open(id, installed.sealed).refresh === refresh;
      return installed && isSame ? decide(record, installed) : record;
    });
    return isSame;
  }

  return {
    /**
     * Replaces the tokens that were exchanged, and ends the claim. @returns false if others are stored by now, so that the
     * new ones are of no use
     */
    replaceTokens: (
      exchanged: StoredInstallation,
      tokens: BotTokens,
      expiresAt: number | undefined,
    ): Promise<boolean> =>
      changeIfSame(exchanged, (record, { refusedAt: _former, ...installed }) => ({
        ...withoutClaim(record),
        installed: { ...installed, expiresAt, sealed: seal(exchanged.id, tokens) },
      })),
    /** Records that Slack refuses the refresh token. */
    async recordRefusal(refused: StoredInstallation): Promise<void> {
      const refusedAt = await now();
      await changeIfSame(refused, (record, installed) => ({
        ...record,
        installed: { ...installed, refusedAt },
      }));
    },
  };
}

async function reseal(
  { changes, tokens: { open, seal, isCurrent } }: Pick<Parts, 'changes' | 'tokens'>,
  id: string,
): Promise<Resealing> {
  let done: Resealing = 'current';
  await changes.change(id, (record) => {
    const { installed } = record;
    // Opened in any case: another key may have the id of the first one.
    const opened = installed && open(id, installed.sealed);
    done = !installed || isCurrent(installed.sealed) ? 'current' : 'resealed';
    if (!opened || done === 'current') return record;
    return { ...record, installed: { ...installed, sealed: seal(id, opened) } };
  });
  return done;
}

/** Seals and opens bot tokens. */
function sealedTokens(cipher: Cipher) {
  const contextOf = (id: string): SealContext => ({ workspace: id, purpose: 'Slack tokens' });
  return {
    seal: (id: string, tokens: BotTokens) => cipher.seal(contextOf(id), JSON.stringify(tokens)),
    open: (id: string, sealed: string) => BotTokens.parse(JSON.parse(cipher.open(contextOf(id), sealed))),
    isCurrent: cipher.isCurrent,
  };
}
