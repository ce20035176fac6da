/** A real HAProxy before two replicas, set up as docs/replicas.md says. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach } from 'vitest';
import { findOnPath } from '../../../sandbox/lib/on-path.ts';
import { temporaryFolder } from '../../support/storage/stores.ts';
import { configurationFor } from './documented.ts';
import { watched } from './watched.ts';

const PROGRAM = findOnPath('haproxy', '/usr/sbin/haproxy');

/** Without one a test is skipped by name; with CI=true it fails. */
export function needsHaproxy(): void {
  beforeEach(({ skip }) => {
    if (!PROGRAM && process.env['CI'] === 'true')
      throw new Error('There is no haproxy on PATH or in /usr/sbin.');
    skip(!PROGRAM, 'there is no haproxy on PATH or in /usr/sbin');
  });
}

/** @param port its own @param replicas the ports of the two behind it @returns what it has printed so far */
export async function startHaproxy(port: number, replicas: readonly [number, number]): Promise<() => string> {
  const file = join(temporaryFolder(), 'haproxy.cfg');
  const config = configurationFor('HAProxy')
    .replaceAll(':8080', `127.0.0.1:${port}`)
    .replaceAll('10.0.0.1:3000', `127.0.0.1:${replicas[0]}`)
    .replaceAll('10.0.0.2:3000', `127.0.0.1:${replicas[1]}`);
  writeFileSync(file, config);
  const child = spawn(PROGRAM ?? 'haproxy', ['-db', '-f', file]);
  return watched(child).output;
}
