/** Runs the terminal commands. */
import { type Command, UsageError } from './cli/command.ts';
import { connect } from './cli/connect.ts';
import { disconnect } from './cli/disconnect.ts';
import { exportCommand } from './cli/export/export.ts';
import { purge } from './cli/purge.ts';
import { rotateKeysCommand } from './cli/rotate-keys.ts';

const COMMANDS: Record<string, Command> = {
  connect,
  disconnect,
  export: exportCommand,
  purge,
  'rotate-keys': rotateKeysCommand,
};

const USAGE = `Usage:
  countermand                 starts the bot
${Object.values(COMMANDS)
  .map(({ usage }) => usage)
  .join('\n')}
`;

/** @param args the arguments after `countermand` @returns the exit code: 0 done, 1 failed, 2 wrong usage */
export async function runCommand([name = '', ...args]: string[]): Promise<number> {
  try {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command) throw new UsageError(`There is no command "${name}".`);
    await command.run(args);
    return 0;
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): number {
  const misused = error instanceof UsageError || (error instanceof TypeError && 'code' in error);
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message}\n${misused ? `\n${USAGE}` : ''}`);
  return misused ? 2 : 1;
}
