/** Excuses what went wrong because a channel was archived, or had another id that the bot did not know yet. */
import { FAULTS } from '../spans.ts';
import type { Team } from '../teams.ts';
import type { World } from '../world/world.ts';

/** The time for the post of a message and one more try, after it is owed or after the end of what holds it up. */
const POSTED_WITHIN_MS = 60_000;

/** The time at which a message fell due: between the act that owes it and its acknowledgement. */
type Due = { from: number; to?: number };

/**
 * Whether the notifications channel was archived or moved while a message to it was owed, or had moved before and Slack's report
 * of that was not handled yet: Slack refuses a post to the former id, and nothing names the new one.
 */
export function isPostedNowhere({ spans }: World, team: Team, { from, to = from }: Due): boolean {
  const last = spans.settled({ why: FAULTS, team, from: to }, POSTED_WITHIN_MS) + POSTED_WITHIN_MS;
  return spans.find({ why: ['moved', 'approvals archived'], team, from, to: last }).length > 0;
}

/**
 * Whether the approvals channel has moved, and Slack's report of that, with all its repetitions, was never handled to its end:
 * the bot may go on with the former id, for ever.
 */
export function isMoveUnknown({ spans, scheduler }: World, team: Team): boolean {
  const now = scheduler.now();
  return spans.find({ why: ['moved'], team, from: now, to: now }).length > 0;
}

/** Whether no channel has this id any more because of such a move. */
export const isFormerId = (world: World, team: Team, channel: string): boolean =>
  !world.slack.of[team].world.channels.has(channel) && isMoveUnknown(world, team);

/** Whether the approvers' channel had another id while the bot judged a vote: it then refuses the vote, and tells its voter. */
export function wasChannelUnknown(
  { spans }: World,
  team: Team,
  { at: from, acknowledgedAt: to = from }: World['reactions'][number],
): boolean {
  return spans.find({ why: ['moved'], team, from, to }).length > 0;
}
