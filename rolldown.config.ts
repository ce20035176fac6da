import { defineConfig } from 'rolldown';

/** `npm run bundle`: the bot as a few files, which start sooner and need no node_modules. */
export default defineConfig({
  input: { countermand: 'bin/countermand.mjs' },
  platform: 'node',
  // An optional native addon, which msgpackr does without.
  external: ['msgpackr-extract'],
  output: {
    dir: 'dist',
    format: 'esm',
    cleanDir: true,
    entryFileNames: '[name].mjs',
    chunkFileNames: 'chunks/[name]-[hash].mjs',
  },
});
