/** Implements `countermand pause`: pauses sending while the bot does not run, or without an account in Slack. */
import { parseArgs } from 'node:util';
import { TERMINAL } from '../requests/model/audit-entry.ts';
import { pauseText } from '../slack/features/settings/settings.ts';
import { type Command, mustBeKnown, TEXT, withBot, workspaceOf } from './command.ts';
import { plainText, print } from './terminal.ts';

export const pause: Command = {
  usage: `  countermand pause --workspace T...
                              pauses sending: no request of the workspace is sent to the order service until an admin
                              resumes sending in /countermand settings`,
  async run(args) {
    const { values } = parseArgs({ args, options: { workspace: TEXT } });
    const workspace = workspaceOf(values);
    await withBot(async ({ context: { adapters }, useCases }) => {
      await mustBeKnown(adapters, workspace);
      const paused = await useCases.pauseSending({ workspace, by: TERMINAL });
      await useCases.showPause(workspace);
      await print([plainText(pauseText('pauseSending', paused))]);
    });
  },
};
