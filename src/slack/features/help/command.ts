/** /countermand and what may follow it. */
import { COMMANDS } from '../../blocks/ids.ts';
import { escaped } from '../../blocks/text.ts';
import { openConnect } from '../connection/connect.ts';
import { openDisconnect } from '../connection/disconnect.ts';
import { openHistory } from '../history/command.ts';
import type { CommandArgs, Listener, ListenerDeps } from '../listener.ts';
import { openSettings } from '../settings/command.ts';
import { showStatus } from '../status/command.ts';
import { helpText } from './text.ts';

type Subcommand = (args: CommandArgs, rest: string) => Promise<void>;

export function countermandCommand(deps: ListenerDeps): Listener<CommandArgs> {
  const subcommands: Record<string, Subcommand> = {
    help: ({ respond }) => tell(respond, helpText()),
    connect: (args) => openConnect(deps, args),
    disconnect: (args) => openDisconnect(deps, args),
    settings: (args) => openSettings(deps, args),
    status: (args, rest) => showStatus(deps, args, rest),
    history: (args) => openHistory(deps, args),
  };
  return async (args) => {
    await args.ack();
    const [name = '', rest = ''] = (args.command.text ?? '').trim().split(/\s+(.*)/s);
    const known = Object.hasOwn(subcommands, name || 'help') ? subcommands[name || 'help'] : undefined;
    if (known) return known(args, rest.trim());
    const unknown = `I do not know “${escaped(`${COMMANDS.countermand} ${name}`)}”. This is what I can do:`;
    return tell(args.respond, `${unknown}\n${helpText()}`);
  };
}

async function tell(respond: CommandArgs['respond'], text: string): Promise<void> {
  await respond({ response_type: 'ephemeral', text });
}
