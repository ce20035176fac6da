import { expect, test } from 'vitest';
import project from '../../package.json' with { type: 'json' };
import { startBot } from '../../sandbox/lib/bot-process.ts';

/** The scripts of package.json that are programs of this repository; `start` and `countermand` are the bot's own. */
const PROGRAMS = Object.entries(project.scripts).flatMap(([name, command]) => {
  const [, file] = /^node (\S+\.ts)$/.exec(command) ?? [];
  return file ? [[name, file] as const] : [];
});

test.concurrent.each(PROGRAMS)(
  'npm run %s answers an unknown option with its usage, and does nothing else',
  async (name, file) => {
    const program = startBot(file, {}, ['--nonsense']);
    expect([await program.ended, program.output()]).toEqual([
      2,
      expect.stringMatching(`^Unknown option '--nonsense'.*\nnpm run ${name}\\b`),
    ]);
  },
);

// They all read their arguments by the same function: a program that got as far as its usage has --help, too.
test('a program explains itself with --help, and does nothing else', async () => {
  const program = startBot('sandbox/main.ts', {}, ['--help']);
  expect([await program.ended, program.output()]).toEqual([0, expect.stringMatching(/^npm run sandbox\b/)]);
});
