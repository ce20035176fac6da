/** Raises an alarm in the log when Slack holds events of a workspace back. */
import type { Log } from '../requests/ports.ts';
import type { IncomingRateLimit } from './incoming.ts';

/** Slack repeats itself for as long as it lasts: one line a minute and workspace says as much. */
const QUIET_MS = 60_000;
const MOST_WORKSPACES = 10_000;

/** @param now epoch milliseconds */
export function createRateLimitAlarm(log: Log, now: () => number): (incoming: IncomingRateLimit) => void {
  const lastTold = new Map<string, number>();
  return ({ workspace, since, name }) => {
    const last = lastTold.get(workspace);
    if (last !== undefined && now() - last < QUIET_MS) return;
    if (lastTold.size >= MOST_WORKSPACES) lastTold.clear();
    lastTold.set(workspace, now());
    log.error(
      { workspace, since, name },
      'Slack holds events of this workspace back: there were too many in an hour, or too few were answered. Votes by emoji may come late, or not at all',
    );
  };
}
