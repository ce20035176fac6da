/** /countermand and what may follow it. */
import { COMMANDS } from '../../ids.ts';
import { helpText } from '../../ui/help.ts';
import { escaped } from '../../ui/text.ts';
import type { CommandArgs, Listener, ListenerDeps } from '../listener.ts';
import { openConnect } from './connect.ts';
import { openDisconnect } from './disconnect.ts';
import { openHistory } from './history.ts';
import { openSettings } from './settings.ts';
import { showStatus } from './status.ts';

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
