/** Starts the bot, and stops it on a signal. */
import { createApp } from './app.ts';
import { ConfigError, loadConfig } from './config.ts';
import { createLogger } from './log.ts';

/** Longer than every wait of a stop: one that hangs must not keep an old process alive for ever. */
const STOP_MS = 60_000;

export async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLogger(config.log);
  const app = createApp(config, log);
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping: what is under way is finished first');
    setTimeout(() => process.exit(1), config.drainMs + STOP_MS).unref();
    await app.stop();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  await app.start();
}

try {
  await main();
} catch (error) {
  const problems =
    error instanceof ConfigError ? error.problems : [`Countermand could not start: ${String(error)}`];
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exit(1);
}
