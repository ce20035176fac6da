/** Connects the workspace of a test by writing to its storage, which is empty. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createJournal } from '../../../sandbox/lib/http/journal.ts';
import { type OrderService, startOrderService } from '../../../sandbox/order-service/start.ts';
import type { Config } from '../../../src/config.ts';
import { keyFilePath } from '../../../src/storage/sqlite/open.ts';
import { connectWorkspace } from '../connect-workspace.ts';

type Connected = Awaited<ReturnType<typeof connectWorkspace>>;

/** The files that the first test has made: copying them takes a twentieth of the time. */
let made: (Connected & { database: Buffer; key: Buffer }) | undefined;

/**
 * Connects the workspace, and subscribes its endpoint at the order service of the test. No call has reached that service
 * afterwards, whether or not this test is the first one.
 */
export async function connectStorage(config: Config, service: OrderService): Promise<Connected> {
  const connected = await connect(config);
  service.subscribe({ url: connected.eventsUrl, secret: connected.secret });
  return connected;
}

async function connect(config: Config): Promise<Connected> {
  const { storage, secretKeys, publicUrl } = config;
  // A test with a storage or a key of its own can't use the copies.
  if (storage.type !== 'sqlite' || secretKeys || existsSync(storage.path)) return connectApart(config);
  const keyFile = keyFilePath(storage.path);
  if (!made) {
    const connected = await connectApart(config);
    made = { ...connected, database: readFileSync(storage.path), key: readFileSync(keyFile) };
    return connected;
  }
  writeFileSync(storage.path, made.database, { mode: 0o600 });
  writeFileSync(keyFile, made.key, { mode: 0o600 });
  return {
    eventsUrl: new URL(`events/${basename(made.eventsUrl)}`, publicUrl).href,
    secret: made.secret,
  };
}

/** Connects the workspace, and has another order service than that of the test check the token. */
async function connectApart(config: Config): Promise<Connected> {
  const service = await startOrderService({ journal: createJournal() });
  try {
    const orderService = { ...config.orderService, url: new URL(service.url) };
    return await connectWorkspace({ ...config, orderService }, service);
  } finally {
    await service.close();
  }
}
