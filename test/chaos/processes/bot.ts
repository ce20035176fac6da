/** The bot as it is, with everything that waits for a dead process made short, and, if asked, without one of its guards. */
import { createApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { createLogger } from '../../../src/log/logger.ts';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';
import { startOnceThePortIsFree } from '../../support/processes/start-once-free.ts';
import { withoutClaims } from '../mutants/without-claims.ts';
import { withoutReadBack } from '../mutants/without-read-back.ts';
import { faster } from '../pace.ts';
import { soonAgain } from '../people/soon-again.ts';
import { LEAVING, LOCK_MS, SERVICE_DEADLINE_MS, SLACK_TIMEOUT_MS, SWEEP_MS, TIMINGS } from '../timings.ts';

const GUARDS: Record<string, (store: RequestStore) => RequestStore> = {
  '--without-claims': withoutClaims,
  '--without-read-back': withoutReadBack,
};
const guards = process.argv.flatMap((argument) => GUARDS[argument] ?? []);

const config = loadConfig();
const overrides = {
  timings: TIMINGS,
  uninstallTimings: LEAVING,
  runner: { sweepMs: SWEEP_MS, lockMs: LOCK_MS },
  slackTimeoutMs: SLACK_TIMEOUT_MS,
  serviceLimits: { deadlineMs: SERVICE_DEADLINE_MS, maxBytes: 1_048_576 },
  requests: (store: RequestStore) => guards.reduce((wrapped, without) => without(wrapped), soonAgain(store)),
  limiter: faster,
};
const app = await createApp(config, await createLogger(config.log), overrides);
process.once('SIGTERM', () => void app.stop());
await startOnceThePortIsFree(app);
