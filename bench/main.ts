/** Measures the bot beside its anchors, in one run, and prints the table: docs/performance.md. */
import { readArguments, refuseArguments } from '../sandbox/lib/arguments.ts';
import { runRow } from './lib/bench.ts';
import { describeMachine, machineText } from './lib/machine.ts';
import { pinOwnProcess } from './lib/processes.ts';
import { publish } from './lib/publish.ts';
import { forDocument, type Result, tableOf } from './lib/table.ts';
import { clientRow } from './rows/client.ts';
import { commandRow } from './rows/commands.ts';
import { eventRow } from './rows/events.ts';
import { latencyRow } from './rows/latency.ts';
import { limitRow } from './rows/limits.ts';
import { memoryRow } from './rows/memory.ts';
import { outcomeRow } from './rows/outcomes.ts';
import { recordRow } from './rows/records.ts';
import { replicaRow } from './rows/replicas.ts';
import { sizingRow } from './rows/sizing.ts';
import { startRow } from './rows/start.ts';

const ROWS = [
  commandRow,
  eventRow,
  clientRow,
  startRow,
  memoryRow,
  replicaRow,
  recordRow,
  latencyRow,
  outcomeRow,
  limitRow,
  sizingRow,
];

const NAMES = ROWS.map(({ name }) => name);
const USAGE = `npm run bench -- [--only ROW …] [--rounds 3] [--seconds 3] [--write]

The rows: ${NAMES.join(', ')}.`;

const { values } = readArguments(USAGE, {
  options: {
    only: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
});

const unknown = values.only?.filter((name) => !NAMES.includes(name)) ?? [];
if (unknown.length > 0) refuseArguments(USAGE, `There is no row ${unknown.join(', ')}.`);

const machine = describeMachine();
pinOwnProcess();
const options = { rounds: Number(values.rounds), seconds: Number(values.seconds) };
const results: Result[] = [];
for (const row of ROWS.filter(({ name }) => values.only?.includes(name) ?? true)) {
  // An hour of figures is not lost for one row that could not be measured.
  const lines = await runRow(row, options, progress).catch((error) => {
    process.stderr.write(`${row.name} was not measured: ${error}\n`);
    process.exitCode = 1;
  });
  if (lines) results.push({ row: row.name, lines });
}
progress('');
const textOf = (shown: readonly Result[]) => `${machineText(machine)}\n\n${tableOf(shown)}\n`;
process.stdout.write(textOf(results));
if (values.write) publish(textOf(forDocument(results)));

/** Shows the progress: in one line of a terminal, which each text replaces; elsewhere in a line for each text. */
function progress(text: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`);
}
