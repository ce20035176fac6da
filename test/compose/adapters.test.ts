import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAdapters, loadOutside } from '../../src/compose/adapters.ts';
import { readConfig } from '../../src/config.ts';
import type { Transport } from '../../src/order-service/transport.ts';
import { type Replicated, SILENT } from '../../src/outbox/ports.ts';
import { StorageUnavailableError } from '../../src/storage/storage.ts';
import { connecting } from '../support/requests/connections-harness.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

const ENVIRONMENT = {
  PUBLIC_URL: 'https://bot.example',
  ORDER_SERVICE_URL: 'https://orders.example',
  SLACK_SIGNING_SECRET: 'secret',
  SLACK_BOT_TOKEN: 'xoxb-1',
};

/** Adapters whose connection to a replicated storage is lost, and restored, during each call to the order service. */
async function setUp() {
  const config = readConfig(
    { ...ENVIRONMENT, STORAGE_URL: `sqlite:${join(temporaryFolder(), 'bot.db')}` },
    false,
  );
  const outside = await loadOutside(config);
  let connections = 1;
  const replicated: Replicated = async (work) => {
    const before = connections;
    const result = await work();
    if (connections !== before) throw new StorageUnavailableError();
    return result;
  };
  const transport: Transport = {
    async send({ method }) {
      connections += 1;
      const answer = method === 'DELETE' ? { status: 204, body: '' } : { status: 200, body: '[]' };
      return { type: 'answered', answer: { ...answer, headers: {} } };
    },
    close: async () => {},
  };
  const openStorage: typeof outside.openStorage = (given) => {
    const opened = outside.openStorage(given);
    return { ...opened, storage: { ...opened.storage, replicated } };
  };
  const adapters = createAdapters(
    config,
    { ...outside, openStorage, connectOrderService: () => transport },
    SILENT,
  );
  onTestFinished(adapters.close);
  return adapters;
}

describe('an admin whose replica loses the storage for a moment, while it waits for the order service', () => {
  test('is shown the events secret, which nobody can be shown later', async () => {
    const { connect } = await setUp();
    expect(await connect(connecting)).toMatchObject({ type: 'connected', secret: expect.any(String) });
    const again = { ...connecting, token: 'token-4712', newSecret: true, revokeFormer: true };
    expect(await connect(again)).toMatchObject({
      type: 'connected',
      secret: expect.any(String),
      former: { type: 'revoked' },
    });
  });

  test('reads that the workspace is disconnected', async () => {
    const { connect, disconnect } = await setUp();
    await connect({ ...connecting, exclusive: true });
    expect(await disconnect('T1', 'U1')).toMatchObject({ type: 'disconnected', revocation: 'revoked' });
  });
});
