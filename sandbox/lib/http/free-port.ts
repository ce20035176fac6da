import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Above the last port that `fetch` refuses (10080: https://fetch.spec.whatwg.org/#port-blocking), and below those that
 * systems give to outgoing connections, of which tests open thousands (Linux: from 32768).
 */
const FROM = 10_081;
const BELOW = 32_768;

/** Processes that run at the same time have different numbers: each looks in a range of its own, so that none is in another's way. */
const RANGES = 100;
const RANGE = Math.floor((BELOW - FROM) / RANGES);
const first = FROM + (process.pid % RANGES) * RANGE;

let given = randomInt(RANGE);

/** A port that was free a moment ago: PUBLIC_URL must be known before the bot listens. @throws where there is none */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < RANGE; tries++) {
    given = (given + 1) % RANGE;
    if (await isFree(first + given)) return first + given;
  }
  throw new Error(`There is no free port from ${first} to ${first + RANGE - 1}.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
