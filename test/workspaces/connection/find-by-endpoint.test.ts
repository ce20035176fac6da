import { expect, test } from 'vitest';
import { endpointAddress } from '../../../src/workspaces/connection/connection.ts';
import { connected, createConnectionsHarness } from '../../support/requests/connections-harness.ts';

test('an endpoint that was found before leads nowhere once its connection is gone, and the new one leads there', async () => {
  const { connections, deps } = createConnectionsHarness();
  await connected(deps);
  const endpointOf = async () => {
    const connection = await connections.find('T1');
    return connection ? endpointAddress(connection) : '';
  };
  const former = await endpointOf();
  const found = async (endpoint: string) => (await connections.findByEndpoint(endpoint))?.workspace;
  expect([await found(former), await found(former)]).toEqual(['T1', 'T1']);
  await connections.forget('T1');
  expect(await found(former)).toBeUndefined();
  await connected(deps);
  const next = await endpointOf();
  expect(next).not.toBe(former);
  expect([await found(former), await found(next), await found(next)]).toEqual([undefined, 'T1', 'T1']);
});

test('an endpoint is found by its whole address alone, and never in another workspace', async () => {
  const { connections, deps } = createConnectionsHarness();
  await connected(deps);
  await connected(deps, { workspace: 'T2' });
  const connection = await connections.find('T1');
  const endpoint = connection?.endpoint ?? '';
  for (const address of ['', '~', 'T1', 'T1~', endpoint, `~${endpoint}`, `T2~${endpoint}`, `T1~${endpoint}~`])
    expect(await connections.findByEndpoint(address)).toBeUndefined();
  expect(await connections.findByEndpoint(`T1~${endpoint}`)).toEqual(connection);
});
