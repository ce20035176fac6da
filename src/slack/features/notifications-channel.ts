/** Whether the bot will be able to write into the channel that an admin has chosen for notifications. */
import { channelProblem } from '../../requests/use-cases/rules.ts';
import { BLOCKS } from '../blocks/ids.ts';
import { channelSentence } from '../blocks/problems.ts';
import type { ListenerDeps } from './listener.ts';

/** @returns what is wrong with it, at its field */
export async function notificationsErrors(
  { directory }: Pick<ListenerDeps, 'directory'>,
  workspace: string,
  channel: string | undefined,
): Promise<Record<string, string>> {
  if (channel === undefined) return {};
  const problem = channelProblem(await directory.channel(workspace, channel));
  return problem ? { [BLOCKS.notifications]: channelSentence(problem) } : {};
}
