/** `npm run sandbox`: a Slack workspace in the browser, with the bot at work in it. */
import { parseArgs } from 'node:util';
import { connect } from './connect.ts';
import { openDesk, type SandboxDesk } from './desk.ts';
import type { HttpServer } from './lib/http/server.ts';
import { readMenu } from './lib/manifest.ts';
import { bundleClient } from './page/server/bundle.ts';
import { openPage } from './page/server/open-page.ts';
import { startPage } from './page/server/server.ts';

const USUAL_PORT = 4000;

const USAGE = `npm run sandbox -- [--port ${USUAL_PORT}] [--socket] [--unconnected] [--install]`;

const values = readArguments();
const transport = values.socket ? 'socket' : 'http';
const print = (line: string) => process.stdout.write(`${line}\n`);

function readArguments() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string' },
        socket: { type: 'boolean', default: false },
        unconnected: { type: 'boolean', default: false },
        install: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}\n`);
    process.exit(2);
  }
}

/** Serves the page: at the port that was asked for, else at the usual one or, where that is taken, at any. */
async function serve(desk: SandboxDesk, code: string): Promise<HttpServer> {
  const at = (port: number) => startPage({ ...desk, transport, menu: readMenu(), code, port });
  if (values.port !== undefined) return at(Number(values.port));
  return at(USUAL_PORT).catch((error: unknown) => {
    if (!isTaken(error)) throw error;
    print(`Port ${USUAL_PORT} is taken, so it is another one this time.`);
    return at(0);
  });
}

const isTaken = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';

function stopOnSignals(desk: SandboxDesk, page: HttpServer): void {
  let isStopping = false;
  const stop = async (exitCode: number) => {
    if (isStopping) return;
    isStopping = true;
    await page.close();
    await desk.close();
    print('Stopped.');
    process.exit(exitCode);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0));
  void desk.botEnded.then((end) => {
    if (!isStopping) print(`The bot ended with ${end}:\n${desk.log()}`);
    return stop(1);
  });
}

print('Starting a Slack workspace, an order service and the bot …');
const [desk, code] = await Promise.all([
  openDesk({ transport, credentials: values.install ? 'oauth' : 'token' }),
  bundleClient(),
]);
if (!values.unconnected && !values.install) await connect(desk);
try {
  const page = await serve(desk, code);
  stopOnSignals(desk, page);
  print(`Ready: ${page.origin}`);
  print('Ctrl+C ends it. Nothing of it is kept.');
  await openPage(page.origin, process.env);
} catch (error) {
  print(isTaken(error) ? `Port ${values.port} is taken.` : String(error));
  await desk.close();
  process.exitCode = 1;
}
