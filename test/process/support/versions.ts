/** Bundles a version of Countermand that does not exist yet: this one, with the next storage version. */
import { join } from 'node:path';
import { build, type Plugin } from 'rolldown';
import config from '../../../rolldown.config.ts';
import { SCHEMA_VERSION } from '../../../src/storage/storage-version.ts';

export const NEXT_VERSION: number = SCHEMA_VERSION + 1;

/** Raises the version that the bundle writes. It reads the present one, too. */
const raised: Plugin = {
  name: 'next-version',
  transform(code, id) {
    if (!id.endsWith('/storage-version.ts')) return undefined;
    return code.replace(/SCHEMA_VERSION = \d+/, `SCHEMA_VERSION = ${NEXT_VERSION}`);
  },
};

/** @returns the file to start */
export async function bundleOfNextVersion(folder: string): Promise<string> {
  const dir = join(folder, 'dist');
  await build({ ...config, plugins: [config.plugins, raised], output: { ...config.output, dir } });
  return join(dir, 'countermand.mjs');
}
