#!/usr/bin/env node
// Plain JavaScript that any Node can read: an old one gets a sentence instead of a syntax error.
import { existsSync } from 'node:fs';
import module from 'node:module';

const NEEDED = 26;

if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  // A development dependency: it is not there after `npm install --omit=dev`.
  const hasOwn = existsSync(new URL('../node_modules/node/package.json', import.meta.url));
  const help = hasOwn
    ? `run it with "${process.argv.length > 2 ? 'npm run -s countermand -- …' : 'npm start'}", which uses the Node.js that "npm install" has brought.`
    : `install that (https://nodejs.org), or run "npm install" without --omit=dev, which brings one.`;
  process.stderr.write(
    `Countermand needs Node.js ${NEEDED} or newer, and this is ${process.version}: ${help}\n`,
  );
  process.exit(1);
}

const { useOwnCompileCache } = await import('../src/compile-cache.ts');
useOwnCompileCache();
const args = process.argv.slice(2);
if (args.length === 0) {
  await import('../src/main.ts');
  // Now, since a process that is killed writes nothing: the next start finds all that this one has compiled.
  module.flushCompileCache();
} else {
  const { runCommand } = await import('../src/cli.ts');
  process.exitCode = await runCommand(args);
}
