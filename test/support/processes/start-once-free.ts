import module from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CountermandApp } from '../../../src/app.ts';

/**
 * Starts the bot; a process that was just killed may still hold the port for a moment. What it has compiled is kept for the
 * next start, since a process that is killed writes no compile cache at its end.
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
