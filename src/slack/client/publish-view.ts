/** Publishes the pages of people, within Slack's limit and in turn with the others of their workspace. */
import type { types } from '@slack/bolt';
import type { Runtime } from '../../requests/ports/ports.ts';
import type { SlackClients } from './clients.ts';
import type { SlackRateLimits } from './rate-limits.ts';
import { NotSentError } from './slack-fetch.ts';

/** @throws if Slack refuses the page, or too many wait */
export type PublishView = (workspace: string, user: string, view: types.HomeView) => Promise<void>;

/** A person who opened the page has left it by then, or pressed Refresh. */
const LONGEST_WAIT_MS = 10_000;

export function createPublishView(
  clients: Pick<SlackClients, 'interactive'>,
  rateLimits: Pick<SlackRateLimits, 'takeForMainCall'>,
  { sleep, monotonic }: Pick<Runtime, 'sleep' | 'monotonic'>,
): PublishView {
  return async (workspace, user, view) => {
    const began = monotonic();
    const turn = { workspace, who: `home ${user}`, main: { method: 'views.publish', channel: '' } };
    for (;;) {
      const { ms } = await rateLimits.takeForMainCall(turn);
      if (ms === 0) break;
      if (monotonic() - began + ms > LONGEST_WAIT_MS)
        throw new NotSentError('ratelimited', { retryAfterMs: ms });
      await sleep(ms);
    }
    const client = await clients.interactive(workspace);
    await client.views.publish({ user_id: user, view });
  };
}
