/** Runs the terminal commands. */
import { type Command, messageOf, UsageError } from './cli/command.ts';
import { connect, disconnect } from './cli/connection.ts';
import { doctor } from './cli/doctor/doctor.ts';
import { events } from './cli/events.ts';
import { audit, exportCommand } from './cli/export.ts';
import { pause } from './cli/pause.ts';
import { forgetPersonCommand, purge } from './cli/removal.ts';
import { requests } from './cli/requests.ts';
import { setup } from './cli/setup.ts';
import { rotateKeysCommand, upgradeStorage } from './cli/storage.ts';
import { print } from './cli/terminal.ts';
import { VERSION } from './version.ts';

const COMMANDS: Record<string, Command> = {
  audit,
  connect,
  disconnect,
  doctor,
  events,
  export: exportCommand,
  'forget-person': forgetPersonCommand,
  pause,
  purge,
  requests,
  'rotate-keys': rotateKeysCommand,
  setup,
  'upgrade-storage': upgradeStorage,
};

const HELP: ReadonlySet<string> = new Set(['--help', '-h']);

const USAGE = `Usage:
  countermand                 starts the bot
  countermand --version       says which version this is
  countermand COMMAND --help  explains a command
${Object.values(COMMANDS)
  .map(({ usage }) => usage)
  .join('\n')}`;

/** Runs a command. @param args the arguments after `countermand` @returns the exit code: 0 done, 1 failed, 2 wrong usage */
export async function runCommand([name = '', ...args]: string[]): Promise<number> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const usage = command ? `Usage:\n${command.usage}` : USAGE;
  // An error of standard output reaches the callback of its write (cli/terminal.ts); without standard error a command goes on.
  // Without a listener, Node would end the process for either.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  try {
    if (HELP.has(name)) await print([USAGE]);
    else if (name === '--version' || name === '-v') await print([VERSION]);
    else if (!command) throw new UsageError(`There is no command "${name}".`);
    else if (args.some((word) => HELP.has(word))) await print([usage]);
    else {
      mustBeGivenOnce(args);
      await command.run(args);
    }
    return 0;
  } catch (error) {
    return explain(error, usage);
  }
}

/** Refuses an option that is given twice: `parseArgs` would ignore the first value, such as a workspace. @throws UsageError */
function mustBeGivenOnce(args: readonly string[]): void {
  const options = args.filter((word) => word.startsWith('--')).map((word) => word.split('=', 1)[0]);
  const twice = options.find((option, n) => options.indexOf(option) < n);
  if (twice !== undefined) throw new UsageError(`${twice} is given twice. Give it once.`);
}

function explain(error: unknown, usage: string): number {
  const isMisused = error instanceof UsageError || isOfParseArgs(error);
  process.stderr.write(`${messageOf(error)}\n${isMisused ? `\n${usage}\n` : ''}`);
  return isMisused ? 2 : 1;
}

/** Whether `parseArgs` refused an option (https://nodejs.org/api/errors.html#err_parse_args_invalid_option_value). */
const isOfParseArgs = (error: unknown): boolean =>
  error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
