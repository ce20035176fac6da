/** Works on the storage of a bot, as a terminal command does. */
import { type Adapters, openAdapters } from '../../../src/compose/adapters.ts';
import type { Config } from '../../../src/config.ts';
import { SILENT } from '../../../src/outbox/ports.ts';

/** Opens the adapters for `work`, and closes them when it has ended. */
export async function withAdapters<T>(config: Config, work: (adapters: Adapters) => Promise<T>): Promise<T> {
  const adapters = await openAdapters(config);
  try {
    await adapters.storage.open(SILENT);
    return await work(adapters);
  } finally {
    await adapters.close();
  }
}
