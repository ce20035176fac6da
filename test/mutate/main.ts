/**
 * Puts one small mistake after another into src, and finds out whether anything notices: the tests that call the changed
 * function, then plays of the simulation.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from '../../sandbox/lib/arguments.ts';
import { type Placed, ROOT } from './applied.ts';
import { CACHE, RECORDED, readMap, testsFor } from './choose-tests.ts';
import { drawMutants, FOLDERS } from './draw.ts';
import { whyEquivalent } from './equivalents.ts';
import { type Outcome, runMutant } from './run-mutant.ts';

const USAGE = `npm run mutate -- --record
npm run mutate -- [path …] [--seed N] [--mutants N] [--plays N] [--hours N]

--record runs the tests once, and writes down which of them call which function. Without a path, each folder of src has its
share of mutants. A mutant is done with at the first test or play that fails. With the same seed an interrupted run goes on
where it was.`;

const { values, positionals } = readArguments(USAGE, {
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    mutants: { type: 'string', default: '40' },
    plays: { type: 'string', default: '300' },
    hours: { type: 'string', default: '3' },
    record: { type: 'boolean', default: false },
  },
});

const HOUR_MS = 60 * 60_000;

const print = (text: string) => void process.stdout.write(`${text}\n`);

function record(): number {
  rmSync(RECORDED, { recursive: true, force: true });
  mkdirSync(RECORDED, { recursive: true });
  const args = ['run', '--config', 'test/mutate/vitest.config.ts'];
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], {
    cwd: ROOT,
    env: { ...process.env, COUNTERMAND_RECORD: RECORDED },
    stdio: 'inherit',
  });
  return status ?? 1;
}

/** The outcomes of a run so far, by its mutants. */
function createState(seed: string) {
  const file = join(CACHE, `outcomes-${seed}.json`);
  const known: Record<string, Outcome> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const idOf = ({ file: path, start, from, to }: Placed) => `${path} ${start} ${from} -> ${to}`;
  return {
    of: (mutant: Placed): Outcome | undefined => known[idOf(mutant)],
    keep(mutant: Placed, outcome: Outcome): void {
      known[idOf(mutant)] = outcome;
      writeFileSync(file, JSON.stringify(known));
    },
  };
}

function lineOf({ file, start, kind, from, to }: Placed): string {
  const line = readFileSync(join(ROOT, file), 'utf8').slice(0, start).split('\n').length;
  const short = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 70);
  return `${file}:${line} ${kind}: ${short(from)} => ${short(to)}`;
}

type Row = { path: string; killed: number; survived: number; equivalent: number };

/** Runs the mutants of a path, as far as there is time. */
async function runPath(path: string, isTime: () => boolean): Promise<Row> {
  const [map, state] = [readMap(), createState(values.seed)];
  const row: Row = { path, killed: 0, survived: 0, equivalent: 0 };
  for (const mutant of drawMutants(path, Number(values.mutants), Number(values.seed))) {
    const reason = whyEquivalent(mutant);
    if (reason !== undefined) {
      row.equivalent += 1;
      print(`equivalent ${lineOf(mutant)} (${reason})`);
      continue;
    }
    if (!state.of(mutant) && !isTime()) break;
    const plays = { plays: Number(values.plays), seed: Number(values.seed) };
    const outcome = state.of(mutant) ?? (await runMutant(mutant, testsFor(map, mutant), plays));
    state.keep(mutant, outcome);
    row[outcome.killedBy === undefined ? 'survived' : 'killed'] += 1;
    print(
      `${outcome.killedBy === undefined ? 'SURVIVED' : 'killed'} ${lineOf(mutant)} ${outcome.killedBy ?? ''}`,
    );
  }
  return row;
}

function printTable(rows: readonly Row[]): void {
  print(
    '\n| folder | mutants | killed | survived | equivalent | killed of those that can be |\n|---|---|---|---|---|---|',
  );
  for (const { path, killed, survived, equivalent } of rows) {
    const share = Math.round((100 * killed) / Math.max(1, killed + survived));
    print(
      `| ${path} | ${killed + survived + equivalent} | ${killed} | ${survived} | ${equivalent} | ${share} % |`,
    );
  }
}

if (values.record) process.exitCode = record();
else {
  print(`seed ${values.seed}`);
  const end = performance.now() + Number(values.hours) * HOUR_MS;
  const rows: Row[] = [];
  for (const path of positionals.length > 0 ? positionals : FOLDERS)
    rows.push(await runPath(path, () => performance.now() < end));
  printTable(rows);
}
