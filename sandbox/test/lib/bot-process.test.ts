import { writeFileSync } from 'node:fs';
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
