import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/storage/stores.ts';
import { startBot } from '../../lib/bot-process.ts';

test('a character that is split between two chunks of the output is read as one', async () => {
  const program = join(temporaryFolder(), 'program.mjs');
  // 300,000 bytes are several chunks of a pipe, whose size is no multiple of three.
  writeFileSync(program, "process.stdout.write('€'.repeat(100_000) + ' ready');");
  const bot = startBot(program, {}, [], 'ready');
  await bot.ended;
  expect(bot.output().replaceAll('€', '')).toBe(' ready');
});

test('a program runs in a folder without an .env: that of the clone is the operator’s, and the bot would read it', async () => {
  const program = join(temporaryFolder(), 'program.mjs');
  writeFileSync(program, "process.stdout.write('in ' + process.cwd());");
  const bot = startBot(program, {}, [], 'in ');
  await bot.ended;
  const folder = bot.output().replace('in ', '');
  expect(folder).not.toBe(process.cwd());
  expect(existsSync(join(folder, '.env'))).toBe(false);
});
