import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import project from '../../package.json' with { type: 'json' };
import { startBot } from '../../sandbox/lib/bot-process.ts';

/** The scripts of package.json that are programs of this repository; `start` and `countermand` are the bot's own. */
const PROGRAMS = Object.entries(project.scripts).flatMap(([name, command]) => {
  const [, file] = /^node (\S+\.ts)$/.exec(command) ?? [];
  return file ? [[name, file] as const] : [];
});

/** Runs a program in this process until it ends itself. @returns its exit code, and what it printed */
async function run(file: string, ...args: string[]) {
  const { argv } = process;
  const handlers = new Set(process.listeners('SIGTERM'));
  let printed = '';
  const print = (text: unknown) => {
    printed += text;
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(print),
    vi.spyOn(process.stderr, 'write').mockImplementation(print),
  ];
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`the program ended with ${code}`);
  });
  onTestFinished(() => {
    process.argv = argv;
    for (const spy of [...spies, exit]) spy.mockRestore();
    for (const each of process.listeners('SIGTERM'))
      if (!handlers.has(each)) process.removeListener('SIGTERM', each);
  });
  process.argv = [process.execPath, file, ...args];
  const end = await import(join(import.meta.dirname, '../..', file)).catch((error: Error) => error.message);
  return [end, printed];
}

test.each(PROGRAMS)(
  'npm run %s answers an unknown option with its usage, and does nothing else',
  async (name, file) => {
    expect(await run(file, '--nonsense')).toEqual([
      'the program ended with 2',
      expect.stringMatching(`^Unknown option '--nonsense'.*\nnpm run ${name}\\b`),
    ]);
  },
);

// They all read their arguments by the same function: a program that got as far as its usage has --help, too.
test('a program explains itself with --help, and does nothing else', async () => {
  const program = startBot('sandbox/main.ts', {}, ['--help']);
  expect([await program.ended, program.output()]).toEqual([0, expect.stringMatching(/^npm run sandbox\b/)]);
});
