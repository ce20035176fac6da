/**
 * Isolation: code that works for one workspace cannot read or change another, even with its ids. Each storage
 * runs this same suite. A new method of a store has no row here, and does not compile.
 */
import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Bucket, type RateLimiter, SILENT } from '../../../src/outbox/ports.ts';
import { FROM_THE_OLDEST } from '../../../src/outbox/record-store.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import { RUNTIME } from '../../../src/runtime.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import type { StorageAddress } from '../../../src/storage/storage-address.ts';
import { createCipher, SealError } from '../../../src/workspaces/cipher.ts';
import {
  type Connection,
  endpointAddress,
  type Generation,
} from '../../../src/workspaces/connection/connection.ts';
import {
  type ConnectionHealth,
  type Connections,
  createConnectionHealth,
  createConnections,
} from '../../../src/workspaces/connection/connections.ts';
import {
  createTokenPauses,
  type PausedConnection,
  type TokenPauses,
} from '../../../src/workspaces/connection/token-pauses.ts';
import { createTokens } from '../../../src/workspaces/connection/tokens.ts';
import {
  createInstallationStore,
  type InstallationStore,
} from '../../../src/workspaces/installation/installations.ts';
import {
  createOrganizations,
  type Organizations,
} from '../../../src/workspaces/installation/organizations.ts';
import { createSettingsStore, type SettingsStore } from '../../../src/workspaces/settings.ts';
import { createSubBrands } from '../../../src/workspaces/sub-brands.ts';
import { queued } from '../../support/requests/records.ts';
import { readRaw } from '../../support/storage/raw-storage.ts';
import { CREATED, versionOf } from '../../support/storage/versions.ts';

const MINE = 'T0MINE';
const THEIRS = 'T0THEIRS';
const HOUR = 3_600_000;
type Opened = { storage: Storage; address: StorageAddress };
type Stores = ReturnType<typeof storesOf>;

/** The attempts, and their results. */
type Try<Store, Held> = {
  act: (store: Store, theirs: Held) => unknown;
  gives: unknown;
};
/** For each method. */
type Tries<Store, Held> = { [Method in keyof Store]: Try<Store, Held> };

const entry = (record: RequestRecord) => requestEntry(record, TIMINGS);
const mine = (record: RequestRecord): RequestRecord => ({ ...record, workspace: MINE });

const RECORDS: Tries<RequestStore, RequestRecord> = {
  now: { act: (store) => store.now(), gives: expect.any(Number) },
  create: {
    act: async (store, theirs) => [
      await store.create(entry({ ...mine(theirs), id: 'first' })),
      await store.create(entry({ ...mine(theirs), id: 'second' })),
      await store.create(entry({ ...mine(theirs), target: 'A-2002' })),
    ],
    gives: [CREATED, { type: 'slot_taken', by: expect.objectContaining({ workspace: MINE }) }, CREATED],
  },
  get: { act: (store, { id }) => store.get({ workspace: MINE, id }), gives: undefined },
  read: { act: (store, { id }) => store.read({ workspace: MINE, id }), gives: undefined },
  update: {
    act: (store, theirs) => store.update(entry(mine(theirs)), theirs.version),
    gives: { type: 'conflict' },
  },
  remove: {
    act: async (store, theirs) => {
      const tried = [await store.remove(mine(theirs), theirs.version), await store.remove(mine(theirs))];
      await store.create(entry(mine(theirs)));
      return [...tried, await store.remove(mine(theirs), await versionOf(store, mine(theirs)))];
    },
    gives: ['conflict', 'removed', 'removed'],
  },
  removeSome: { act: (store) => store.removeSome(MINE, 10), gives: 0 },
  count: { act: (store) => store.count(MINE), gives: 0 },
  // Ids only, for scheduled tasks and operators.
  workspaces: { act: (store) => store.workspaces({ after: undefined, limit: 10 }), gives: [THEIRS] },
  // The runner's: what it gets names its workspace, and is worked on for that one.
  due: {
    act: (store) => store.due(10),
    gives: [{ workspace: THEIRS, id: queued().id }],
  },
  postpone: { act: (store, { id }) => store.postpone({ workspace: MINE, id }, HOUR), gives: undefined },
  listBySubject: {
    act: async (store, { target }) => (await store.listBySubject(MINE, `order:${target}`, 10)).records,
    gives: [],
  },
  list: {
    act: async (store, { id, createdAt }) => [
      ...(await store.list(MINE, { limit: 10 })),
      ...(await store.list(MINE, { limit: 10, before: { at: createdAt + 1, id } })),
      ...(await store.list(MINE, { limit: 10, after: FROM_THE_OLDEST })),
    ],
    gives: [],
  },
  subjects: { act: (store) => store.subjects(MINE, 10), gives: [] },
};

const CONNECTIONS: Tries<Connections, Connection> = {
  // Ids only, for scheduled tasks and operators.
  mustOpen: { act: (store) => store.mustOpen(MINE), gives: undefined },
  ids: { act: (store) => Array.fromAsync(store.ids()), gives: [MINE, THEIRS] },
  find: {
    act: async (store, { endpoint, generation }) => [
      await store.find(endpoint),
      await store.find(generation),
    ],
    gives: [undefined, undefined],
  },
  findByEndpoint: {
    act: async (store, { endpoint }) => [
      await store.findByEndpoint(THEIRS),
      await store.findByEndpoint(endpoint),
      await store.findByEndpoint(endpointAddress({ workspace: MINE, endpoint })),
    ],
    gives: [undefined, undefined, undefined],
  },
  save: {
    act: (store, theirs) =>
      store.save({ ...NEW, workspace: MINE, secret: undefined, token: 'another' }, theirs),
    gives: 'conflict',
  },
  // Nor is one's own taken for theirs.
  dropToken: {
    act: async (store, theirs) => {
      await store.dropToken({ ...theirs, workspace: MINE }, 'U1');
      return (await store.find(MINE))?.token;
    },
    gives: expect.anything(),
  },
  change: {
    act: (store, theirs) =>
      store.change({ ...theirs, workspace: MINE }, (row) => ({ ...row, connectedBy: 'U1' })),
    gives: undefined,
  },
  // The scheduled task's: what it gets names its workspace, and is worked on for that one.
  due: { act: (store) => store.due(10), gives: [] },
  postpone: { act: (store) => store.postpone({ workspace: MINE, id: 'connection' }, HOUR), gives: undefined },
  // Everybody's token is named.
  sweep: { act: (store) => store.sweep(SILENT, new AbortController().signal), gives: undefined },
  dropLeft: {
    act: (store) => store.dropLeft({ workspace: MINE, token: `token of ${THEIRS}` }),
    gives: undefined,
  },
  claim: {
    act: (store) => store.claim(`token of ${THEIRS}`, ({ workspace }) => workspace === MINE),
    gives: 'shared',
  },
  remove: {
    act: async (store, theirs) => {
      await store.remove({ ...theirs, workspace: MINE });
      return store.find(MINE);
    },
    gives: expect.anything(),
  },
  forget: { act: (store) => store.forget(MINE), gives: undefined },
  reseal: {
    act: (store) => store.reseal(MINE),
    gives: 'current',
  },
  sharing: {
    act: async (store) => {
      const own = await store.find(MINE);
      return own && Array.fromAsync(store.sharing(own));
    },
    gives: [],
  },
  isShared: {
    act: async (store) => {
      const own = await store.find(MINE);
      return own && store.isShared(own);
    },
    gives: false,
  },
  token: {
    act: (store, theirs) => rejectedBy(store.token({ ...theirs, workspace: MINE })),
    gives: SealError,
  },
  withToken: {
    act: (store) => store.withToken(MINE),
    gives: { connection: expect.objectContaining({ workspace: MINE }), token: `token of ${MINE}` },
  },
  secrets: {
    act: (store, theirs) => thrownBy(() => store.secrets({ ...theirs, workspace: MINE })),
    gives: SealError,
  },
  noteSecretSeen: {
    act: (store, { generation }) => store.noteSecretSeen({ workspace: MINE, generation }),
    gives: undefined,
  },
  isSecretLost: {
    act: async (store, theirs) => store.isSecretLost({ ...theirs, workspace: MINE }),
    gives: true,
  },
};

const SETTINGS: Tries<SettingsStore, undefined> = {
  read: { act: (store) => store.read(MINE), gives: {} },
  inForce: { act: (store) => store.inForce(MINE), gives: { settings: {}, version: undefined } },
  change: { act: (store) => store.change(MINE, { requesters: 'S0MINE' }), gives: true },
  save: {
    act: (store) => store.save(MINE, { requesters: 'S0MINE' }, undefined, 'U1'),
    gives: {
      type: 'saved',
      version: expect.any(Number),
      changed: { requesters: { from: null, to: 'S0MINE' } },
      notices: [],
    },
  },
  savePolicy: {
    act: (store) => store.savePolicy(MINE, { kind: 'cancel_order', policy: undefined }, 1, 'U1'),
    gives: { type: 'unchanged' },
  },
  pause: {
    act: (store) => store.pause(MINE, { by: 'U0MINE' }),
    gives: expect.objectContaining({ isNew: true, former: undefined, version: expect.any(Number) }),
  },
  resume: {
    act: (store) => store.resume(MINE, { by: 'U0MINE' }),
    gives: {
      isNew: false,
      former: undefined,
      settings: {},
      version: undefined,
      at: expect.any(Number),
      notices: [],
    },
  },
  renameChannel: { act: (store) => store.renameChannel(MINE, 'C0THEIRS', 'C0MINE'), gives: undefined },
  forget: { act: (store) => store.forget(MINE), gives: undefined },
};

const named = (workspace: string): Generation => ({ workspace, generation: `generation of ${workspace}` });

/** Never gives the health of one connection for another, even if workspace and generation are mixed. */
const CONNECTION_HEALTH: Tries<ConnectionHealth, undefined> = {
  last: {
    act: (store) => store.last('call', { ...named(THEIRS), workspace: MINE }),
    gives: undefined,
  },
  record: { act: (store) => store.record('event', named(MINE)), gives: undefined },
  forget: { act: (store) => store.forget(MINE), gives: undefined },
};

const TOKEN_PAUSES: Tries<TokenPauses, PausedConnection> = {
  refuse: { act: async (store) => (await store.refuse(named(MINE)))?.workspace, gives: MINE },
  markTold: { act: (store, theirs) => store.markTold({ ...theirs, workspace: MINE }), gives: undefined },
  beginCheck: { act: (store) => store.beginCheck(MINE, true), gives: undefined },
  open: { act: (store, theirs) => store.open({ ...theirs, workspace: MINE }), gives: undefined },
  takeCall: { act: (store, theirs) => store.takeCall({ ...theirs, workspace: MINE }), gives: undefined },
  end: { act: (store, theirs) => store.end({ ...theirs, workspace: MINE }), gives: undefined },
};

type Installed = NonNullable<Awaited<ReturnType<InstallationStore['get']>>>;

const INSTALLATIONS: Tries<InstallationStore, Installed> = {
  has: { act: (store, { generation }) => store.has(generation), gives: false },
  mustOpen: { act: (store) => store.mustOpen(MINE), gives: undefined },
  // Nobody waits for what another one is doing.
  claim: {
    async act(store) {
      await store.claim(MINE, 'removing', { ms: HOUR });
      return (await store.standing(THEIRS))?.installed?.botUserId;
    },
    gives: 'U1',
  },
  standing: {
    act: async (store) => (await store.standing(MINE))?.condition.id,
    gives: 'installation',
  },
  recordRefusal: {
    async act(store, theirs) {
      await store.recordRefusal({ ...theirs, id: MINE });
      return (await store.get(MINE))?.refusedAt;
    },
    gives: undefined,
  },
  setOrganization: { act: (store) => store.setOrganization(MINE, 'E0OTHER'), gives: undefined },
  sweep: { act: (store) => store.sweep(), gives: undefined },
  add: { act: (store, theirs) => store.add({ ...theirs, id: MINE }), gives: undefined },
  get: { act: (store, { generation }) => store.get(generation), gives: undefined },
  facts: { act: (store, { generation }) => store.facts(generation), gives: undefined },
  replaceTokens: {
    act: async (store, theirs) => {
      await store.replaceTokens({ ...theirs, id: MINE }, { bot: 'another' }, undefined);
      return (await store.get(MINE))?.tokens;
    },
    gives: { bot: `bot of ${MINE}` },
  },
  ids: { act: (store) => Array.fromAsync(store.ids()), gives: [MINE, THEIRS] },
  forget: { act: (store) => store.forget(MINE), gives: true },
  reseal: {
    act: (store) => store.reseal(MINE),
    gives: 'current',
  },
};

const ORGANIZATIONS: Tries<Organizations, undefined> = {
  of: { act: (store) => store.of(MINE), gives: 'E0MINE' },
  learn: { act: (store) => store.learn(MINE, 'E0OTHER'), gives: true },
  workspaces: { act: (store) => Array.fromAsync(store.workspaces('E0MINE')), gives: [MINE] },
  leave: {
    act: async (store) => {
      await store.leave(THEIRS, 'E0MINE');
      return store.of(THEIRS);
    },
    gives: 'E0THEIRS',
  },
  forget: {
    act: async (store) => {
      await store.forget('E0MINE');
      return Array.fromAsync(store.workspaces('E0THEIRS'));
    },
    gives: [THEIRS],
  },
};

const bucket = (workspace: string): Bucket => ({ workspace, name: 'post C1', everyMs: HOUR, burst: 1 });

/** Theirs is used up, and they wait for the next. */
const LIMITER: Tries<RateLimiter, undefined> = {
  take: { act: (limiter) => limiter.take(bucket(MINE), 'request'), gives: { ms: 0 } },
  pause: {
    act: async (limiter) => {
      await limiter.pause(bucket(MINE), 9 * HOUR, 'why');
      return isNext(await limiter.take(bucket(THEIRS), 'request'));
    },
    gives: true,
  },
  resume: {
    act: async (limiter) => {
      await limiter.resume(bucket(MINE));
      return isNext(await limiter.take(bucket(THEIRS), 'request'));
    },
    gives: true,
  },
  pauses: {
    act: async (limiter) => {
      await limiter.pause({ workspace: THEIRS, name: 'their limit' }, HOUR, 'why');
      return limiter.pauses(MINE);
    },
    gives: [],
  },
  forget: {
    act: async (limiter) => {
      await limiter.forget(MINE);
      return isNext(await limiter.take(bucket(THEIRS), 'request'));
    },
    gives: true,
  },
};

const isNext = ({ ms }: { ms: number }) => ms > HOUR / 2 && ms <= HOUR;

const NEW = {
  tokenKind: 'rest',
  exclusive: true,
  connectedBy: 'U1',
  connectedAt: 1,
  generation: 'generation',
  endpoint: 'endpoint',
} as const;

function storesOf({ keyv, ...records }: Storage) {
  const cipher = createCipher([{ id: 'k', key: createSecretKey(randomBytes(32)) }]);
  const shared = { cipher, ...RUNTIME };
  const connections = createConnections({
    ...shared,
    records: records.connections,
    holders: records.tokens,
    tokens: keyv('tokens'),
    replicated: records.replicated,
  });
  return {
    connections,
    settings: createSettingsStore(records.settings),
    installations: createInstallationStore({ ...shared, records: records.installations }),
    organizations: createOrganizations(records.organizations),
    connectionHealth: createConnectionHealth(
      { call: keyv('last_calls'), event: keyv('last_events') },
      shared,
    ),
    tokenPauses: createTokenPauses(connections),
  };
}

/** Stores data of the same kinds for both workspaces. */
async function fill({ storage, stores }: { storage: Storage; stores: Stores }) {
  const { connections, settings, installations, organizations, connectionHealth, tokenPauses } = stores;
  for (const workspace of [MINE, THEIRS]) {
    const named = { endpoint: `endpoint of ${workspace}`, generation: `generation of ${workspace}` };
    const secrets = { token: `token of ${workspace}`, secret: `secret of ${workspace}` };
    await connections.save({ ...NEW, ...named, ...secrets, workspace }, undefined);
    const tokens = { bot: `bot of ${workspace}` };
    const bot = { scopes: [], botUserId: 'U1', installedBy: 'U2' };
    await installations.add({ id: workspace, orgWide: false, tokens, ...bot });
    await organizations.learn(workspace, workspace.replace('T', 'E'));
    await connectionHealth.record('call', { ...named, workspace });
  }
  await tokenPauses.refuse({ workspace: THEIRS, generation: named(THEIRS).generation });
  await settings.change(THEIRS, { requesters: 'S0THEIRS' });
  const theirs = queued({ workspace: THEIRS }, await storage.requests.now());
  const { subjects, ...rest } = entry(theirs);
  await storage.requests.create({ ...rest, subjects: [...subjects, 'listed:theirs'] });
  await storage.limiter.take(bucket(THEIRS), 'request');
  await storage.limiter.take(bucket(THEIRS), 'request');
}

/** The owner's own results, for each list. */
async function found(store: RequestStore): Promise<RequestRecord[][]> {
  return [
    await store.list(THEIRS, { limit: 10 }),
    (await store.listBySubject(THEIRS, `order:${queued().target}`, 10)).records,
  ];
}

/** The class of what is thrown. */
function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error instanceof Error ? error.constructor : error;
  }
}

const rejectedBy = (acting: Promise<unknown>): Promise<unknown> =>
  acting.catch((error) => (error instanceof Error ? error.constructor : error));

/** @param open a new, empty storage */
export function isolationContract(name: string, open: () => Promise<Opened>): void {
  async function openFilled() {
    const { storage, address } = await open();
    const stores = storesOf(storage);
    await fill({ storage, stores });
    /** Rate limits end by themselves, and are looked at by asking for them. */
    const raw = async () =>
      (await readRaw(address)).filter((line) => line.includes(THEIRS) && !/^\S+:limits:/.test(line));
    const stored = async () => [...(await raw()), ...(await found(storage.requests))];
    return { ...stores, storage, stored };
  }
  type Filled = Awaited<ReturnType<typeof openFilled>>;

  function each<Store, Held>(
    what: string,
    tries: Tries<Store, Held>,
    find: (filled: Filled) => Promise<[Store, Held]>,
  ): void {
    const rows = Object.entries(tries) as [string, Try<Store, Held>][];
    test.each(rows)(`${what}: %s`, async (_method, { act, gives }) => {
      const filled = await openFilled();
      const [store, theirs] = await find(filled);
      const before = await filled.stored();
      expect(before.length).toBeGreaterThan(0);
      expect(await act(store, theirs)).toEqual(gives);
      expect(await filled.stored()).toEqual(before);
    });
  }

  const must = <T>(found: T | undefined): T => {
    if (found === undefined) throw new Error('There is nothing of theirs.');
    return found;
  };

  describe(`nobody gets or changes what is another workspace's, on ${name}`, () => {
    each('records', RECORDS, async ({ storage: { requests } }) => {
      const [record] = await requests.list(THEIRS, { limit: 1 });
      return [requests, must(record)];
    });
    each('connections', CONNECTIONS, async ({ connections }) => [
      connections,
      must(await connections.find(THEIRS)),
    ]);
    each('settings', SETTINGS, async ({ settings }) => [settings, undefined]);
    each('connectionHealth', CONNECTION_HEALTH, async ({ connectionHealth }) => [
      connectionHealth,
      undefined,
    ]);
    each('tokenPauses', TOKEN_PAUSES, async ({ tokenPauses }) => [
      tokenPauses,
      must(await tokenPauses.refuse(named(THEIRS))),
    ]);
    each('installations', INSTALLATIONS, async ({ installations }) => [
      installations,
      must(await installations.get(THEIRS)),
    ]);
    each('organizations', ORGANIZATIONS, async ({ organizations }) => [organizations, undefined]);
    each('limiter', LIMITER, async ({ storage: { limiter } }) => [limiter, undefined]);

    test('sub-brands: each is listed those of its own organization, whatever is remembered of another', async () => {
      const { connections, connectionHealth, tokenPauses } = await openFilled();
      await tokenPauses.end(named(THEIRS));
      const tokens = createTokens({
        connections,
        connectionHealth,
        tokenPauses,
        notifyAdmins: async () => {},
        log: SILENT,
        runtime: { sleep: async () => {} },
      });
      const list = async (token: string) => ({
        type: 'found' as const,
        brands: [{ id: token, name: token }],
      });
      const subBrands = createSubBrands({ tokens, list, monotonic: () => 0 });
      for (const workspace of [THEIRS, MINE, THEIRS]) {
        const id = `token of ${workspace}`;
        expect(await subBrands(workspace)).toEqual({ type: 'found', brands: [{ id, name: id }] });
      }
    });
  });
}
