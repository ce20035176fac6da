/** Runs a program as another user in a read-only system with a private /tmp, by bubblewrap, which needs no privileges. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { findOnPath } from '../../../sandbox/lib/on-path.ts';
import { watched } from '../../process/support/watched.ts';
import { needs } from '../../support/needs.ts';

const BUBBLEWRAP = findOnPath('bwrap');
const SET_USER = findOnPath('setpriv', '/usr/bin/setpriv');
/** The path that the Node of the test has inside. */
const NODE = '/opt/node';

export const needsBubblewrap = () => needs(BUBBLEWRAP !== undefined, 'bwrap on PATH');

export type Confined = {
  command: readonly string[];
  env: Record<string, string>;
  /** Folders by the path that they have inside. Their parents are empty. Everything else of the machine is read-only. */
  folders: Record<string, { from: string; isWritable: boolean }>;
  /** The working directory inside. */
  cwd: string;
  /** Its user and group by id, if the test runs as root; otherwise the program runs as the test's own user. */
  user?: number;
};

export type ConfinedProcess = {
  output(): string;
  /** Resolves with its exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
  /** Sends SIGTERM to the program, as a service manager does. */
  terminate(): Promise<void>;
};

/** Starts it. What still runs at the end of the test is killed. */
export function startConfined({ command, env, folders, cwd, user }: Confined): ConfinedProcess {
  const binds = Object.entries(folders).flatMap(([path, { from, isWritable }]) => [
    isWritable ? '--bind' : '--ro-bind',
    from,
    path,
  ]);
  const args = [
    ...['--die-with-parent', '--unshare-user', '--json-status-fd', '3'],
    ...machine(['/opt', ...Object.keys(folders)]),
    ...['--ro-bind', dirname(process.execPath), NODE, ...binds, '--remount-ro', '/'],
    ...['--chdir', cwd, '--', ...command],
  ];
  const [program, before] = asUser(user);
  const child = spawn(program, [...before, ...args], {
    env: { PATH: `${NODE}:${process.env['PATH']}`, HOME: '/tmp', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const { output } = watched(child);
  const status = child.stdio[3] as Readable;
  const pid = once(status, 'data').then(([line]) => Number(/"child-pid": (\d+)/.exec(`${line}`)?.[1]));
  const ended = once(child, 'close').then(([code, signal]) => signal ?? code);
  return {
    output,
    ended,
    async terminate() {
      process.kill(await pid, 'SIGTERM');
    },
  };
}

/** Shows the machine read-only, but for the folders above `paths`, of which nothing is shown. */
function machine(paths: readonly string[]): string[] {
  const tops = new Set(paths.map((path) => path.split('/')[1]));
  const own = new Set([...tops, 'proc', 'dev', 'tmp']);
  const shown = readdirSync('/', { withFileTypes: true })
    .filter(({ name }) => !own.has(name))
    .flatMap((entry) => {
      const path = `/${entry.name}`;
      if (entry.isSymbolicLink()) return ['--symlink', readlinkSync(path), path];
      return entry.isDirectory() ? ['--ro-bind', path, path] : [];
    });
  return [...shown, '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'];
}

function asUser(user: number | undefined): [string, string[]] {
  const bubblewrap = BUBBLEWRAP ?? 'bwrap';
  if (user === undefined || process.getuid?.() !== 0) return [bubblewrap, []];
  return [SET_USER ?? 'setpriv', [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', bubblewrap]];
}

/** Runs it to its end. @throws with what it printed, if it fails */
export async function runConfined(confined: Confined): Promise<string> {
  const { ended, output } = startConfined(confined);
  const end = await ended;
  if (end !== 0) throw new Error(`${confined.command.join(' ')} ended with ${end}:\n${output()}`);
  return output();
}
