/** Joins a channel that the bot must be in to hear of reactions. */
import type { webApi } from '@slack/bolt';
import type { Log } from '../../outbox/ports.ts';
import { failureOf } from './call-slack.ts';

type Deps = { directory: { forgetChannel: (workspace: string, channel: string) => void }; log: Log };

/**
 * Joins a channel, if it is public: Slack refuses to let the bot join a private one.
 *
 * @throws if a further try may join it
 */
export async function joinAgain(
  { directory, log }: Deps,
  client: webApi.WebClient,
  { workspace, channel }: { workspace: string; channel: string },
): Promise<void> {
  try {
    await client.conversations.join({ channel });
  } catch (error) {
    log.warn({ err: error, workspace, channel }, 'channel not joined again');
    const { type, code } = failureOf(error);
    if (type === 'doubtful' || code === 'ratelimited') throw error;
  } finally {
    directory.forgetChannel(workspace, channel);
  }
}
