/**
 * Excuses messages to the notifications channel that went nowhere, because it had another id that the bot did not know yet.
 */
import { FAULTS } from '../spans.ts';
import type { Team } from '../teams.ts';
import type { World } from '../world/world.ts';

/** From when a message is owed, or from the end of what holds it up: its post, and one more try. */
const POSTED_WITHIN_MS = 60_000;

/** When a message fell due: between the act that owes it and its acknowledgement. */
type Due = { from: number; to?: number };

/**
 * Whether the channel moved while such a message was on its way, or had moved before and Slack's report of that was not
 * handled yet: Slack refuses a post to the former id, and nothing names the new one.
 */
export function isPostedNowhere({ spans }: World, team: Team, { from, to = from }: Due): boolean {
  const last = spans.settled({ why: FAULTS, team, from: to }, POSTED_WITHIN_MS) + POSTED_WITHIN_MS;
  return spans.find({ why: ['moved'], team, from, to: last }).length > 0;
}
