/** Runs the terminal commands. */
import { audit } from './cli/audit.ts';
import { type Command, UsageError } from './cli/command.ts';
import { connect, disconnect } from './cli/connection.ts';
import { doctor } from './cli/doctor/doctor.ts';
import { events } from './cli/events.ts';
import { exportCommand } from './cli/export.ts';
import { forgetPersonCommand } from './cli/forget-person.ts';
import { purge } from './cli/purge.ts';
import { requests } from './cli/requests.ts';
import { setup } from './cli/setup/setup.ts';
import { rotateKeysCommand, upgradeStorage } from './cli/storage.ts';
import { VERSION } from './version.ts';

const COMMANDS: Record<string, Command> = {
  audit,
  connect,
  disconnect,
  doctor,
  events,
  export: exportCommand,
  'forget-person': forgetPersonCommand,
  purge,
  requests,
  'rotate-keys': rotateKeysCommand,
  setup,
  'upgrade-storage': upgradeStorage,
};

const USAGE = `Usage:
  countermand                 starts the bot
  countermand --version       says which version this is
  countermand COMMAND --help  explains a command
${Object.values(COMMANDS)
  .map(({ usage }) => usage)
  .join('\n')}
`;

/** @param args the arguments after `countermand` @returns the exit code: 0 done, 1 failed, 2 wrong usage */
export async function runCommand([name = '', ...args]: string[]): Promise<number> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const usage = command ? `Usage:\n${command.usage}\n` : USAGE;
  try {
    if (HELP.has(name)) return say(USAGE);
    if (name === '--version' || name === '-v') return say(`${VERSION}\n`);
    if (!command) throw new UsageError(`There is no command "${name}".`);
    if (args.some((word) => HELP.has(word))) return say(usage);
    await command.run(args);
    return 0;
  } catch (error) {
    return explain(error, usage);
  }
}

const HELP: ReadonlySet<string> = new Set(['--help', '-h']);

function say(text: string): number {
  process.stdout.write(text);
  return 0;
}

function explain(error: unknown, usage: string): number {
  const misused = error instanceof UsageError || (error instanceof TypeError && 'code' in error);
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message}\n${misused ? `\n${usage}` : ''}`);
  return misused ? 2 : 1;
}
