/**
 * Adapts our log for Bolt and the Web API client. Their debug lines hold whole requests with secrets, so they are
 * dropped.
 */
import { type Logger, LogLevel } from '@slack/bolt';
import type { Log } from '../../outbox/ports.ts';

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
