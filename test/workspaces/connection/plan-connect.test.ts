import { describe, expect, test } from 'vitest';
import { planConnect } from '../../../src/workspaces/connection/connect.ts';
import { FORMER_SECRET_MS } from '../../../src/workspaces/connection/connection.ts';
import {
  connected,
  connecting,
  createConnectionsHarness,
} from '../../support/requests/connections-harness.ts';

/** T1, connected with a REST token. */
async function setUp() {
  const harness = createConnectionsHarness();
  await connected(harness.deps);
  const connection = async () => {
    const found = await harness.connections.find('T1');
    if (!found) throw new Error('not connected');
    return found;
  };
  return { ...harness, connection, plan: (workspace = 'T1') => planConnect(harness.deps, workspace) };
}

describe('what an admin sees before they connect', () => {
  test('is nothing if the workspace was never connected, whatever another workspace is', async () => {
    const { plan } = await setUp();
    expect(await plan('T2')).toEqual({ type: 'new' });
  });

  test('is what is connected, by whom and since when, with nothing seen of it yet', async () => {
    const { plan, clock } = await setUp();
    const facts = { connectedBy: connecting.by, connectedAt: clock.now, secrets: 1 };
    const unseen = { lastCall: undefined, lastEvent: undefined, paused: undefined };
    const plannedFor = { type: 'again', tokenKind: 'rest', exclusive: false };
    expect(await plan()).toMatchObject({ ...plannedFor, facts: { ...facts, ...unseen } });
  });

  test('is when a call was answered, an event came, and the token was refused', async () => {
    const { plan, connection, connectionHealth, tokenPauses, clock } = await setUp();
    const made = await connection();
    clock.now = 100;
    await connectionHealth.record('call', made);
    clock.now = 200;
    await connectionHealth.record('event', made);
    clock.now = 300;
    await tokenPauses.refuse(made);
    const paused = { since: 300, nextCheck: 60_300 };
    expect(await plan()).toMatchObject({ facts: { lastCall: 100, lastEvent: 200, paused } });
  });

  test('is nothing of what was seen of the connection before', async () => {
    const { plan, connection, tokenPauses, deps } = await setUp();
    await tokenPauses.refuse(await connection());
    await connected(deps, { token: 'token-4712', tokenKind: 'graphql', exclusive: true });
    const facts = { paused: undefined };
    expect(await plan()).toMatchObject({ tokenKind: 'graphql', exclusive: true, facts });
  });

  test('is how many secrets open events, for as long as they do', async () => {
    const { plan, deps, clock } = await setUp();
    await connected(deps, { newSecret: true });
    expect(await plan()).toMatchObject({ facts: { secrets: 2 } });
    clock.now += FORMER_SECRET_MS;
    expect(await plan()).toMatchObject({ facts: { secrets: 1 } });
  });

  test('is no token and no secret', async () => {
    const { plan, rows } = await setUp();
    const shown = JSON.stringify(await plan());
    expect(shown).not.toContain(connecting.token);
    expect(shown).not.toContain('sealed');
    // Both are there to be shown.
    expect(rows()).toContain('sealed');
  });

  test('is its endpoint, without facts, once it is disconnected and an outcome is owed; then nothing', async () => {
    const { plan, connections, connection, review } = await setUp();
    await connections.dropToken(await connection(), 'U1');
    review.pending = true;
    expect(await plan()).toMatchObject({ type: 'again', tokenKind: 'rest', exclusive: false });
    review.pending = false;
    // The admin has seen the rest of it as the present connection: otherwise they could never replace it.
    const { generation } = await connection();
    expect(await plan()).toEqual({ type: 'new', generation });
  });

  test('is not known while the storage is away: a fault', async () => {
    const { deps } = await setUp();
    const connections = { ...deps.connections, find: () => Promise.reject(new Error('unreadable')) };
    await expect(planConnect({ ...deps, connections }, 'T1')).rejects.toThrow('unreadable');
  });
});
