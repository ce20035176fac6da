/** The log: pino, with every secret masked and every line bounded before it leaves the process. */
import { type Logger, pino } from 'pino';
import { bounded } from './bounded.ts';
import { createRepeats, repeatKey } from './repeats.ts';

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

/**
 * A line stays below 16 KiB, at which Docker splits lines, whatever the masks add to it. One answer of a service has filled
 * 280 MB before.
 */
const BYTES = { fields: 6_000, message: 3_000 };

/** pino's number for `warn`: what is less urgent than that is always written, however often. */
const WARN = 40;

/** Stands in every line: which process wrote it, and of which version it is. */
export type Writer = { replica: string; version: string };

/** @param destination standard output where none is given */
export async function createLogger(
  options: { level: string; pretty: boolean; writer?: Writer },
  destination?: NodeJS.WritableStream,
): Promise<Logger> {
  const stream = options.pretty
    ? await prettyStream(destination ?? 1)
    : (destination ?? pino.destination({ dest: 1, sync: true }));
  const repeats = createRepeats();
  return pino(
    {
      level: options.level,
      base: options.writer ?? null,
      // `bounded` has described them already.
      serializers: { err: (described: unknown) => described },
      hooks: {
        logMethod(args, log, level) {
          const [given, ...rest] = args as [unknown, ...unknown[]];
          const message = rest.map((each) => bounded(each, BYTES.message));
          const fields = bounded(given, BYTES.fields);
          const write = (count?: number) => {
            const counted = count === undefined ? fields : { ...(fields as object), repeats: count };
            Reflect.apply(log, this, [counted, ...message]);
          };
          if (level < WARN) write();
          else repeats(repeatKey(level, fields, message), write);
        },
        streamWrite: mask,
      },
    },
    stream,
  );
}

/** Loaded only where a person reads the log. */
async function prettyStream(destination: NodeJS.WritableStream | number) {
  const { build } = await import('pino-pretty');
  return build({
    destination,
    ignore: 'pid,hostname,replica,version',
    translateTime: 'SYS:HH:MM:ss',
  });
}
