/**
 * Adapts our log for Bolt and the Web API client. Their debug lines hold whole requests with secrets, so they are
 * dropped.
 */
import { type Logger, LogLevel } from '@slack/bolt';
import type { Log } from '../../outbox/ports.ts';

export type { Logger };

/** What the client says of each call that fails: whoever has made the call says so, too. */
const isOfOneCall = ([first]: unknown[]): boolean => /^http request failed/.test(String(first));

export function boltLogger(log: Log): Logger {
  const line = (parts: unknown[]) =>
    parts.map((part) => (part instanceof Error ? part.message : String(part))).join(' ');
  return {
    debug() {},
    info: (...parts) => log.debug({ from: 'bolt' }, line(parts)),
    warn: (...parts) => log[isOfOneCall(parts) ? 'debug' : 'warn']({ from: 'bolt' }, line(parts)),
    error: (...parts) => log.error({ from: 'bolt' }, line(parts)),
    setLevel() {},
    getLevel: () => LogLevel.INFO,
    setName() {},
  };
}
