/** `/countermand`: finds the subcommand, or shows the help text, which is made from the table of commands. */
import { COMMANDS } from '../../blocks/ids.ts';
import { escaped } from '../../blocks/text.ts';
import type { Command, Routes, Subcommand } from '../feature.ts';
import type { CommandArgs } from '../listener.ts';

const HELP = 'help';

/** The command that leads to the subcommands of all features. */
export function countermandCommand({ commands, subcommands }: Pick<Routes, 'commands' | 'subcommands'>) {
  const help: Subcommand = {
    usage: '',
    meaning: 'shows this help.',
    run: ({ respond }) => tell(respond, text()),
  };
  const all: Record<string, Subcommand> = { ...subcommands, [HELP]: help };
  const text = () => helpText({ commands, subcommands: all });
  return {
    usage: '[help]',
    meaning: 'shows the commands.',
    async listener(args) {
      await args.ack();
      const [name = '', rest = ''] = (args.command.text ?? '').trim().split(/\s+(.*)/s);
      // People write the word as they say it.
      const word = name.toLowerCase() || HELP;
      const known = Object.hasOwn(all, word) ? all[word] : undefined;
      if (known) return known.run(args, rest.trim());
      const unknown = `I do not know “${escaped(`${COMMANDS.countermand} ${name}`)}”. This is what I can do:`;
      return tell(args.respond, `${unknown}\n${text()}`);
    },
  } satisfies Command;
}

/** A line for each command and subcommand. */
export function helpText({ commands, subcommands }: Pick<Routes, 'commands' | 'subcommands'>): string {
  const named = Object.entries(subcommands).map(
    ([name, subcommand]) => [`${COMMANDS.countermand} ${name}`, subcommand] as const,
  );
  return [...Object.entries(commands), ...named]
    .map(([name, { usage, meaning }]) => `• \`${escaped(`${name} ${usage}`.trim())}\` ${meaning}`)
    .join('\n');
}

async function tell(respond: CommandArgs['respond'], text: string): Promise<void> {
  await respond({ response_type: 'ephemeral', text });
}
