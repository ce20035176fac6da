/** Puts the bot together as `npm run bundle` does. */
import { join } from 'node:path';
import { build } from 'rolldown';
import config from '../../rolldown.config.ts';

/** @returns the file to start */
export async function bundleInto(folder: string): Promise<string> {
  const dir = join(folder, 'dist');
  await build({ ...config, output: { ...config.output, dir } });
  return join(dir, 'countermand.mjs');
}
