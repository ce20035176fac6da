/** The log: pino, with every secret masked before a line leaves the process. */
import { type Logger, pino } from 'pino';
import { build as pretty } from 'pino-pretty';

export type { Logger };

/** Slack's tokens, the tickets of its WebSockets, whatever follows "Bearer", and fields that are named like secrets. */
const MASKS: readonly [RegExp, string][] = [
  [/\bxox[a-z]-[\w-]+/g, '[token]'],
  [/\bxapp-[\w-]+/g, '[token]'],
  [/\bticket=[\w-]+/g, 'ticket=[masked]'],
  [/\bBearer\s+[^\s"\\]+/gi, 'Bearer [token]'],
  [/("(?:[a-z_]*(?:token|secret|authorization|signature))"\s*:\s*)"(?:[^"\\]|\\.)*"/gi, '$1"[masked]"'],
];

/** A line of the log without secrets. */
export function mask(line: string): string {
  return MASKS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}

/** @param destination standard output where none is given */
export function createLogger(
  options: { level: string; pretty: boolean },
  destination?: NodeJS.WritableStream,
): Logger {
  const stream = options.pretty
    ? pretty({ destination: destination ?? 1, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' })
    : (destination ?? pino.destination({ dest: 1, sync: true }));
  return pino({ level: options.level, base: null, hooks: { streamWrite: mask } }, stream);
}
