/** Runs the tests and plays of one mutant, until something fails. */
import { spawn } from 'node:child_process';
import { environmentOf, LOADED, type Placed, ROOT } from './applied.ts';

/** `killedBy`: the test file, "plays", "time" or "crash"; undefined: nothing noticed the mutant. */
export type Outcome = { killedBy?: string };

/** Milliseconds. A mutant may wait for ever, or never end a loop. */
const TESTS_MS = 5 * 60_000;
const PLAYS_MS = 10 * 60_000;
/** The most runs of a batch in which a test fails that passes alone: on a busy machine a test may be too slow. */
const MOST_TRIES = 3;

const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/mutate/vitest.config.ts'];

/** @param batches test files; the last batch, the slowest, runs after the plays @throws if a test could not be run at all */
export async function runMutant(
  mutant: Placed,
  batches: readonly (readonly string[])[],
  { plays, seed }: { plays: number; seed: number },
): Promise<Outcome> {
  const environment = environmentOf(mutant);
  const tests = batches.map((files) => () => runTests(files, environment));
  const steps = [
    ...tests.slice(0, -1),
    () => runPlays(['test/mutate/plays.ts', `${seed}`, `${plays}`], environment),
    ...tests.slice(-1),
  ];
  for (const step of steps) {
    const killedBy = await step();
    if (killedBy !== undefined) return { killedBy };
  }
  return {};
}

type Environment = Record<string, string>;

/** Functions that end what still runs: a mutant may run for ever, and nothing else ends it once this process is gone. */
const underway = new Set<() => void>();
process.on('exit', () => {
  for (const end of underway) end();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** @returns the test file that fails, also by itself; `crash` if each run of all of them ends without naming one */
async function runTests(files: readonly string[], environment: Environment): Promise<string | undefined> {
  let crashes = 0;
  for (let tries = 0; tries < MOST_TRIES && files.length > 0; tries++) {
    const failing = await firstFailing(files, environment);
    if (failing === undefined || failing === TIME) return failing;
    if (failing === CRASH) crashes += 1;
    else if ((await firstFailing([failing], environment)) !== undefined) return failing;
  }
  return crashes === MOST_TRIES ? CRASH : undefined;
}

const TIME = 'time';
const CRASH = 'crash';

async function firstFailing(files: readonly string[], environment: Environment): Promise<string | undefined> {
  const { code, output } = await run([...VITEST, '--bail', '1', ...files], environment, TESTS_MS);
  if (!output.includes(LOADED))
    throw new Error(`None of ${files.join(', ')} has loaded the mutant: ${output.slice(-2_000)}`);
  if (code === 0) return undefined;
  if (code === undefined) return TIME;
  // An error that no test waits for fails the run without failing a test.
  const [, failing] = /(?:FAIL .*?|originated in ")(\S+\.test\.ts)/.exec(output) ?? [];
  if (failing === undefined)
    process.stderr.write(`No test has failed, and vitest has: ${output.slice(-2_000)}\n`);
  return failing ?? CRASH;
}

async function runPlays(args: readonly string[], environment: Environment): Promise<string | undefined> {
  const { code } = await run(args, environment, PLAYS_MS);
  if (code === 0) return undefined;
  return code === undefined ? TIME : 'plays';
}

/** @returns `code`: undefined if it did not end in time; `output`: both streams, without colours */
function run(
  args: readonly string[],
  environment: Environment,
  timeoutMs: number,
): Promise<{ code: number | undefined; output: string }> {
  return new Promise((resolve, reject) => {
    // In a process group of its own, so that whatever it has started can be ended with it.
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, ...environment, NO_COLOR: '1' },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const end = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
    underway.add(end);
    let output = '';
    let isLate = false;
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const timer = setTimeout(() => {
      isLate = true;
      end();
    }, timeoutMs);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      underway.delete(end);
      resolve({ code: isLate ? undefined : (code ?? 1), output });
    });
  });
}
