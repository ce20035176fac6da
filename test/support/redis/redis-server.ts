/** A Redis server that a test may kill, pause and start again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../sandbox/lib/http/free-port.ts';
import { findOnPath } from '../../../sandbox/lib/on-path.ts';

export type RedisServer = {
  url: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts a killed server again, with the data in its file. */
  restart(): Promise<void>;
  /** SIGSTOP: connections are accepted and bytes arrive, but are not read. */
  pause(): void;
  resume(): void;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
};

const BINARIES = ['redis-server', 'valkey-server'];

/** @returns the path of the first that is installed */
export const findRedisServer = (): string | undefined => findOnPath(...BINARIES);

/** @param options more of its own options: `--maxmemory-policy`, `allkeys-lru` */
export async function startRedisServer(options: readonly string[] = []): Promise<RedisServer> {
  const binary = findRedisServer();
  if (!binary) throw new Error(`Neither ${BINARIES.join(' nor ')} is on PATH.`);
  const folder = mkdtempSync(join(tmpdir(), 'countermand-redis-'));
  // Always: with everysec Redis answers before it has written, where the disk is slow, and SIGKILL takes that with it.
  const file = ['--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];
  // A master usually waits for 5 s before it sends a replica all that it has, so that several replicas share that.
  const own = ['--bind', '127.0.0.1', '--repl-diskless-sync-delay', '0', ...file];
  const startAt = (at: number) => launch(binary, ['--port', `${at}`, ...own, ...options]);
  const first = await onFreePort(startAt);
  const { port } = first;
  let { child } = first;
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    restart: async () => {
      child = await startAt(port);
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a server on a free port. Another process may take that port, or the second one of a cluster, so it is tried again. */
export async function onFreePort(start: (port: number) => Promise<ChildProcess>) {
  for (let tries = 1; ; tries++) {
    const port = await freePort();
    try {
      return { port, child: await start(port) };
    } catch (error) {
      if (tries === 5 || !String(error).includes('Address already in use')) throw error;
    }
  }
}

/** Resolves once it accepts connections. */
export async function launch(
  binary: string,
  args: string[],
  says = 'Ready to accept connections',
): Promise<ChildProcess> {
  const child = spawn(binary, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  // A test run that is stopped leaves no server behind.
  const killed = () => void child.kill('SIGKILL');
  process.once('exit', killed);
  child.once('exit', () => process.off('exit', killed));
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      if (output.includes(says)) resolve();
    });
    child.once('exit', () => reject(new Error(`${binary} ended:\n${output}`)));
  });
  return child;
}
