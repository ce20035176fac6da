#!/usr/bin/env node
// Plain JavaScript that any Node can read: an old one gets a sentence instead of a syntax error.
import module from 'node:module';

const NEEDED = 24;

if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  process.stderr.write(
    `Countermand needs Node.js ${NEEDED} or newer, and this is ${process.version}: run it with "npm start", which brings its own.\n`,
  );
  process.exit(1);
}

module.enableCompileCache?.();
const args = process.argv.slice(2);
if (args.length === 0) {
  await import('../src/main.ts');
} else {
  const { runCommand } = await import('../src/cli.ts');
  process.exitCode = await runCommand(args);
}
