/** Implements `countermand disconnect`. */
import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import { TERMINAL } from '../requests/model/audit/audit-entry.ts';
import { disconnectedText, planTexts } from '../slack/features/connection/disconnect-modal.ts';
import { type Command, print, withAdapters, workspaceOf } from './command.ts';
import { plainText } from './terminal-text.ts';

const OPTIONS = {
  workspace: { type: 'string' },
  yes: { type: 'boolean', default: false },
} as const;

export const disconnect: Command = {
  usage: `  countermand disconnect --workspace T... [--yes]
                              shows what disconnecting does; with --yes, disconnects the workspace`,
  async run(args) {
    const { values } = parseArgs({ args, options: OPTIONS });
    const workspace = workspaceOf(values);
    await withAdapters(loadConfig(), async (adapters) => {
      const plan = await adapters.planDisconnect(workspace);
      if (plan.type === 'not_connected') throw new Error(`The workspace ${workspace} is not connected.`);
      if (!values.yes)
        return print([...planTexts(plan).map(plainText), '', 'Run it again with --yes to disconnect.']);
      const disconnected = await adapters.disconnect(workspace, TERMINAL);
      const said = plainText(disconnectedText(disconnected, 'terminal'));
      if (disconnected.type !== 'disconnected') throw new Error(said);
      print([said]);
    });
  },
};
