/** Writes the audit stream: each entry as one line of JSON, to a file or to standard output. */
import type { Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { auditLine } from '../export.ts';
import { sharingNext } from '../in-turn.ts';
import type { AuditStream } from '../requests/ports/ports.ts';
import { type LineOutput, STANDARD_OUTPUT } from '../standard-output.ts';

/** The value of AUDIT_FILE that means standard output. */
const TO_STANDARD_OUTPUT = '-';

/**
 * @param target the path of a file, which is opened for each write, so that it may be moved away at any time; `-`: standard
 *   output
 * @returns a stream whose `write` ends once the line is on the disk (standard output: handed to the operating system), and
 *   rejects if it may not be there as a whole
 */
export function createAuditStream(target: string, output: LineOutput = STANDARD_OUTPUT): AuditStream {
  const append =
    target === TO_STANDARD_OUTPUT
      ? (line: string) => writeTo(output, line)
      : joiningLines((lines) => appendTo(target, lines));
  return { write: (entry) => append(auditLine(entry)) };
}

/**
 * Hands a line to the operating system. If that takes too long, the line is still written whole later, and may be repeated. A line
 * does not join those that wait: each retry would add one.
 */
async function writeTo(output: LineOutput, line: string): Promise<void> {
  await untilFlushed(output);
  if (!output.write(line)) throw new Error('Too much waits for standard output.');
  await untilFlushed(output);
}

const TRY_EVERY_MS = 100;
/** A reader that takes longer than five seconds is no slow one. */
const TRIES = 50;

/** @throws if standard output takes nothing */
async function untilFlushed(output: LineOutput): Promise<void> {
  for (let tries = 1; ; tries++) {
    const reason = output.flush();
    if (!reason) return;
    if (reason.code !== 'EAGAIN' || tries === TRIES) throw reason;
    await sleep(TRY_EVERY_MS);
  }
}

/** Joins the lines that arrive during a write into the next one: each write waits for the disk. */
function joiningLines(append: (text: string) => Promise<void>): (line: string) => Promise<void> {
  let waiting = '';
  const flush = sharingNext(() => {
    const text = waiting;
    waiting = '';
    return append(text);
  });
  return (line) => {
    waiting += line;
    return flush();
  };
}

async function appendTo(path: string, lines: string): Promise<void> {
  const file = await open(path, 'a+', 0o600);
  try {
    const found = await file.stat();
    // A pipe takes lines that nobody reads, and drops them when it is closed.
    if (found.isFIFO())
      throw new Error(
        `AUDIT_FILE must name a file, and ${path} is a pipe. For standard output, set it to -.`,
      );
    await file.appendFile((await isCutShort(file, found)) ? `\n${lines}` : lines);
    // A device has no disk.
    if (found.isFile()) await file.datasync();
  } finally {
    await file.close();
  }
}

/** Whether the last line of the file was cut short, by a full disk or the end of the process. */
async function isCutShort(file: FileHandle, { size }: Stats): Promise<boolean> {
  if (size === 0) return false;
  const { buffer } = await file.read({ buffer: Buffer.alloc(1), position: size - 1 });
  return buffer.toString() !== '\n';
}
