/** Asks a person at a terminal. What they type as a secret is not shown. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

export type Ask = {
  /** @param usual the answer if they only press Enter @throws if they end the input */
  text(question: string, usual?: string): Promise<string>;
  secret(question: string): Promise<string>;
  close(): void;
};

/** Asks again until an answer has no problem. @param problemWith says what is wrong with it, and what to do */
export async function untilGood(
  ask: () => Promise<string>,
  say: (line: string) => void,
  problemWith: (answer: string) => Promise<string | undefined> | string | undefined,
): Promise<string> {
  for (;;) {
    const answer = (await ask()).trim();
    const problem = await problemWith(answer);
    if (problem === undefined) return answer;
    say(problem);
  }
}

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
