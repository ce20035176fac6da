/** Creates the log with pino: masks every secret, limits every line, and collapses lines that repeat. */
import { type DestinationStream, type Logger, pino } from 'pino';
import { STANDARD_OUTPUT } from './standard-output.ts';

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

/**
 * Creates a log.
 *
 * @param options `writer`: the process that writes, and its version, which are fields of every line
 * @param destination undefined: standard output, as the log of the whole process
 * @returns the log. `flush` writes the numbers of lines that were omitted: call it at the end of a command or of the bot. The log
 *   of the whole process also does so at every exit
 */
export async function createLogger(
  options: { level: string; pretty: boolean; writer?: { replica: string; version: string } },
  destination?: NodeJS.WritableStream,
): Promise<Logger> {
  const output = destination ?? STANDARD_OUTPUT;
  const written = options.pretty ? await prettyStream(output) : output;
  const repeats = createRepeats();
  const stream = { write: (line: string) => void written.write(line), flush: repeats.writeCounts };
  if (!destination) {
    process.on('exit', () => {
      repeats.writeCounts();
      STANDARD_OUTPUT.end();
    });
  }
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
          else repeats.write(repeatKey(level, fields, message), write);
        },
        streamWrite: mask,
      },
    },
    stream,
  );
}

/**
 * Creates a stream of lines for a person. Only this loads pino-pretty, whose own stream is not used: it ends for good once a line
 * can't be written.
 */
async function prettyStream(output: DestinationStream): Promise<DestinationStream> {
  const { prettyFactory } = await import('pino-pretty');
  const prettify = prettyFactory({
    ignore: 'pid,hostname,replica,version',
    translateTime: 'SYS:HH:MM:ss',
  });
  return { write: (line) => output.write(prettify(line)) };
}

/**
 * Keeps a line below 16 KiB, where Docker splits lines, even after masking. One answer of a service once filled 280 MB.
 */
export const BYTES = { fields: 6_000, message: 3_000 };

/** The most characters of one text: few enough that a long text leaves room for the fields after it. */
const TEXT_LENGTH = 1_000;
const ITEMS = 100;
const DEPTH = 6;
const STACK = { characters: 4_000, frames: 10 };
const CUT = '…';

/** @returns the value with its errors described, and cut to `bytes` bytes of JSON. An ellipsis marks what was left out */
export function bounded(value: unknown, bytes: number): unknown {
  let left = bytes;

  function spend(text: string): string {
    left -= Buffer.byteLength(JSON.stringify(text)) + 2;
    return text;
  }

  function fitting(text: string): string {
    let length = TEXT_LENGTH;
    while (Buffer.byteLength(JSON.stringify(text.slice(0, length))) > left && length > 0) {
      length = Math.floor(length / 2);
    }
    return text.length > length ? text.slice(0, length).toWellFormed() + CUT : text;
  }

  function entries(object: object, depth: number): [string, unknown][] {
    const all = Object.entries(object);
    const fit: [string, unknown][] = [];
    for (const [key, item] of all.slice(0, ITEMS)) {
      if (left <= 0) break;
      fit.push([spend(fitting(key)), walk(item, depth + 1)]);
    }
    const rest = all.length - fit.length;
    return rest === 0 ? fit : [...fit, [CUT, `${rest} more`]];
  }

  function walk(given: unknown, depth: number): unknown {
    const plain = forJson(given);
    if (typeof plain === 'string') return spend(fitting(plain));
    if (typeof plain !== 'object' || plain === null) {
      spend(String(plain));
      return plain;
    }
    if (depth > DEPTH || left <= 0) return CUT;
    const fit = entries(plain, depth);
    return Array.isArray(plain) ? fit.map(([, item]) => item) : Object.fromEntries(fit);
  }

  return walk(value, 0);
}

/** Converts a value for JSON, its parts still unlimited. */
function forJson(value: unknown): unknown {
  if (value instanceof Error) return describe(value);
  if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`;
  if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function')
    return String(value);
  const isConvertible = typeof value === 'object' && value !== null && 'toJSON' in value;
  return isConvertible && typeof value.toJSON === 'function' ? value.toJSON() : value;
}

function describe(error: Error): object {
  const { name, cause, stack = '' } = error;
  const { message: _message, name: _name, stack: _stack, cause: _cause, ...own } = error;
  const message = withoutArguments(shortMessageOf(error));
  const frames = stack.slice(-STACK.characters).split('\n').filter(isFrame).slice(0, STACK.frames);
  return {
    type: name,
    message,
    stack: [`${name}: ${message.slice(0, TEXT_LENGTH)}`, ...frames].join('\n'),
    ...own,
    ...(error instanceof AggregateError ? { errors: error.errors } : {}),
    ...(cause === undefined ? {} : { cause }),
  };
}

/** Redis quotes the arguments of a command that it does not know: those of AUTH are the user and the password. */
export const withoutArguments = (message: string): string =>
  message.replace(/, with args beginning with: .*/s, '');

const isFrame = (line: string): boolean => /^\s+at /.test(line);

/** Shortens the message of a ZodError, which holds all its issues as JSON, possibly one for each element of a list. */
export function shortMessageOf(error: Error & { issues?: unknown }): string {
  if (error.name !== 'ZodError' || !Array.isArray(error.issues)) return error.message;
  const [first, ...others] = error.issues as { path: PropertyKey[]; code: string }[];
  const where = first?.path.map(String).join('.') || 'the value';
  return `${where}: ${first?.code}${others.length > 0 ? ` (and ${others.length} more)` : ''}`;
}

/** The interval at which the number of repeats of a line is written. */
export const REPEATS_MS = 60_000;
/** Beyond this number lines are not collapsed, so that nothing is lost and memory stays limited. */
const MOST_LINES_COLLAPSED = 1_000;

/** `repeats`: the number of omitted lines. `since`: when the first omitted line came, epoch milliseconds. */
type Omitted = { repeats: number; since: number };

type Write = (omitted?: Omitted) => void;

/**
 * Collapses repeated lines: the first is written at once, then one line a minute with the number of omitted lines, and
 * the time of the first omitted line. Otherwise a replica whose Redis accepts no writes would fill the log with one line.
 *
 * @returns `write`: takes each line; lines with the same key are repeats of each other. `writeCounts`: writes the
 *   numbers at once
 */
function createRepeats() {
  const collapsed = new Map<string, Omitted & { write: Write }>();

  function collapse(key: string, first: Write): void {
    const line = { repeats: 0, since: 0, write: first };
    collapsed.set(key, line);
    const writeCount = () => {
      collapsed.delete(key);
      const { write, ...omitted } = line;
      if (omitted.repeats === 0) return;
      collapse(key, write);
      write(omitted);
    };
    setTimeout(writeCount, REPEATS_MS).unref();
  }

  return {
    write(key: string, write: Write): void {
      const line = collapsed.get(key);
      if (line) {
        if (line.repeats === 0) line.since = Date.now();
        line.repeats += 1;
        line.write = write;
        return;
      }
      if (collapsed.size < MOST_LINES_COLLAPSED) collapse(key, write);
      write();
    },
    writeCounts(): void {
      for (const line of collapsed.values()) {
        const { write, ...omitted } = line;
        line.repeats = 0;
        if (omitted.repeats > 0) write(omitted);
      }
    },
  };
}

/** Fields that differ between repeats: stack traces, durations, and the digests, topics and orders of events. */
const NOT_COMPARED = /^(?:stack|ms|digest|topic|target)$|(?:Ms|Seconds)$/;

/** @param fields as JSON can hold them @returns the same key for equivalent lines */
export function repeatKey(level: number, fields: unknown, message: readonly unknown[]): string {
  return JSON.stringify([level, message, fields], (key, value) =>
    NOT_COMPARED.test(key) ? undefined : value,
  );
}
