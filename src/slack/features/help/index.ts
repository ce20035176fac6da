/** `/countermand`: finds the subcommand, or shows the help text, which is made from the table of commands. */
import { COMMANDS } from '../../blocks/ids.ts';
import { code, escaped, sections } from '../../blocks/text.ts';
import type { Command, CommandArgs, Routes, Subcommand } from '../listener.ts';

const HELP = 'help';

/** The command that leads to the subcommands of all features. */
export function countermandCommand({ commands, subcommands }: Pick<Routes, 'commands' | 'subcommands'>) {
  const help: Subcommand = {
    usage: '',
    meaning: 'shows this help.',
    run: (args) => tell(args, lines()),
  };
  const all: Record<string, Subcommand> = { ...subcommands, [HELP]: help };
  const lines = () => helpLines({ commands, subcommands: all });
  return {
    usage: '[help]',
    meaning: 'shows the commands.',
    async listener(args) {
      const [name = '', rest = ''] = (args.command.text ?? '').trim().split(/\s+(.*)/s);
      if (name === '') return tell(args, [ownPage(args.command), ...lines()]);
      // People write the word as they say it.
      const word = name.toLowerCase();
      const known = Object.hasOwn(all, word) ? all[word] : undefined;
      if (known) return known.run(args, rest.trim());
      const unknown = `I do not know “${escaped(`${COMMANDS.countermand} ${name}`)}”. This is what I can do:`;
      return tell(args, [unknown, ...lines()]);
    },
  } satisfies Command;
}

/** The address of the person's own page (https://docs.slack.dev/interactivity/deep-linking). */
function ownPage({ team_id, api_app_id }: CommandArgs['command']): string {
  const address = `slack://app?${new URLSearchParams({ team: team_id, id: api_app_id, tab: 'home' })}`;
  return `<${address}|Your page> has your requests, and what waits for you. These are the commands:`;
}

/** A line for each command and subcommand. */
export function helpLines({ commands, subcommands }: Pick<Routes, 'commands' | 'subcommands'>): string[] {
  const named = Object.entries(subcommands).map(
    ([name, subcommand]) => [`${COMMANDS.countermand} ${name}`, subcommand] as const,
  );
  return [...Object.entries(commands), ...named].map(
    ([name, { usage, meaning }]) => `• ${code(`${name} ${usage}`.trim())} ${meaning}`,
  );
}

const tell = ({ ack }: CommandArgs, lines: string[]): Promise<void> =>
  ack({ response_type: 'ephemeral', text: lines.join('\n'), blocks: sections(lines) });
