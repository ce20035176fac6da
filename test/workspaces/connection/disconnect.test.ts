import { describe, expect, test } from 'vitest';
import { type DisconnectDeps, disconnect } from '../../../src/workspaces/connection/disconnect.ts';
import { connected, createConnectionsHarness } from '../../support/requests/connections-harness.ts';

/** A workspace that is connected, and an admin who disconnects it. */
async function setUp(more: Partial<DisconnectDeps> = {}) {
  const harness = createConnectionsHarness();
  const first = await connected(harness.deps, { exclusive: true });
  const { connections, connectionHealth, tokenPauses } = harness;
  const { hasPending, recordAct, log } = harness.deps;
  const deps = {
    connections,
    connectionHealth,
    tokenPauses,
    hasPending,
    recordAct,
    log,
    revoke: async () => ({ type: 'revoked' as const }),
    ...more,
  };
  const token = async () => {
    const connection = await connections.find('T1');
    return connection && connections.token(connection);
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

const endpointOf = (eventsUrl: string) => eventsUrl.split('/').at(-1) ?? '';

describe('disconnecting a workspace', () => {
  test('takes its token away, and its endpoint where the service owes nothing', async () => {
    const { disconnect, rows } = await setUp();
    expect(await disconnect()).toEqual({ type: 'disconnected', revocation: 'revoked', pending: false });
    expect(rows()).not.toMatch(/"(c|e):/);
  });

  test('takes away what was seen of it, unless somebody has connected the workspace meanwhile', async () => {
    const { disconnect, connectAnew, tokenPauses, connections, rows } = await setUp();
    const seen = async () => {
      const row = await connections.find('T1');
      if (row) await tokenPauses.refuse(row, false);
      return row ?? { workspace: 'T1', generation: '' };
    };
    const hasPending = async () => {
      await connectAnew();
      await seen();
      return false;
    };
    await seen();
    await disconnect({ hasPending });
    expect(await tokenPauses.find(await seen())).toBeDefined();
    await disconnect();
    expect(rows()).not.toContain('token_pauses');
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

  test('leaves a connection alone that somebody made while it was asked what is owed', async () => {
    const { disconnect, connectAnew, token, connections } = await setUp();
    const made: { eventsUrl?: string } = {};
    const hasPending = async () => {
      Object.assign(made, await connectAnew());
      return false;
    };
    expect(await disconnect({ hasPending })).toMatchObject({ type: 'connected_anew' });
    expect(await token()).toBe('token-4712');
    expect(await connections.findByEndpoint(endpointOf(made.eventsUrl ?? ''))).toBeDefined();
  });

  test('takes the token away before it asks what is owed: no call can begin unseen in between', async () => {
    const { disconnect, token } = await setUp();
    const seen: unknown[] = [];
    const hasPending = async () => {
      seen.push(await token());
      return true;
    };
    expect(await disconnect({ hasPending })).toMatchObject({ type: 'disconnected', pending: true });
    expect(seen).toEqual([undefined]);
  });

  test('keeps the endpoint and its secret while the service owes an outcome', async () => {
    const { disconnect, review, connections, first } = await setUp();
    review.pending = true;
    await disconnect();
    const connection = await connections.findByEndpoint(endpointOf(first.eventsUrl));
    expect(connection && connections.secrets(connection)).toEqual([first.secret]);
  });

  test('by two admins at once is done once, and both are told that it is', async () => {
    const { disconnect } = await setUp();
    const revoke = async () => {
      await disconnect();
      return { type: 'dead' as const };
    };
    expect(await disconnect({ revoke })).toEqual({
      type: 'disconnected',
      revocation: 'dead',
      pending: false,
    });
  });

  test.each([
    { type: 'unreachable' },
    { type: 'unknown', code: 'TIMEOUT', error: new Error('too late') },
  ] as const)('changes nothing where the revocation is $type', async (revocation) => {
    const { disconnect, token } = await setUp();
    expect(await disconnect({ revoke: async () => revocation })).toEqual({ type: 'not_revoked', revocation });
    expect(await token()).toBe('token-4711');
  });
});
