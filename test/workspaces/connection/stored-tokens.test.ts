/** Tokens that are left behind where a connect, a disconnect or an uninstall was cut short. */
import { describe, expect, test } from 'vitest';
import { SILENT } from '../../../src/outbox/ports.ts';
import { NO_WORKSPACE } from '../../../src/outbox/record-store.ts';
import { StorageUnavailableError } from '../../../src/storage/storage.ts';
import { connect } from '../../../src/workspaces/connection/connect.ts';
import { disconnect } from '../../../src/workspaces/connection/disconnect.ts';
import {
  connected,
  connecting,
  createConnectionsHarness,
} from '../../support/requests/connections-harness.ts';

const DAY_MS = 24 * 60 * 60_000;

function setUp() {
  const harness = createConnectionsHarness();
  const { database, holders, connections, values } = harness;
  return {
    ...harness,
    /** Fails the next removal of a token, as where the process ends before it. */
    cutRemoval() {
      const { delete: remove } = values;
      values.delete = async () => {
        values.delete = remove;
        throw new Error('cut short');
      };
    },
    sweep: () => connections.sweep(SILENT, new AbortController().signal),
    stored: () =>
      database
        .prepare("SELECT key FROM keyv WHERE key LIKE 'tokens:%'")
        .all()
        .map(({ key }) => String(key).slice('tokens:'.length)),
    tokenRecords: () => holders.list(NO_WORKSPACE, { limit: 10 }),
    named: async (workspace = 'T1') => (await connections.find(workspace))?.token?.generation,
  };
}

/** Fails the writes of connections, as where the process ends before them. */
function cutShort(harness: ReturnType<typeof setUp>) {
  const { records } = harness;
  const { create } = records;
  records.create = () => Promise.reject(new Error('cut short'));
  return () => {
    records.create = create;
  };
}

describe('the sweep of tokens', () => {
  test('removes the token of a connect that was cut short, with its holder, and a day later the rest', async () => {
    const harness = setUp();
    const { deps, sweep, stored, tokenRecords, clock } = harness;
    const goOn = cutShort(harness);
    await expect(connect(deps, connecting)).rejects.toThrow('cut short');
    goOn();
    const [left = ''] = stored();
    expect((await tokenRecords())[0]?.holders).toEqual([{ workspace: 'T1', generation: left }]);
    await sweep();
    expect(stored()).toEqual([]);
    expect((await tokenRecords())[0]).toMatchObject({ holders: [], dropped: [{ generation: left }] });
    clock.now += DAY_MS;
    await sweep();
    expect(await tokenRecords()).toEqual([]);
  });

  test('spares a token that a connect names after the sweep has looked', async () => {
    const { deps, records, holders, sweep, stored, named, tokenRecords } = setUp();
    const { create } = records;
    const { update } = holders;
    const looked = Promise.withResolvers<void>();
    records.create = async (...given) => {
      await looked.promise;
      return create(...given);
    };
    const connecting = connected(deps);
    await expect.poll(stored).toHaveLength(1);
    holders.update = async (...given) => {
      looked.resolve();
      await connecting;
      return update(...given);
    };
    await sweep();
    const [token = ''] = stored();
    expect(await named()).toBe(token);
    expect((await tokenRecords())[0]?.holders).toEqual([{ workspace: 'T1', generation: token }]);
  });

  test('removes a token again that a late write has brought back', async () => {
    const { deps, connections, values, sweep, stored, named, clock } = setUp();
    await connected(deps);
    const generation = (await named()) ?? '';
    await connections.forget('T1');
    await values.set(generation, 'late');
    await sweep();
    expect(stored()).toEqual([]);
    await values.set(generation, 'later');
    clock.now += DAY_MS;
    await sweep();
    expect(stored()).toEqual([]);
  });

  test('leaves no token behind where a disconnect was cut short before it removed the token', async () => {
    const { deps, connections, cutRemoval, sweep, stored } = setUp();
    await connected(deps);
    cutRemoval();
    await expect(disconnect(deps, 'T1', 'U1')).rejects.toThrow('cut short');
    expect(await disconnect(deps, 'T1', 'U1')).toEqual({ type: 'not_connected' });
    expect(await connections.find('T1')).not.toHaveProperty('token');
    await sweep();
    expect(stored()).toEqual([]);
  });

  test('removes a token at the next run if this one was cut short', async () => {
    const harness = setUp();
    const { deps, cutRemoval, sweep, stored } = harness;
    const goOn = cutShort(harness);
    await expect(connect(deps, connecting)).rejects.toThrow('cut short');
    goOn();
    cutRemoval();
    await sweep();
    expect(stored()).toHaveLength(1);
    await sweep();
    expect(stored()).toEqual([]);
  });

  test('leaves tokens alone that connections name, also where one cannot be read', async () => {
    const { deps, database, sweep, stored, clock } = setUp();
    await connected(deps);
    await connected(deps, { workspace: 'T2' });
    const before = stored();
    database.exec("UPDATE connections SET record = '{}' WHERE workspace = 'T2'");
    clock.now += DAY_MS;
    await sweep();
    expect(stored()).toEqual(before);
    expect(before).toHaveLength(2);
  });

  test('makes a connect begin anew whose holder it takes for one that was left', async () => {
    const { deps, tokenRecords, connections, sweep, stored, named, holders } = setUp();
    let swept = 0;
    const { get } = holders;
    holders.get = async (ref) => {
      const found = await get(ref);
      // Between the token and the connection that names it.
      if (stored().length > 0 && swept++ === 0) await sweep();
      return found;
    };
    await connected(deps);
    holders.get = get;
    expect(stored()).toEqual([await named()]);
    expect((await tokenRecords())[0]?.dropped).toHaveLength(1);
    const connection = await connections.find('T1');
    expect(connection && (await connections.token(connection))).toBe(connecting.token);
  });
});

describe('a holder that a connect has left, as its process ended before it dropped the former token', () => {
  async function leaveHolder() {
    const harness = setUp();
    const { deps, records, holders } = harness;
    await connected(deps, { exclusive: true });
    const { update } = records;
    const { update: drop } = holders;
    records.update = async (...given) => {
      const written = await update(...given);
      holders.update = () => Promise.reject(new Error('cut short'));
      return written;
    };
    await connected(deps, { exclusive: true });
    records.update = update;
    holders.update = drop;
    expect((await harness.tokenRecords())[0]?.holders).toHaveLength(2);
    return harness;
  }

  test('does not keep the token from being revoked when the workspace disconnects', async () => {
    const { deps, stored } = await leaveHolder();
    expect(await disconnect(deps, 'T1', 'U1')).toMatchObject({ revocation: 'revoked' });
    expect(stored()).toEqual([]);
  });

  test('does not keep it from being revoked when it is replaced', async () => {
    const { deps } = await leaveHolder();
    const replaced = await connected(deps, { token: 'token-4712', revokeFormer: true });
    expect(replaced).toMatchObject({ former: { type: 'revoked' } });
  });
});

describe('a workspace that is forgotten', () => {
  test('leaves no token behind, however often connecting it was cut short', async () => {
    const harness = setUp();
    const { deps, connections, stored, tokenRecords } = harness;
    await connected(deps, { workspace: 'T2' });
    const kept = stored();
    const goOn = cutShort(harness);
    for (let n = 0; n < 3; n++) await expect(connect(deps, connecting)).rejects.toThrow('cut short');
    goOn();
    await connected(deps);
    expect(stored()).toHaveLength(5);
    await connections.forget('T1');
    expect(stored()).toEqual(kept);
    expect((await tokenRecords()).flatMap(({ holders }) => holders)).toEqual([
      { workspace: 'T2', generation: kept[0] },
    ]);
  });

  test('leaves no token behind if that is repeated after it was cut short before the token was removed', async () => {
    const { deps, connections, cutRemoval, stored } = setUp();
    await connected(deps);
    cutRemoval();
    await expect(connections.forget('T1')).rejects.toThrow('cut short');
    await connections.forget('T1');
    expect(stored()).toEqual([]);
  });
});

describe('where the record of the holders of a token cannot be read', () => {
  async function damaged() {
    const harness = setUp();
    await connected(harness.deps);
    await connected(harness.deps, { workspace: 'T2', token: 'token-4712' });
    const read = harness.database.prepare('UPDATE tokens SET record = ? WHERE id = ?');
    const damage = async (text: string) => {
      const fingerprint = (await harness.connections.find('T1'))?.token?.fingerprint;
      read.run(text, fingerprint ?? '');
    };
    return { ...harness, damage };
  }

  test.each(['{}', '{'])(
    'an uninstall removes the connection and its token all the same: %s',
    async (text) => {
      const { damage, connections, stored, named } = await damaged();
      await damage(text);
      await connections.forget('T1');
      expect(await connections.find('T1')).toBeUndefined();
      expect(stored()).toEqual([await named('T2')]);
      // Repeatable.
      await connections.forget('T1');
    },
  );

  test('the sweep says so, and fails nothing else', async () => {
    const { damage, connections } = await damaged();
    await damage('{}');
    const said: string[] = [];
    const log = { ...SILENT, error: (_: object, text: string) => void said.push(text) };
    await connections.sweep(log, new AbortController().signal);
    expect(said).toEqual(['unused tokens not found: a record of the holders of tokens cannot be read']);
  });

  test('an uninstall fails where the storage is away', async () => {
    const { connections, holders } = await damaged();
    holders.listBySubject = () => Promise.reject(new StorageUnavailableError());
    await expect(connections.forget('T1')).rejects.toThrow(StorageUnavailableError);
  });
});

test('a connection names no token that a process without the new key begins to revoke in that moment', async () => {
  const { withNewKey, connections, records, deps } = setUp();
  await connected(deps);
  const { create } = records;
  records.create = async (...given) => {
    records.create = create;
    expect(await connections.claim(connecting.token, () => true)).toHaveProperty('release');
    return create(...given);
  };
  const connectingByNewKey = connect(
    { ...deps, connections: withNewKey() },
    { ...connecting, workspace: 'T2' },
  );
  expect(await connectingByNewKey).toEqual({ type: 'revoking' });
});

test('a claim that is written for one of two keys alone is given back: nobody revokes the token', async () => {
  const { withNewKey, holders, deps, tokenRecords } = setUp();
  await connected(deps);
  const { update } = holders;
  holders.update = async () => {
    holders.update = update;
    throw new StorageUnavailableError();
  };
  const { claim } = withNewKey();
  await expect(claim(connecting.token, () => true)).rejects.toThrow(StorageUnavailableError);
  expect((await tokenRecords()).map(({ claim: left }) => left)).toEqual([undefined]);
  expect(await claim(connecting.token, () => true)).toHaveProperty('release');
});

describe('a token that was replaced or given up, where another server takes over without that', () => {
  test.each<[string, (harness: ReturnType<typeof setUp>) => Promise<unknown>]>([
    ['by a new connect', ({ deps }) => connect(deps, { ...connecting, token: 'token-4712' })],
    [
      'by a disconnect',
      async ({ connections }) => {
        const current = await connections.find('T1');
        if (current) await connections.dropToken(current, 'U1');
      },
    ],
    ['by an uninstall', ({ connections }) => connections.forget('T1')],
    ['by a rotation of keys', ({ withNewKey }) => withNewKey().reseal('T1')],
  ])('stays, %s', async (_how, act) => {
    const harness = setUp();
    const { deps, connections, stored, tokenRecords, failOver } = harness;
    await connected(deps);
    const former = await connections.find('T1');
    failOver();
    await expect(act(harness)).rejects.toThrow(StorageUnavailableError);
    expect(stored()).toContain(former?.token?.generation);
    const held = (await tokenRecords()).flatMap(({ holders }) => holders);
    expect(held).toContainEqual({ workspace: 'T1', generation: former?.token?.generation });
  });

  test('is not swept', async () => {
    const harness = setUp();
    const { deps, sweep, stored, connections, failOver } = harness;
    await connected(deps);
    const before = stored();
    failOver();
    await connections.forget('T1').catch(() => {});
    await sweep();
    expect(stored()).toEqual(before);
  });
});
