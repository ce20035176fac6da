/** Starts the processes that are measured, on a core of their own where the machine has `taskset` and two cores. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '../..');
const SERVER_CORE = '0';
const LOAD_CORE = '1';

export const IS_PINNED = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

/** The interval between two tries to connect to a starting server, and the longest wait for it. */
const TRY_MS = 2;
const LONGEST_START_MS = 60_000;
/** The unit of /proc/<pid>/stat: USER_HZ is 100 on every Linux that Node runs on. */
const TICK_MS = 10;

export type Measured = {
  port: number;
  origin: string;
  /** The time from its start until it took connections. */
  startMs: number;
  /** Resident memory in MB, now. */
  rssMb(): number;
  /** CPU time that it has used so far. */
  cpuMs(): number;
  stop(): Promise<void>;
};

/** Keeps this process, and the databases that it starts, off the core of the measured process. */
export function pinOwnProcess(): void {
  if (IS_PINNED) spawnSync('taskset', ['-acp', LOAD_CORE, `${process.pid}`]);
}

/**
 * Starts a server, and waits until it takes connections.
 *
 * @param args of Node: a file of the project, named from its root, and what follows it
 * @param folder where its log goes
 */
export async function startServer(
  args: readonly string[],
  { port, env, folder }: { port: number; env: Record<string, string>; folder: string },
): Promise<Measured> {
  const logFile = join(folder, `${port}.log`);
  const log = openSync(logFile, 'a');
  const began = performance.now();
  const child = spawnPinned(args, env, log);
  await untilListening(child, port).catch((error) => {
    throw new Error(`${args.join(' ')}: ${error}\n${readFileSync(logFile, 'utf8').slice(-2_000)}`);
  });
  const startMs = performance.now() - began;
  const { pid = 0 } = child;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    startMs,
    rssMb: () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024,
    cpuMs: () => cpuMsOf(pid),
    stop: () => stop(child),
  };
}

/** Runs a file of the project on the core for measured processes. @returns what it has printed, parsed as JSON */
export async function runMeasured(args: readonly string[]): Promise<unknown> {
  const child = spawnPinned(args, {}, 'pipe');
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}.`);
  return JSON.parse(output);
}

function spawnPinned(args: readonly string[], env: Record<string, string>, output: number | 'pipe') {
  const file = args.findIndex((arg) => !arg.startsWith('--'));
  const given = args.with(file, resolve(ROOT, args[file] ?? ''));
  const command = [...(IS_PINNED ? ['taskset', '-c', SERVER_CORE] : []), process.execPath, ...given];
  const { PATH = '', HOME = '' } = process.env;
  return spawn(command[0] as string, command.slice(1), {
    // A bot would read the `.env` of the root, which belongs to the operator's own.
    cwd: import.meta.dirname,
    env: { PATH, HOME, NODE_ENV: 'production', ...env },
    stdio: ['ignore', output, output === 'pipe' ? 'inherit' : output],
  });
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  const givenUpAt = performance.now() + LONGEST_START_MS;
  while (!(await takesConnections(port))) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    if (performance.now() > givenUpAt) throw new Error('it did not listen in time');
    await sleep(TRY_MS);
  }
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** User and system time of a process (https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html, fields 14 and 15). */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  // A bot that stops by itself writes what it has compiled to its cache, for the next one that starts.
  child.kill('SIGTERM');
  await ended;
}
