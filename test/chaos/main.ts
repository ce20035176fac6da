/**
 * Plays requests while processes die and freeze, and Redis, Slack and the service fail; then reports what was lost or
 * doubled.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments, refuseArguments } from '../../sandbox/lib/arguments.ts';
import { type ChaosOptions, GUARDS, STORAGES, TRANSPORTS, transportOf } from './options.ts';
import type { ChaosHarness } from './processes/harness.ts';
import { countOf, describeReport, type Report } from './report.ts';
import { run } from './run.ts';

const USAGE = `npm run chaos -- [--seed 1] [--requests 2000] [--faults 700] [--storage redis|sentinel|sqlite]
    [--transport http|socket] [--without claims|read-back]`;

process.once('SIGTERM', () => process.exit(143));

const print = (line: string) => process.stdout.write(`${line}\n`);

const options = readOptions();
const report = await run({ ...options, progress: print, keep });
print(describeReport(report));
process.exitCode = isAsExpected(report) ? 0 : 1;

function readOptions(): ChaosOptions {
  const text = { type: 'string' } as const;
  const { values } = readArguments(USAGE, {
    options: { seed: text, requests: text, faults: text, storage: text, transport: text, without: text },
  });
  const requests = whole('requests', values.requests ?? '2000');
  const seed = whole('seed', values.seed ?? '1');
  return {
    seed,
    requests,
    faults: whole('faults', values.faults ?? `${Math.ceil(requests * 0.35)}`),
    storage: oneOf('storage', STORAGES, values.storage ?? 'redis'),
    transport: oneOf('transport', TRANSPORTS, values.transport ?? transportOf(seed)),
    without: values.without === undefined ? undefined : oneOf('without', GUARDS, values.without),
  };
}

function whole(name: string, text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  return refuse(`--${name} must be a whole number, not ${text}.`);
}

function oneOf<T extends string>(name: string, known: readonly T[], text: string): T {
  return (
    known.find((each) => each === text) ?? refuse(`--${name} must be ${known.join(' or ')}, not ${text}.`)
  );
}

function refuse(problem: string): never {
  return refuseArguments(USAGE, problem);
}

/** Without one of its guards the bot must double something: otherwise the checks find nothing where they should. */
function isAsExpected(found: Report): boolean {
  if (!options.without) return found.violations.length === 0;
  if (countOf(found, 'doubled') > 0) return true;
  print(`Without ${options.without} something must be doubled: this run finds nothing.`);
  return false;
}

/** Writes the logs and the journal to a folder, to investigate violations. */
function keep({ journal, replicas }: ChaosHarness, found: Report): void {
  if (found.violations.length === 0) return;
  const folder = mkdtempSync(join(tmpdir(), 'countermand-chaos-found-'));
  const lines = journal.entries().map((entry) => JSON.stringify(entry));
  writeFileSync(join(folder, 'journal.jsonl'), lines.join('\n'));
  for (const [n, replica] of replicas.entries()) writeFileSync(join(folder, `bot-${n}.log`), replica.log());
  writeFileSync(join(folder, 'report.txt'), describeReport(found));
  print(`The journal of the sandbox and the logs of the bots: ${folder}`);
}
