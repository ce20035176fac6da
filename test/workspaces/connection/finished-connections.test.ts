import { expect, test } from 'vitest';
import { removeFinished } from '../../../src/workspaces/connection/disconnect.ts';
import { connected, createConnectionsHarness, naming } from '../../support/requests/connections-harness.ts';

/** T1 was disconnected while a review was open, T2 is connected. */
async function setUpFinished() {
  const harness = createConnectionsHarness();
  await connected(harness.deps);
  await connected(harness.deps, { workspace: 'T2' });
  const row = await harness.connections.find('T1');
  if (!row) throw new Error('T1 is not connected');
  await harness.connectionHealth.record('event', row);
  await harness.connections.dropToken(row, 'U1');
  const errors: object[] = [];
  const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => void errors.push(fields) };
  return { ...harness, errors, run: () => removeFinished(harness.deps, log, new AbortController().signal) };
}

test('a connection without a token stays while an outcome is owed, and is then removed with what was seen of it', async () => {
  const { review, run, connections, rows } = await setUpFinished();
  review.pending = true;
  await run();
  expect(await Array.fromAsync(connections.ids())).toEqual(['T1', 'T2']);
  review.pending = false;
  await run();
  expect(await Array.fromAsync(connections.ids())).toEqual(['T2']);
  expect(rows()).not.toMatch(naming('T1'));
});

test('a connection that cannot be read keeps no other one from being removed', async () => {
  const { deps, database, run, connections, errors } = await setUpFinished();
  await connected(deps, { workspace: 'T0' });
  database.exec("UPDATE connections SET record = '{}' WHERE workspace = 'T0'");
  await run();
  expect(await Array.fromAsync(connections.ids())).toEqual(['T0', 'T2']);
  expect(errors).toEqual([expect.objectContaining({ workspace: 'T0' })]);
});

test('a workspace that is connected anew in the same moment stays so', async () => {
  const { deps, run, connections } = await setUpFinished();
  const owesOutcome = deps.owesOutcome;
  deps.owesOutcome = async () => {
    deps.owesOutcome = owesOutcome;
    await connected(deps, { token: 'token-4712' });
    return false;
  };
  await run();
  const row = await connections.find('T1');
  expect(row && (await connections.token(row))).toBe('token-4712');
});

test('a connection stays where another server may take over, on which an outcome is owed still', async () => {
  const { failOver, run, connections, errors } = await setUpFinished();
  failOver();
  await run();
  expect(await Array.fromAsync(connections.ids())).toEqual(['T1', 'T2']);
  expect(errors).toEqual([expect.objectContaining({ workspace: 'T1' })]);
});

test('what was seen of a finished connection is removed by the next run if this one was cut short', async () => {
  const { deps, run, connectionHealth, rows } = await setUpFinished();
  deps.connectionHealth = {
    ...connectionHealth,
    forget: async () => {
      deps.connectionHealth = connectionHealth;
      throw new Error('cut short');
    },
  };
  await run();
  expect(rows()).toMatch(naming('T1'));
  await run();
  expect(rows()).not.toMatch(naming('T1'));
});
