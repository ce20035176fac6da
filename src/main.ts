/** Starts the bot, and stops it on a signal. */
import { createApp } from './app.ts';
import { ConfigError, isOwnLogPretty, loadConfig } from './config.ts';
import { asError } from './fault.ts';
import { createLogger } from './log.ts';
import { RUNTIME } from './runtime.ts';
import { readCommit, VERSION } from './version.ts';

/** Longer than everything that a stop waits for after `drainMs`: a stop that hangs must not keep an old process alive forever. */
const STOP_MS = 60_000;

/** A new name for each start, so that claims of a former process are never taken for its own. */
const replica = RUNTIME.uuid();
const writer = { replica, version: VERSION };

async function main(): Promise<void> {
  const config = loadConfig();
  const log = await createLogger({ ...config.log, writer });
  log.info({ commit: readCommit(), node: process.version }, `Countermand ${VERSION} is starting`);
  let stopping = false;
  const app = await createApp(config, log, { replica }, () => void stop(undefined, 1));
  async function stop(signal: NodeJS.Signals | undefined, code = 0) {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping: finishing work under way');
    setTimeout(() => process.exit(1), config.drainMs + STOP_MS).unref();
    await app.stop();
    log.flush();
    log.info({}, 'Countermand has stopped');
    process.exit(code);
  }
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
  await app.start();
}

function whyOf(error: unknown): string {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' && 'port' in error;
  if (isTaken)
    return `Something else listens on port ${error.port} already. End it, or set PORT or METRICS_PORT to another one.`;
  const { message } = asError(error);
  return isAboutListening(error)
    ? `${message}. HOST and METRICS_HOST must be addresses of this machine, and PORT and METRICS_PORT ports that the bot may use.`
    : message;
}

/**
 * Whether the bot can't listen. A name that is not found can only be HOST or METRICS_HOST: for storage and Slack the bot waits.
 */
const isAboutListening = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && ['listen', 'getaddrinfo'].includes(String(error.syscall));

const SETUP =
  'Or run "countermand setup" (in a clone "npm run -s countermand -- setup"): it asks for what the bot needs, tests it, and writes .env.';

/** Says why the bot can't start: in text where a person reads, and otherwise in lines of the log. */
async function explain(error: unknown): Promise<void> {
  const problems =
    error instanceof ConfigError ? error.problems : [`Countermand could not start: ${whyOf(error)}`];
  if (isOwnLogPretty()) {
    const help = problems.some((problem) => problem.includes(' is missing.')) ? [SETUP] : [];
    process.stderr.write(`${[...problems, ...help].join('\n')}\n`);
    return;
  }
  const log = await createLogger({ level: 'error', pretty: false, writer });
  for (const problem of problems) log.error({}, problem);
}

try {
  await main();
} catch (error) {
  await explain(error);
  process.exit(1);
}
