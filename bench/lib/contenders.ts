/** Starts the contenders that are measured side by side, and makes lines of their figures. */
import { freePort } from '../../sandbox/lib/http/free-port.ts';
import { ownCacheFolder } from '../../src/compile-cache.ts';
import type { Bench, Line } from './bench.ts';
import { botEnvironment, type Services, SIGNING_SECRET } from './environment.ts';
import type { Load } from './load.ts';
import { type Measured, startServer } from './processes.ts';

/** The flags of Node in `npm start`. */
const NODE_FLAGS = ['--max-semi-space-size=8', '--no-allocation-site-pretenuring'];

/** The cache of compiled code, as bin/countermand.mjs has it. */
const FOLDER = ownCacheFolder();
const COMPILED = FOLDER === undefined ? {} : { NODE_COMPILE_CACHE: FOLDER };

/** @param variant of bench/servers/bot.ts @param storageUrl of a storage that was seeded */
export function startBot(
  bench: Bench,
  variant: string,
  storageUrl: string,
  services: Services = {},
): Promise<Measured> {
  return start(bench, [...NODE_FLAGS, 'bench/servers/bot.ts', variant], (port) => ({
    ...botEnvironment(storageUrl, port, services),
    ...COMPILED,
  }));
}

/** @param entry of the bundle */
export function startBundle(
  bench: Bench,
  entry: string,
  storageUrl: string,
  services: Services = {},
): Promise<Measured> {
  return start(bench, [...NODE_FLAGS, entry], (port) => botEnvironment(storageUrl, port, services));
}

export function startAnchor(bench: Bench, name: 'bolt' | 'bolt-calls' | 'raw', env = {}): Promise<Measured> {
  const secrets = { SLACK_SIGNING_SECRET: SIGNING_SECRET, ...env };
  return start(bench, [`bench/anchors/${name}.mjs`], (port) => ({ PORT: `${port}`, ...secrets }));
}

async function start(bench: Bench, args: string[], env: (port: number) => Record<string, string>) {
  const port = await freePort();
  const server = await startServer(args, { port, env: env(port), folder: bench.folder });
  bench.defer(server.stop);
  return server;
}

const UNITS: Record<keyof Load, string> = { perSecond: '/s', p50: 'ms', p99: 'ms', cpuUs: 'us' };
const NAMES: Record<keyof Load, string> = { perSecond: '', p50: ', p50', p99: ', p99', cpuUs: ', CPU each' };

type Comparison<Name> = { what: string; ours: Name; beside: Name; of: keyof Load };

/** Compares one figure of two contenders. */
export function compare<Name extends string>(
  loads: Record<Name, Load[]>,
  { what, ours, beside, of }: Comparison<Name>,
): Line {
  const figuresOf = (name: Name) => loads[name].map((load) => load[of]);
  const anchor = { name: beside, figures: figuresOf(beside) };
  return { what: `${what}${NAMES[of]}`, unit: UNITS[of], ours: figuresOf(ours), anchor };
}
