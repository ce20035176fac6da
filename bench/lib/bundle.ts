/** Puts the bot together as `npm run bundle` does. */
import { join } from 'node:path';
import { build } from 'rolldown';
import config from '../../rolldown.config.ts';

/** @param input to bundle, in place of the bot's own start @returns the file to start */
export async function bundleInto(folder: string, input = 'bin/countermand.mjs'): Promise<string> {
  const dir = join(folder, 'dist');
  await build({ ...config, input: { countermand: input }, output: { ...config.output, dir } });
  return join(dir, 'countermand.mjs');
}
