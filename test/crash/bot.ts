/** Starts the bot with claims that expire soon, so that another process soon goes on; with `--without-claims` without claims. */
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createLogger } from '../../src/log.ts';
import { withoutClaims } from '../chaos/mutants/without-claims.ts';
import { startOnceThePortIsFree } from '../support/processes/start-once-free.ts';
import { withRequests } from '../support/storage/with-requests.ts';

/** An effect may outlast its claim here, since only one process lives at a time. */
const TIMINGS = {
  claimMs: 1_000,
  doubtMs: 300,
  appearMs: 1_000,
  apartMs: 0,
  delayedMs: 60_000,
  unclearMs: 600_000,
  expiresAfterMs: 60_000,
  unconfirmedMs: 30_000,
};

const config = loadConfig();
const log = await createLogger(config.log);
const app = await createApp(config, log, {
  timings: TIMINGS,
  runner: { sweepMs: 100 },
  ...(process.argv.includes('--without-claims') ? { storage: withRequests(withoutClaims) } : {}),
});
await startOnceThePortIsFree(app);
