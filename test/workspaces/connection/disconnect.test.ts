import { describe, expect, test } from 'vitest';
import type { Replicated } from '../../../src/outbox/ports.ts';
import type { Revocation } from '../../../src/requests/ports/ports.ts';
import { StorageUnavailableError } from '../../../src/storage/storage.ts';
import { connect } from '../../../src/workspaces/connection/connect.ts';
import {
  type DisconnectDeps,
  disconnect,
  planDisconnect,
  revokeOwn,
} from '../../../src/workspaces/connection/disconnect.ts';
import { PAUSE_TIMES } from '../../../src/workspaces/connection/token-pauses.ts';
import { CLAIM_MS } from '../../../src/workspaces/connection/token-record.ts';
import {
  connected,
  connecting,
  createConnectionsHarness,
  naming,
} from '../../support/requests/connections-harness.ts';

/** A workspace that is connected, and an admin who disconnects it. */
async function setUp(more: Partial<DisconnectDeps> = {}) {
  const harness = createConnectionsHarness();
  const first = await connected(harness.deps, { exclusive: true });
  const { connections } = harness;
  const deps = { ...harness.deps, ...more };
  const token = async () => {
    const connection = await connections.find('T1');
    return connection && (await connections.token(connection));
  };
  return {
    ...harness,
    first,
    token,
    /** Another admin connects the workspace. */
    connectAnew: () => connected(harness.deps, { token: 'token-4712', by: 'U2' }),
    disconnect: (changed: Partial<DisconnectDeps> = {}) => disconnect({ ...deps, ...changed }, 'T1', 'U1'),
  };
}

/** Nobody has installed the app again. */
const STILL = async () => true;

/** Rotates the keys, or connects the workspace again, after its connection was read and before its token is. */
const MEANWHILE = {
  'its token was sealed by another key': async ({ withNewKey }: Awaited<ReturnType<typeof setUp>>) => {
    expect(await withNewKey().reseal('T1')).toBe('resealed');
  },
  'another admin has connected it': async ({ deps }: Awaited<ReturnType<typeof setUp>>) => {
    await connected(deps, { token: 'token-4711', by: 'U2', exclusive: true });
  },
};

const NOT_REVOKED: readonly Revocation[] = [
  { type: 'unreachable', error: new Error('refused') },
  { type: 'not_sent', error: new Error('claim expired') },
  { type: 'unknown', code: 'TIMEOUT', error: new Error('too late') },
];

const endpointOf = (eventsUrl: string) => eventsUrl.split('/').at(-1) ?? '';

describe('disconnecting a workspace', () => {
  test('takes its token away, and its endpoint where the service owes nothing', async () => {
    const { disconnect, connections, values, rows } = await setUp();
    const generation = (await connections.find('T1'))?.token?.generation ?? '';
    expect(await values.get(generation)).toBeDefined();
    expect(await disconnect()).toEqual({ type: 'disconnected', revocation: 'revoked', pending: false });
    expect(await values.get(generation)).toBeUndefined();
    expect(rows()).not.toMatch(naming('T1'));
  });

  test('is told to be done already only by what no failover undoes', async () => {
    const { disconnect } = await setUp();
    await disconnect();
    const replicated: Replicated = async (work) => {
      await work();
      throw new Error('not confirmed');
    };
    await expect(disconnect({ replicated })).rejects.toThrow('not confirmed');
    expect(await disconnect()).toEqual({ type: 'not_connected' });
  });

  test('takes away what was seen of it, unless somebody has connected the workspace meanwhile', async () => {
    const { disconnect, connectAnew, connectionHealth, connections } = await setUp();
    const see = async () => {
      const { generation = '' } = (await connections.find('T1')) ?? {};
      await connectionHealth.record('call', { workspace: 'T1', generation });
      return () => connectionHealth.last('call', { workspace: 'T1', generation });
    };
    let last = await see();
    const owesOutcome = async () => {
      await connectAnew();
      last = await see();
      return false;
    };
    await disconnect({ owesOutcome });
    expect(await last()).toBe(7);
    await disconnect();
    expect(await last()).toBeUndefined();
  });

  test('leaves a connection alone that somebody made while the token was being revoked', async () => {
    const { disconnect, connectAnew, token, connections, first } = await setUp();
    const revoke = async () => {
      await connectAnew();
      return { type: 'revoked' as const };
    };
    expect(await disconnect({ revoke })).toEqual({ type: 'connected_anew', revocation: 'revoked', by: 'U2' });
    expect(await token()).toBe('token-4712');
    expect(await connections.findByEndpoint(endpointOf(first.eventsUrl))).toBeDefined();
  });

  test('does not revoke a token with which somebody has connected the workspace again meanwhile', async () => {
    const { deps, disconnect, token, connections } = await setUp();
    const claim: typeof connections.claim = async (...given) => {
      await connected(deps, { by: 'U2' });
      return connections.claim(...given);
    };
    const disconnected = await disconnect({ connections: { ...connections, claim } });
    expect(disconnected).toEqual({ type: 'connected_anew', revocation: 'kept', by: 'U2' });
    expect(await token()).toBe('token-4711');
  });

  test('revokes a token, too, that is sealed anew right before it is claimed', async () => {
    const { disconnect, connections, withNewKey } = await setUp();
    const resealing = withNewKey();
    const dropLeft: typeof connections.dropLeft = async (of) => {
      await resealing.reseal('T1');
      return connections.dropLeft(of);
    };
    expect(await disconnect({ connections: { ...resealing, dropLeft } })).toEqual({
      type: 'disconnected',
      revocation: 'revoked',
      pending: false,
    });
    expect(await connections.find('T1')).toBeUndefined();
  });

  test('leaves a connection alone that somebody made while it was asked what is owed', async () => {
    const { disconnect, connectAnew, token, connections } = await setUp();
    const made: { eventsUrl?: string } = {};
    const owesOutcome = async () => {
      Object.assign(made, await connectAnew());
      return false;
    };
    expect(await disconnect({ owesOutcome })).toMatchObject({ type: 'connected_anew' });
    expect(await token()).toBe('token-4712');
    expect(await connections.findByEndpoint(endpointOf(made.eventsUrl ?? ''))).toBeDefined();
  });

  test('takes the token away before it asks what is owed: no call can begin unseen in between', async () => {
    const { disconnect, token } = await setUp();
    const seen: unknown[] = [];
    const owesOutcome = async () => {
      seen.push(await token());
      return true;
    };
    expect(await disconnect({ owesOutcome })).toMatchObject({ type: 'disconnected', pending: true });
    expect(seen).toEqual([undefined]);
  });

  test('keeps the endpoint and its secret while the service owes an outcome', async () => {
    const { disconnect, review, connections, first } = await setUp();
    review.pending = true;
    await disconnect();
    const connection = await connections.findByEndpoint(endpointOf(first.eventsUrl));
    expect(connection && connections.secrets(connection)).toEqual([first.secret]);
  });

  test('ends the pause of a refused token: nothing is left to be checked', async () => {
    const { disconnect, connections, tokenPauses, review, clock } = await setUp();
    const refused = await connections.find('T1');
    if (refused) await tokenPauses.refuse(refused);
    clock.now += PAUSE_TIMES.firstMs;
    expect(await connections.due(10)).toHaveLength(1);
    review.pending = true;
    await disconnect();
    expect(await connections.due(10)).toEqual([]);
  });

  test('is not told while another server that may take over still has the endpoint', async () => {
    const { disconnect, rows } = await setUp();
    const replicated: DisconnectDeps['replicated'] = async (work) => {
      const done = await work();
      if (!naming('T1').test(rows())) throw new StorageUnavailableError();
      return done;
    };
    await expect(disconnect({ replicated })).rejects.toThrow(StorageUnavailableError);
  });

  test('by two admins at once is done by one after the other, and both are told that it is', async () => {
    const { disconnect } = await setUp();
    const [begun, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const asked: string[] = [];
    const first = disconnect({
      revoke: async () => {
        begun.resolve();
        await answer.promise;
        asked.push('first');
        return { type: 'revoked' };
      },
    });
    await begun.promise;
    const second = disconnect({
      sleep: async () => {
        answer.resolve();
        await first;
      },
      revoke: async () => {
        asked.push('second');
        return { type: 'dead' };
      },
    });
    const done = { type: 'disconnected', pending: false };
    expect(await first).toEqual({ ...done, revocation: 'revoked' });
    expect(await second).toEqual({ ...done, revocation: 'dead' });
    expect(asked).toEqual(['first', 'second']);
  });

  test.each(NOT_REVOKED)('changes nothing where the revocation is $type', async (revocation) => {
    const { disconnect, token, acts } = await setUp();
    expect(await disconnect({ revoke: async () => revocation })).toEqual({ type: 'not_revoked', revocation });
    expect(await token()).toBe('token-4711');
    expect(await acts()).toEqual(['connected', `revoked_token: ${revocation.type}`]);
  });

  test('revokes nothing, and changes nothing, where another server may take over without the claim', async () => {
    const { disconnect, failOver, token, acts } = await setUp();
    const revoked: string[] = [];
    const revoke: DisconnectDeps['revoke'] = async (given) => {
      revoked.push(given);
      return { type: 'revoked' };
    };
    failOver();
    await expect(disconnect({ revoke })).rejects.toThrow(StorageUnavailableError);
    expect(revoked).toEqual([]);
    expect(await token()).toBe('token-4711');
    expect(await acts()).toEqual(['connected']);
  });

  test('is told in the audit trail by the write that removes the token, once, and what was revoked before it', async () => {
    const { disconnect, trail, review } = await setUp();
    review.pending = true;
    for (let times = 0; times < 2; times++) await disconnect();
    const told = (await trail()).filter(({ act }) => act !== 'connected');
    expect(told.toSorted((a, b) => a.act.localeCompare(b.act))).toMatchObject([
      { act: 'disconnected', by: ['U1'], from: { tokenKind: 'rest', exclusive: true, connectedBy: 'U1' } },
      { act: 'revoked_token', by: ['U1'], result: 'revoked' },
    ]);
  });

  test('that was cut short has the revocation in the audit trail, and is told when it is repeated', async () => {
    const { disconnect, connections, acts } = await setUp();
    const dropToken = () => Promise.reject(new Error('storage away'));
    await expect(disconnect({ connections: { ...connections, dropToken } })).rejects.toThrow('storage away');
    expect(await acts()).toEqual(['connected', 'revoked_token: revoked']);
    await disconnect({ revoke: async () => ({ type: 'dead' }) });
    expect(await acts()).toEqual([
      'connected',
      'disconnected',
      'revoked_token: dead',
      'revoked_token: revoked',
    ]);
  });

  test('is not told where another admin has connected the workspace meanwhile', async () => {
    const { disconnect, connectAnew, acts } = await setUp();
    const revoke = async () => {
      await connectAnew();
      return { type: 'revoked' as const };
    };
    await disconnect({ revoke });
    expect(await acts()).toEqual(['connected', 'connected', 'revoked_token: revoked']);
  });
});

describe.each(Object.entries(MEANWHILE))('while a connection was being read, %s:', (_, act) => {
  async function meanwhile() {
    const harness = await setUp();
    harness.beforeNextToken(() => act(harness));
    return { ...harness, deps: { ...harness.deps, connections: harness.withNewKey() } };
  }

  test('the plan to disconnect shows that connection', async () => {
    const { deps } = await meanwhile();
    expect(await planDisconnect(deps, 'T1')).toMatchObject({ type: 'connected', revokes: true });
  });

  test('disconnecting revokes its token', async () => {
    const { deps, connections } = await meanwhile();
    const disconnected = { type: 'disconnected', revocation: 'revoked', pending: false };
    expect(await disconnect(deps, 'T1', 'U1')).toEqual(disconnected);
    expect(await connections.find('T1')).toBeUndefined();
  });

  test('an uninstall revokes its token', async () => {
    const { deps, connections } = await meanwhile();
    const revoked: string[] = [];
    const revoke: DisconnectDeps['revoke'] = async (given) => {
      revoked.push(given);
      return { type: 'revoked' };
    };
    expect(await revokeOwn({ ...deps, revoke }, 'T1', ['T1'], STILL)).toBe('done');
    expect(revoked).toEqual(['token-4711']);
    expect(await connections.find('T1')).not.toHaveProperty('token');
  });
});

describe('a token that several workspaces may hold', () => {
  test('is not revoked for one of them while another one is being connected with it', async () => {
    const { deps, disconnect, connections } = await setUp();
    const revoked: string[] = [];
    const revoke = async (token: string) => {
      revoked.push(token);
      return { type: 'revoked' as const };
    };
    const { save } = connections;
    const during = async (...given: Parameters<typeof save>) => {
      const saved = await save(...given);
      expect(await disconnect({ revoke })).toMatchObject({ revocation: 'kept' });
      return saved;
    };
    await connected({ ...deps, connections: { ...connections, save: during } }, { workspace: 'T2' });
    expect(revoked).toEqual([]);
    const other = await connections.find('T2');
    expect(other && (await connections.token(other))).toBe('token-4711');
  });

  test('is connected nowhere while it is being revoked, and nothing of that is left', async () => {
    const { deps, disconnect, connections, rows } = await setUp();
    const revoke = async () => {
      expect(await connect(deps, { ...connecting, workspace: 'T2' })).toEqual({ type: 'revoking' });
      return { type: 'unreachable' as const, error: new Error('refused') };
    };
    expect(await disconnect({ revoke })).toMatchObject({ type: 'not_revoked' });
    expect(await connections.find('T2')).toBeUndefined();
    expect(rows()).not.toMatch(naming('T2'));
    expect(await connect(deps, { ...connecting, workspace: 'T2' })).toMatchObject({ type: 'connected' });
  });

  test('has no entry in the audit trail for a connection that was refused while it was being revoked', async () => {
    const { deps, disconnect, acts } = await setUp();
    const revoke = async () => {
      await connect(deps, { ...connecting, workspace: 'T2' });
      return { type: 'revoked' as const };
    };
    await disconnect({ revoke });
    expect(await acts('T2')).toEqual([]);
  });

  test('is not asked for any more where its claim is over, as that of a frozen process', async () => {
    const { disconnect, clock } = await setUp();
    const seen: boolean[] = [];
    const revoke: DisconnectDeps['revoke'] = async (_token, _kind, { isHeld }) => {
      seen.push(await isHeld());
      clock.now += CLAIM_MS;
      seen.push(await isHeld());
      return { type: 'unreachable', error: new Error('refused') };
    };
    await disconnect({ revoke });
    expect(seen).toEqual([true, false]);
  });

  test('is revoked where all workspaces that hold it leave together, and not where one stays', async () => {
    const { deps } = await setUp();
    for (const workspace of ['T2', 'T3']) await connected(deps, { workspace, exclusive: true });
    const revoked: string[] = [];
    const revoke: DisconnectDeps['revoke'] = async (token) => {
      revoked.push(token);
      return { type: 'revoked' };
    };
    const leave = (leaving: string[]) =>
      Promise.all(leaving.map((each) => revokeOwn({ ...deps, revoke }, each, leaving, STILL)));
    await leave(['T1', 'T2']);
    expect(revoked).toEqual([]);
    await leave(['T1', 'T2', 'T3']);
    expect(new Set(revoked)).toEqual(new Set(['token-4711']));
  });

  test.each(NOT_REVOKED)(
    'is kept after an uninstall, to be revoked later, where the revocation is $type',
    async (revocation) => {
      const { deps, token } = await setUp();
      const failing = { ...deps, revoke: async () => revocation };
      expect(await revokeOwn(failing, 'T1', ['T1'], STILL)).toBe('later');
      expect(await token()).toBe('token-4711');
      expect(await revokeOwn(deps, 'T1', ['T1'], STILL)).toBe('done');
    },
  );

  test.each(['revoked', 'dead'] as const)(
    'is removed here after an uninstall once it is %s: if the app is installed again, the workspace is not connected',
    async (type) => {
      const { deps, connections, token, trail } = await setUp();
      const before = await trail();
      await revokeOwn({ ...deps, revoke: async () => ({ type }) }, 'T1', ['T1'], STILL);
      expect(await token()).toBeUndefined();
      expect(await connections.find('T1')).not.toHaveProperty('token');
      expect(await trail()).toEqual(before);
    },
  );

  test('is not revoked after an uninstall if the app is installed again by the time of the call', async () => {
    const { deps, token } = await setUp();
    let isInstalledAgain = false;
    const revoke: DisconnectDeps['revoke'] = async (_token, _kind, { isHeld }) => {
      isInstalledAgain = true;
      return (await isHeld()) ? { type: 'revoked' } : { type: 'unreachable', error: new Error('not sent') };
    };
    expect(await revokeOwn({ ...deps, revoke }, 'T1', ['T1'], async () => !isInstalledAgain)).toBe('later');
    expect(await token()).toBe('token-4711');
  });

  test('may be revoked again once the claim of a process that ended is over', async () => {
    const { disconnect, connections, clock } = await setUp();
    expect(await connections.claim('token-4711', () => true)).toHaveProperty('release');
    const sleep = async () => {
      clock.now += CLAIM_MS;
    };
    expect(await disconnect({ sleep })).toMatchObject({ type: 'disconnected', revocation: 'revoked' });
  });
});
