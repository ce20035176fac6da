/**
 * npm run simulate -- [--seed N] [--plays N] [--story] [--coverage] [--without GUARD]
 *
 * Plays plays, each from its own seed, and tells what went wrong in them. The same seed gives the same hash.
 */
import { parseArgs } from 'node:util';
import { coverageTable } from './coverage.ts';
import { removeGuard } from './guards.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    plays: { type: 'string', default: '1000' },
    story: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
    without: { type: 'string' },
  },
});

const print = (text: string) => void process.stdout.write(`${text}\n`);

if (values.without !== undefined) removeGuard(values.without);
// After the guard is removed: what is loaded here is the bot.
const { playMany } = await import('./play-many.ts');

const seed = Number(values.seed);
print(`seed ${seed}, ${values.plays} plays${values.without ? `, without ${values.without}` : ''}`);
const result = await playMany({
  seed,
  plays: Number(values.plays),
  stopAtFirst: values.without !== undefined,
});
for (const { seed: at, violations } of result.failed.slice(0, 10))
  print(`seed ${at}: ${violations.join('\n  ').slice(0, 2_000)}`);
if (values.coverage) print(coverageTable(result.coverage));
const [first] = result.failed;
if (first && values.story) print(await result.tell(first.seed));
print(`hash: ${result.hash}`);
print(`plays: ${result.played} (${result.perSecond} a second)`);
print(`violations: ${result.failed.length}`);
process.exitCode = result.failed.length > 0 === (values.without !== undefined) ? 0 : 1;
