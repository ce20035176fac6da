/** Implements `countermand pause`: pauses sending while the bot does not run, or without an account in Slack. */
import { parseArgs } from 'node:util';
import type { Adapters } from '../compose/adapters.ts';
import { listWorkspaces } from '../outbox/record-store.ts';
import { TERMINAL } from '../requests/model/audit-entry.ts';
import { pauseText } from '../slack/features/settings/settings.ts';
import {
  type Command,
  FLAG,
  messageOf,
  mustBeKnown,
  TEXT,
  UsageError,
  withBot,
  workspaceOf,
} from './command.ts';
import { plainText, print } from './terminal.ts';

export const pause: Command = {
  usage: `  countermand pause --workspace T... | --all
                              pauses sending: no request of the workspace is sent to the order service until an admin
                              resumes sending in /countermand settings; --all: in each workspace that is connected or
                              has requests, and names them`,
  async run(args) {
    const { values } = parseArgs({ args, options: { workspace: TEXT, all: FLAG } });
    if (values.all && values.workspace !== undefined)
      throw new UsageError('Give either --workspace or --all.');
    const named = values.all ? undefined : workspaceOf(values);
    await withBot(async ({ context: { adapters }, useCases }) => {
      const pauseIn = async (workspace: string) => {
        const paused = await useCases.pauseSending({ workspace, by: TERMINAL });
        await useCases.showPause(workspace);
        return plainText(pauseText('pauseSending', paused));
      };
      if (named === undefined) return pauseAll(await thatCanSend(adapters), pauseIn);
      await mustBeKnown(adapters, named);
      await print([await pauseIn(named)]);
    });
  },
};

/** Lists the workspaces that are connected or have requests. All others have nothing to send, and no token to send it with. */
async function thatCanSend({ connections, storage }: Adapters): Promise<string[]> {
  const lists = [connections.ids(), listWorkspaces(storage.requests)].map((ids) => Array.fromAsync(ids));
  return [...new Set((await Promise.all(lists)).flat())];
}

/** Pauses one after the other, also after one that could not be paused. @throws if there is such a one, or none at all */
async function pauseAll(
  workspaces: readonly string[],
  pauseIn: (workspace: string) => Promise<string>,
): Promise<void> {
  if (workspaces.length === 0)
    throw new Error('No workspace is connected or has requests, so nothing was paused. Check STORAGE_URL.');
  const failed: string[] = [];
  for (const workspace of workspaces) {
    const text = await pauseIn(workspace).catch((error) => {
      failed.push(`Sending may not be paused in ${workspace}: ${messageOf(error)}`);
    });
    if (text !== undefined) await print([`${workspace}: ${text}`]);
  }
  if (failed.length > 0) throw new Error(failed.join('\n'));
}
