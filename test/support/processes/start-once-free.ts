import module from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CountermandApp } from '../../../src/app.ts';

/**
 * Starts the bot. A process that was just killed may still hold the port, so it is tried again. The compile cache is written
 * at once, since a process that is killed writes none at its end.
 */
export async function startOnceThePortIsFree(app: CountermandApp): Promise<void> {
  try {
    await app.start();
    module.flushCompileCache();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    await sleep(20);
    await startOnceThePortIsFree(app);
  }
}
