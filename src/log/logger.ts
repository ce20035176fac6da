/** Creates the log with pino: every secret is masked, and every line is limited, before it leaves the process. */
import { type Logger, pino } from 'pino';
import { BYTES, bounded, createRepeats, type Omitted, repeatKey } from './lines.ts';

export type { Logger };

/** Masks Slack's tokens, the tickets of its WebSockets, whatever follows "Bearer", and fields with names of secrets. */
const MASKS: readonly [RegExp, string][] = [
  [/\bxox[a-z]-[\w-]+/g, '[token]'],
  [/\bxapp-[\w-]+/g, '[token]'],
  [/\bticket=[\w-]+/g, 'ticket=[masked]'],
  [/\bBearer\s+[^\s"\\]+/gi, 'Bearer [token]'],
  [/("(?:[a-z_]*(?:token|secret|authorization|signature))"\s*:\s*)"(?:[^"\\]|\\.)*"/gi, '$1"[masked]"'],
];

export function mask(line: string): string {
  return MASKS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}

/** pino's level `warn`. Lines below it are always written, however often they repeat. */
const WARN = 40;

/** The fields of every line: the process that wrote it, and its version. */
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
      // `bounded` has described errors already.
      serializers: { err: (described: unknown) => described },
      hooks: {
        logMethod(args, log, level) {
          const [given, ...rest] = args as [unknown, ...unknown[]];
          const message = rest.map((each) => bounded(each, BYTES.message));
          const fields = bounded(given, BYTES.fields);
          const write = (omitted?: Omitted) => {
            Reflect.apply(log, this, [omitted ? { ...(fields as object), ...omitted } : fields, ...message]);
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
