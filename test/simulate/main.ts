/**
 * npm run simulate -- [--seed N] [--plays N] [--workers N] [--found] [--story] [--coverage] [--without GUARD]
 *
 * Plays plays, each from its own seed, or those that were found once, and tells what went wrong in them. The same seed
 * gives the same hash.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { coverageTable } from './coverage.ts';
import { removeGuard } from './guards.ts';
import { type Failed, playMany } from './play-many.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    plays: { type: 'string', default: '1000' },
    workers: { type: 'string', default: String(availableParallelism()) },
    found: { type: 'boolean', default: false },
    story: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
    without: { type: 'string' },
  },
});

const print = (text: string) => void process.stdout.write(`${text}\n`);
const printFailed = ({ seed, violations }: Failed) =>
  print(`seed ${seed}: ${violations.join('\n  ').slice(0, 2_000)}`);

const { without } = values;
// Before the bot is loaded, which the story of a play needs.
if (without !== undefined) removeGuard(without);

print(`seed ${values.seed}, ${values.plays} plays${without ? `, without ${without}` : ''}`);
const result = await playMany({
  seed: Number(values.seed),
  plays: Number(values.plays),
  workers: Number(values.workers),
  found: values.found,
  without,
  stopAtFirst: without !== undefined,
  onFailed: printFailed,
});
if (values.coverage) print(coverageTable(result.coverage));
const [first] = result.failed;
if (first && values.story) print(await (await import('./tell.ts')).tell(first.seed));
print(`hash: ${result.hash}`);
print(`plays: ${result.played} (${result.perSecond} a second)`);
print(`violations: ${result.failed.length}`);
process.exitCode = result.failed.length > 0 === (without !== undefined) ? 0 : 1;
