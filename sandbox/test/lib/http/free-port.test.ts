import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { freePort } from '../../../lib/http/free-port.ts';

const MODULE = new URL('../../../lib/http/free-port.ts', import.meta.url).href;
/** Enough for a dozen ports to be in both lists, if processes chose at random and knew nothing of each other. */
const PORTS = 500;

async function choose(): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < PORTS) ports.push(await freePort());
  return ports;
}

/** Chooses as many ports in another process, which then ends. */
async function chooseElsewhere(): Promise<number[]> {
  const script = `
    import { freePort } from '${MODULE}';
    const ports = [];
    while (ports.length < ${PORTS}) ports.push(await freePort());
    console.log(ports.join(' '));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  return stdout.trim().split(' ').map(Number);
}

test('a port is given once, whichever process asks', async () => {
  const ports = await choose();
  const others = await chooseElsewhere();
  expect(new Set([...ports, ...others]).size).toBe(2 * PORTS);
});
