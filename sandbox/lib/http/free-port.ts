import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import getPort from 'get-port';

/**
 * Above the last port that `fetch` refuses (10080: https://fetch.spec.whatwg.org/#port-blocking), and below those that
 * systems give to outgoing connections, of which tests open thousands (Linux: from 32768).
 */
const FROM = 10_081;
const BELOW = 32_768;
const CANDIDATES = 100;
const host = '127.0.0.1';

/**
 * Returns a free TCP port, and keeps it from every other caller, in any process, until this process ends, because PUBLIC_URL
 * must be known before the bot listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await getPort({ host, port: candidates() });
    if (await reserve(port)) return port;
  }
}

const candidates = () => Array.from({ length: CANDIDATES }, () => randomInt(FROM, BELOW));

/**
 * The UDP port of the same number, which nothing else here uses, is the lock: the system gives it to one process, and takes
 * it back from one that has crashed.
 */
async function reserve(port: number): Promise<boolean> {
  const lock = createSocket('udp4').unref();
  try {
    lock.bind({ port, address: host, exclusive: true });
    await once(lock, 'listening');
    return true;
  } catch {
    lock.close();
    return false;
  }
}
