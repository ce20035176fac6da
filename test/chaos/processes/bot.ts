/** Starts the bot with short timings. With `--without-claims` or `--without-read-back` it lacks that guard. */
import { createApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { createLogger } from '../../../src/log.ts';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { startOnceThePortIsFree } from '../../support/processes/start-once-free.ts';
import { withoutClaims } from '../mutants/without-claims.ts';
import { withoutReadBack } from '../mutants/without-read-back.ts';
import { fasterLimiter, fasterRetries } from '../pace.ts';
import {
  LOCK_MS,
  SERVICE_DEADLINE_MS,
  SLACK_TIMEOUT_MS,
  SWEEP_MS,
  TIMINGS,
  UNINSTALL_TIMINGS,
} from '../timings.ts';

const GUARDS: Record<string, (store: RequestStore) => RequestStore> = {
  '--without-claims': withoutClaims,
  '--without-read-back': withoutReadBack,
};
const guards = process.argv.flatMap((argument) => GUARDS[argument] ?? []);

const config = loadConfig();
const overrides = {
  timings: TIMINGS,
  uninstallTimings: UNINSTALL_TIMINGS,
  runner: { sweepMs: SWEEP_MS, lockMs: LOCK_MS },
  slackTimeouts: { effect: SLACK_TIMEOUT_MS },
  serviceLimits: { deadlineMs: SERVICE_DEADLINE_MS, maxBytes: 1_048_576 },
  storage: (storage: Storage): Storage => ({
    ...storage,
    requests: guards.reduce((wrapped, without) => without(wrapped), fasterRetries(storage.requests)),
    limiter: fasterLimiter(storage.limiter),
  }),
};
const app = await createApp(config, await createLogger(config.log), overrides);
process.once('SIGTERM', () => void app.stop());
await startOnceThePortIsFree(app);
