/** Writes to the terminal, converts texts for Slack to plain text, and asks questions. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { richText } from '../slack/blocks/text.ts';

/** Writes lines to standard output. @throws if the reader closes the pipe early */
export const print = (lines: string[]): Promise<void> => writeAll([`${lines.join('\n')}\n`]);

/** Writes to standard output. @throws if the reader closes the pipe early */
export async function writeAll(parts: Iterable<string> | AsyncIterable<string>): Promise<void> {
  if (!(await writeUntilClosed(parts))) throw new Error('Standard output was closed before all was written.');
}

/**
 * Writes to standard output until the reader closes the pipe, and no faster than they read.
 *
 * @returns whether all was written
 */
export async function writeUntilClosed(parts: Iterable<string> | AsyncIterable<string>): Promise<boolean> {
  for await (const part of parts) if (!(await writeOne(part))) return false;
  return true;
}

/** Yields the first `most` items, and reads no further. */
export async function* first<T>(most: number, all: AsyncIterable<T>): AsyncGenerator<T> {
  let left = most;
  for await (const each of all) {
    yield each;
    left -= 1;
    if (left === 0) return;
  }
}

/** Yields the lines of a list, or `none` if it has no lines. */
export async function* orElse(none: string, lines: AsyncIterable<string>): AsyncGenerator<string> {
  let isEmpty = true;
  for await (const line of lines) {
    isEmpty = false;
    yield line;
  }
  if (isEmpty) yield none;
}

export const when = (isShown: boolean, ...lines: string[]): string[] => (isShown ? lines : []);

const writeOne = (part: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    process.stdout.write(part, (error?: NodeJS.ErrnoException | null) => {
      if (error && error.code !== 'EPIPE') reject(error);
      else resolve(!error);
    });
  });

type Element = ReturnType<typeof richText>['elements'][number]['elements'][number];

/** These could move the cursor, change the title of the window or reverse the rest of a line; a line break may stay. */
const CONTROLS = /(?!\n)\p{Cc}|\p{Bidi_Control}/gu;

/** Makes a text that a person or the order service typed harmless in a terminal, on one line. */
export const typed = (text: string): string => harmless(text).replaceAll('\n', ' ');

const harmless = (text: string): string => text.replace(CONTROLS, '\uFFFD');

/**
 * Marks the name of an emoji, which a terminal does not show. In brackets, where the emoji is the vote itself, the name is
 * printed; any other one is removed together with the space behind it.
 */
const MARK = '\0';
const DECORATION = /(?<!\()\0[^\0]*\0 ?/g;

/** @param mrkdwn in which everything typed is escaped */
export function plainText(mrkdwn: string): string {
  const parts = richText(harmless(mrkdwn)).elements.flatMap(({ elements }) => elements as Element[]);
  return parts.map(textOf).join('').replace(DECORATION, '').replaceAll(MARK, '');
}

function textOf(part: Element): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'user':
      return part.user_id;
    case 'channel':
      return part.channel_id;
    case 'usergroup':
      return part.usergroup_id;
    case 'date':
      return part.fallback ?? new Date(part.timestamp * 1_000).toISOString();
    case 'link':
      return part.text ? `${part.text} (${part.url})` : part.url;
    case 'emoji':
      return `${MARK}:${part.name}:${MARK}`;
    default:
      return '';
  }
}

export type Ask = ReturnType<typeof openAsk>;

/** Asks again until an answer has no problem. @param problemWith says what is wrong with it, and what to do */
export async function untilGood(
  ask: () => Promise<string>,
  problemWith: (answer: string) => Promise<string | undefined> | string | undefined,
): Promise<string> {
  for (;;) {
    const answer = (await ask()).trim();
    const problem = await problemWith(answer);
    if (problem === undefined) return answer;
    await print([problem]);
  }
}

export async function askYesOrNo(ask: Ask, question: string, usual: 'y' | 'n'): Promise<boolean> {
  const answer = await untilGood(
    () => ask.text(question, usual),
    (text) => (/^(y|yes|n|no)$/i.test(text) ? undefined : 'Type y or n.'),
  );
  return /^y/i.test(answer);
}

/** Opens the terminal for questions, until `close`. Each question throws if the person ends the input. */
export function openAsk() {
  let isHidden = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (isHidden) done();
      else process.stdout.write(chunk, () => done());
    },
  });
  // As a terminal, so that readline itself shows what is typed, and not the system.
  const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  const ended = new Promise<never>((_, reject) => {
    lines.once('close', () => reject(new Error('Setup was ended. Nothing was written.')));
  });
  ended.catch(() => {});
  const question = (text: string) => Promise.race([lines.question(text), ended]);
  return {
    /** @param usual the answer if the person only presses Enter */
    async text(text: string, usual = ''): Promise<string> {
      const answer = await question(usual === '' ? `${text}: ` : `${text} [${usual}]: `);
      return answer.trim() || usual;
    },
    async secret(text: string): Promise<string> {
      process.stdout.write(`${text} (not shown): `);
      isHidden = true;
      try {
        return await question('');
      } finally {
        isHidden = false;
        process.stdout.write('\n');
      }
    },
    close: () => lines.close(),
  };
}
