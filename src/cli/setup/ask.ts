/** Asks questions at a terminal. Secrets are not shown while they are typed. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

export type Ask = {
  /** @param usual the answer if the person only presses Enter @throws if the person ends the input */
  text(question: string, usual?: string): Promise<string>;
  secret(question: string): Promise<string>;
  close(): void;
};

export const say = (...lines: string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);

/** Asks again until an answer has no problem. @param problemWith says what is wrong with it, and what to do */
export async function untilGood(
  ask: () => Promise<string>,
  problemWith: (answer: string) => Promise<string | undefined> | string | undefined,
): Promise<string> {
  for (;;) {
    const answer = (await ask()).trim();
    const problem = await problemWith(answer);
    if (problem === undefined) return answer;
    say(problem);
  }
}

export async function askYesOrNo(ask: Ask, question: string, usual: 'y' | 'n'): Promise<boolean> {
  const answer = await untilGood(
    () => ask.text(question, usual),
    (text) => (/^(y|yes|n|no)$/i.test(text) ? undefined : 'Type y or n.'),
  );
  return /^y/i.test(answer);
}

/** Opens the terminal for questions, until `close`. */
export function openAsk(): Ask {
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
    async text(text, usual) {
      const answer = await question(usual === undefined ? `${text}: ` : `${text} [${usual}]: `);
      return answer.trim() || (usual ?? '');
    },
    async secret(text) {
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
