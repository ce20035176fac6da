import { expect, test } from 'vitest';
import { connected, createConnectionsHarness } from '../../support/requests/connections-harness.ts';

test('an endpoint that was found before leads nowhere once its connection is gone, and the new one leads there', async () => {
  const { connections, deps } = createConnectionsHarness();
  await connected(deps);
  const endpointOf = async () => (await connections.find('T1'))?.endpoint ?? '';
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
