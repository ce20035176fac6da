/** Checks that the tokens of the bot that expire are renewed in time, and that no new pair of tokens is lost. */
import type { Replica } from '../replica.ts';
import { FAULTS } from '../spans.ts';
import { TEAMS, type Team, workspaceOf } from '../teams.ts';
import { RENEWED_BEFORE_MS, type SlackWorld } from '../world/slack-side.ts';
import type { World } from '../world/world.ts';

const MINUTE_MS = 60_000;
const RENEWED_WITHIN_MS = MINUTE_MS;
/** A failure to renew delays the next try by a minute at least. */
const FAILED_MS = 2 * MINUTE_MS;
const CLOCKS_OFF_MS = 41 * MINUTE_MS;
/** Two calls, each with a time-out of seven seconds, and the writes of the pair. */
const EXCHANGED_WITHIN_MS = MINUTE_MS;

export async function checkRenewed(world: World, replica: Replica): Promise<void> {
  for (const team of TEAMS) {
    const installed = await replica.bot().context.adapters.installations.get(workspaceOf(team));
    const refresh = installed?.tokens.refresh;
    if (!installed || refresh === undefined) continue;
    const lostAt = whenLost(world.slack.of[team].world, refresh);
    if (lostAt === undefined) checkInTime(world, team, installed.tokens.bot);
    else checkLost(world, team, lostAt);
  }
}

/**
 * Returns the time at which a stored refresh token became useless: Slack has exchanged it, or the token before it once more.
 *
 * @returns by Slack's clock
 */
function whenLost({ refreshTokens }: SlackWorld['world'], refresh: string): number | undefined {
  const { used_at, is_revoked, from } = refreshTokens.get(refresh) ?? {};
  return used_at ?? (is_revoked && from !== undefined ? refreshTokens.get(from)?.used_at : undefined);
}

/** Checks that a token that is due was renewed once the bot used it while nothing failed. */
function checkInTime({ spans, slack, scheduler, witness }: World, team: Team, token: string): void {
  const { world: here, calledAt } = slack.of[team];
  const dueAt = (here.accessTokens.get(token)?.expires_at ?? Number.POSITIVE_INFINITY) - RENEWED_BEFORE_MS;
  const slackAhead = slack.now() - scheduler.now();
  // A clock may have been twenty minutes ahead when the token was stored, and twenty minutes behind when it is used.
  const used = calledAt.filter((at) => at > dueAt + CLOCKS_OFF_MS).map((at) => at - slackAhead);
  const isUndisturbed = (at: number) =>
    spans.find({ why: [...FAULTS, 'killed'], team, from: at - FAILED_MS, to: at + RENEWED_WITHIN_MS })
      .length === 0;
  if (used.some((at) => at + RENEWED_WITHIN_MS < scheduler.now() && isUndisturbed(at)))
    witness.violated(`renewal: the token of ${team} was used, and was not renewed`);
}

/**
 * Checks that a new pair of tokens was lost only by a fault. Slack's API leaves a gap if a process dies or is frozen before it
 * stores the pair, or if a failover undoes the lock, so that another process may exchange the same token.
 */
function checkLost({ spans, slack, scheduler, witness }: World, team: Team, lostAt: number): void {
  const at = lostAt - (slack.now() - scheduler.now());
  // The last exchange may not be stored yet.
  if (scheduler.now() - at < EXCHANGED_WITHIN_MS) return;
  const why = [...FAULTS, 'killed'] as const;
  if (spans.find({ why, team, from: at - EXCHANGED_WITHIN_MS, to: at + EXCHANGED_WITHIN_MS }).length === 0)
    witness.violated(`renewal: the new tokens of ${team} are lost`);
}
