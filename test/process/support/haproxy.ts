/** A real HAProxy before two replicas, set up as docs/replicas.md says. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath } from '../../../sandbox/lib/on-path.ts';
import { needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/storage/stores.ts';
import { configurationFor } from './documented.ts';
import { watched } from './watched.ts';

const PROGRAM = findOnPath('haproxy', '/usr/sbin/haproxy');

export const needsHaproxy = () => needs(PROGRAM !== undefined, 'haproxy on PATH or in /usr/sbin');

/** @param port that of HAProxy @param replicas the ports of the two behind it @returns a function: what it has printed so far */
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
