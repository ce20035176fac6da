/** Reads the arguments of a program of this repository. It prints its usage for `--help`, and after a mistake. */
import { type ParseArgsConfig, parseArgs } from 'node:util';

const HELP: readonly string[] = ['--help', '-h'];

/** @returns what `parseArgs` finds; ends the process for `--help`, and for an option that is not known */
export function readArguments<Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  if (process.argv.slice(2).some((each) => HELP.includes(each))) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    return refuseArguments(usage, error instanceof Error ? error.message : String(error));
  }
}

/** Ends the process with code 2, and a sentence about what is wrong with its arguments. */
export function refuseArguments(usage: string, problem: string): never {
  process.stderr.write(`${problem}\n${usage}\n`);
  process.exit(2);
}
