/** Connects the workspace of a test in its storage, which is empty. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { OrderService } from '../../../sandbox/order-service/start.ts';
import type { Config } from '../../../src/config.ts';
import { keyFilePath } from '../../../src/storage/key-file.ts';
import { connectWorkspace } from '../connect-workspace.ts';

type Made = Awaited<ReturnType<typeof connectWorkspace>> & { database: Buffer; key: Buffer };

/** The files of the first test: to copy them takes a twentieth of the time of making them. */
let made: Made | undefined;

export async function connectIn(config: Config, service: OrderService) {
  const { storage, secretKeys, publicUrl } = config;
  // The test brings a storage or a key of its own.
  if (storage.type !== 'sqlite' || secretKeys || existsSync(storage.path))
    return connectWorkspace(config, service);
  const keyFile = keyFilePath(storage.path);
  if (!made) {
    const connected = await connectWorkspace(config, service);
    made = { ...connected, database: readFileSync(storage.path), key: readFileSync(keyFile) };
    return connected;
  }
  writeFileSync(storage.path, made.database, { mode: 0o600 });
  writeFileSync(keyFile, made.key, { mode: 0o600 });
  const connected = {
    eventsUrl: new URL(`events/${basename(made.eventsUrl)}`, publicUrl).href,
    secret: made.secret,
  };
  service.subscribe({ url: connected.eventsUrl, secret: connected.secret });
  return connected;
}
