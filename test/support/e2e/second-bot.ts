/** Starts a second replica over the storage of a harness. */
import { onTestFinished } from 'vitest';
import { appAddress } from '../../../sandbox/environment.ts';
import { freePort } from '../../../sandbox/lib/http/free-port.ts';
import { createApp } from '../../../src/app.ts';
import { createLogger } from '../../../src/log/logger.ts';
import { TIMINGS } from '../../../src/requests/model/pending-effects.ts';
import type { Harness } from './harness.ts';

/** @returns what has Slack send what comes from now on to it, or to the first */
export async function startSecondBot({
  config,
  slack,
  logged,
}: Pick<Harness, 'config' | 'slack' | 'logged'>) {
  const port = await freePort();
  const log = await createLogger({ level: 'info', pretty: false }, logged.stream);
  const app = await createApp({ ...config, port }, log, { timings: { ...TIMINGS, doubtMs: 100 } });
  await app.start();
  onTestFinished(app.stop);
  return {
    goToSecond: () => slack.connectApp(appAddress(port)),
    goToFirst: () => slack.connectApp(appAddress(config.port)),
  };
}
