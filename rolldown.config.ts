import { readFileSync } from 'node:fs';
import { defineConfig } from 'rolldown';
import { readCommit } from './src/version.ts';

/** `npm run bundle`: the bot as a few files, which start sooner and need no node_modules. */
export default defineConfig({
  input: { countermand: 'bin/countermand.mjs' },
  platform: 'node',
  // An optional native addon, which msgpackr does without.
  external: ['msgpackr-extract'],
  // The image is built where there is no clone to ask: its builder gives the commit.
  transform: {
    define: { BUNDLED_COMMIT: JSON.stringify(process.env['COUNTERMAND_COMMIT'] || readCommit()) },
  },
  plugins: [
    {
      name: 'manifest',
      // `countermand setup` reads it.
      generateBundle() {
        const source = readFileSync('manifest.yml', 'utf8');
        this.emitFile({ type: 'asset', fileName: 'manifest.yml', source });
      },
    },
  ],
  output: {
    dir: 'dist',
    format: 'esm',
    cleanDir: true,
    entryFileNames: '[name].mjs',
    chunkFileNames: 'chunks/[name]-[hash].mjs',
  },
});
