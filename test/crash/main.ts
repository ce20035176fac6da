/** Kills the bot before and after each of its outside calls, and reports what was lost or doubled. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments, refuseArguments } from '../../sandbox/lib/arguments.ts';
import { bundleBot, killPoints, run, violations } from './run.ts';

const USAGE = 'npm run crash -- [--without claims]';

const { values } = readArguments(USAGE, { options: { without: { type: 'string' } } });
if (values.without !== undefined && values.without !== 'claims')
  refuseArguments(USAGE, 'Only --without claims is known.');
const claims = values.without === undefined;
const print = (line: string) => process.stdout.write(`${line}\n`);

const folder = mkdtempSync(join(tmpdir(), 'countermand-crash-bot-'));
process.once('exit', () => rmSync(folder, { recursive: true }));
const bot = await bundleBot(folder);
const clean = await run(bot);
print(`A clean run goes outside ${clean.outside.length} times: ${clean.outside.join(', ')}.`);
let broken = 0;
for (const point of killPoints(clean)) {
  const report = await run(bot, { point, claims });
  const wrong = violations(report);
  broken += wrong.length > 0 ? 1 : 0;
  print(
    `killed ${point.when} ${point.name} no. ${point.nth}: ${report.state}; ${wrong.join(', ') || 'nothing lost, nothing doubled'}`,
  );
}
print(`${killPoints(clean).length} deaths, ${broken} of them with something lost or doubled.`);
if (!claims && broken === 0) print('Without claims something must be doubled: this check finds nothing.');
process.exitCode = claims === (broken === 0) ? 0 : 1;
