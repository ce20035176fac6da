/** Bolt's and the Web API's logger, over ours. Their debug lines hold whole requests, secrets included: they are dropped. */
import { type Logger, LogLevel } from '@slack/bolt';
import type { Log } from '../../requests/ports/ports.ts';

export type { Logger };

export function boltLogger(log: Log): Logger {
  const line = (parts: unknown[]) =>
    parts.map((part) => (part instanceof Error ? part.message : String(part))).join(' ');
  return {
    debug() {},
    info: (...parts) => log.debug({ from: 'bolt' }, line(parts)),
    warn: (...parts) => log.warn({ from: 'bolt' }, line(parts)),
    error: (...parts) => log.error({ from: 'bolt' }, line(parts)),
    setLevel() {},
    getLevel: () => LogLevel.INFO,
    setName() {},
  };
}
