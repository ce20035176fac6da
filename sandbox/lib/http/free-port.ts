import { randomInt } from 'node:crypto';
import getPort from 'get-port';

/**
 * Above the last port that `fetch` refuses (10080: https://fetch.spec.whatwg.org/#port-blocking), and below those that
 * systems give to outgoing connections, of which tests open thousands (Linux: from 32768).
 */
const FROM = 10_081;
const BELOW = 32_768;

/** Processes that run at the same time have different numbers, so each looks in its own range of ports. */
const RANGES = 40;
const RANGE = Math.floor((BELOW - FROM) / RANGES);
const first = FROM + (process.pid % RANGES) * RANGE;

/** Returns a free port that this process has not used before: PUBLIC_URL must be known before the bot listens. */
export const freePort = (): Promise<number> =>
  getPort({ host: '127.0.0.1', port: candidates(), reserve: true });

/** In random order, because two processes may share a range. */
const candidates = () => Array.from({ length: RANGE }, () => first + randomInt(RANGE));
