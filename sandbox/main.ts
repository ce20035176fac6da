/** `npm run sandbox`: a Slack workspace in the browser, with the bot in it. */
import { join } from 'node:path';
import open from 'open';
import { wholeNumber } from '../src/config-fields.ts';
import { connect } from './connect.ts';
import { readArguments, refuseArguments } from './lib/arguments.ts';
import { SIGNALS } from './lib/bot-process.ts';
import type { HttpServer } from './lib/http/server.ts';
import { readMenu } from './lib/manifest.ts';
import { bundleClient } from './page/server/bundle.ts';
import { startPage } from './page/server/server.ts';
import { type Sandbox, sayOpening, startSandbox } from './start.ts';

const DEFAULT_PORT = 4000;

const USAGE = `npm run sandbox -- [--port ${DEFAULT_PORT}] [--socket] [--unconnected] [--install]

  --port         serves the page at this port
  --socket       reaches the bot over Socket Mode, not HTTP
  --unconnected  leaves the workspace for an admin to connect
  --install      leaves the bot for an admin to install`;

const print = (line: string) => process.stdout.write(`${line}\n`);
const { values } = readArguments(USAGE, {
  options: {
    port: { type: 'string' },
    socket: { type: 'boolean', default: false },
    unconnected: { type: 'boolean', default: false },
    install: { type: 'boolean', default: false },
  },
});
const transport = values.socket ? 'socket' : 'http';
const { data: port, error } = wholeNumber('--port', 0, 65_535).optional().safeParse(values.port);
if (error) refuseArguments(USAGE, error.issues.map(({ message }) => message).join('\n'));

function fail(what: string, error?: unknown): never {
  const why = error instanceof Error ? error.message : String(error);
  process.stderr.write(error === undefined ? `${what}\n` : `${what}: ${why}\n`);
  process.exit(1);
}

/** Serves the page at the port of `--port`, else at the default port or, if that is taken, at any free one. */
async function serve(sandbox: Sandbox, code: string): Promise<HttpServer> {
  const at = (wanted: number) => startPage({ ...sandbox, transport, menu: readMenu(), code, port: wanted });
  if (port !== undefined) return at(port);
  return at(DEFAULT_PORT).catch((error: unknown) => {
    if (!isTaken(error)) throw error;
    print(`Port ${DEFAULT_PORT} is taken; using another one.`);
    return at(0);
  });
}

const isTaken = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';

/** Opens the page in the person's browser, unless BROWSER=none is set or there is no display. */
async function openPage(address: string, env: NodeJS.ProcessEnv): Promise<void> {
  const hasDisplay = process.platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY'];
  if (env['BROWSER'] === 'none' || !hasDisplay) return;
  // If the browser does not start, the person can still open the printed address.
  await open(address).catch(() => undefined);
}

function stop(): never {
  print('Stopped.');
  process.exit(0);
}

for (const signal of SIGNALS) process.once(signal, stop);
print('Starting a Slack workspace, an order service and the bot …');
const [sandbox, code] = await Promise.all([
  startSandbox({ transport, credentials: values.install ? 'oauth' : 'token' }),
  bundleClient(),
]).catch((error: unknown) => fail('The sandbox did not start', error));
try {
  if (!values.unconnected && !values.install) await connect(sandbox);
  sayOpening(sandbox);
  const page = await serve(sandbox, code);
  void sandbox.botEnded.then((end) => fail(`The bot ended with ${end}:\n${sandbox.log()}`));
  print(`Ready: ${page.origin}`);
  const program = `"${process.execPath}" "${join(import.meta.dirname, '../bin/countermand.mjs')}"`;
  print(`Terminal commands for its bot: (cd "${sandbox.folder}" && ${program} doctor)`);
  print('Press Ctrl+C to stop. Nothing is kept.');
  await openPage(page.origin, process.env);
} catch (error) {
  if (isTaken(error)) fail(`Port ${port} is taken. Choose another one, or leave --port out.`);
  fail('The page did not start', error);
}
