/** Checks promise 6: no reason, and no link to a ticket, stands where another company reads it. */
import type { Message } from '../../../../sandbox/slack/world/types.ts';
import { CARD, markOf } from '../../tables/messages.ts';
import { DECLINE_REASON, REASON, TEAMS, type Team, TICKET } from '../../teams.ts';
import { timeOf, type World } from '../../world/world.ts';
import { messagesOfBot } from '../messages.ts';

export function checkShared(world: World): void {
  for (const team of TEAMS) {
    if (mayBeLeft(world, team) || !isReported(world, team)) continue;
    for (const message of messagesOfBot(world, team)) {
      const channel = world.slack.of[team].world.channels.get(message.channel);
      if (!channel || channel.is_archived || channel.connected_team_ids.length === 0) continue;
      if (!isFromBefore(world, team, message) && showsReason(message))
        world.witness.violated(
          `shared: another company reads a reason or a ticket: "${message.text.slice(0, 80)}"`,
        );
    }
  }
}

/** The time that a card may go on showing a reason: after a channel is unarchived, its next update may take an hour. */
const LEFT_MS = 2 * 60 * 60_000;

function mayBeLeft({ spans, scheduler }: World, team: Team): boolean {
  const from = scheduler.now() - LEFT_MS;
  return spans.find({ why: ['archived'], team, from, to: Number.POSITIVE_INFINITY }).length > 0;
}

/**
 * Whether a message was posted before the channel was shared. Such a reply stays as it is; a card does not count, as it
 * changes.
 */
function isFromBefore(world: World, team: Team, message: Message): boolean {
  const at = timeOf(world, message.ts);
  const [shared] = world.spans.find({ why: ['shared'], team, from: at, to: Number.POSITIVE_INFINITY });
  return markOf(message)?.key !== CARD && shared !== undefined && shared.from > at;
}

/** Whether the bot knows that the channel is shared: if Slack's report is lost, nothing tells it to hide what it has shown. */
const isReported = ({ reports }: World, team: Team): boolean =>
  reports.findLast((report) => report.type === 'shared' && report.team === team)?.isAcknowledged ?? false;

function showsReason({ text, blocks }: Message): boolean {
  const shown = JSON.stringify([text, blocks]);
  return [REASON, DECLINE_REASON, TICKET].some((reason) => shown.includes(reason));
}
