/** Checks promise 6: no reason stands where another company reads it. */
import type { Message } from '../../../../sandbox/slack/world/types.ts';
import type { Plan } from '../../draw/plan.ts';
import { idOf, REASON } from '../../teams.ts';
import type { World } from '../../world/world.ts';
import { messagesOfBot } from '../messages.ts';

/**
 * A card that Slack refused to update, because its channel was archived, is not updated again once it is unarchived: then it
 * goes on to show what it showed, also to another company.
 */
const mayBeLeft = ({ acts }: Plan, team: string): boolean =>
  acts.some((act) => act.type === 'archive' && idOf('T', act.team) === team);

export function checkShared(world: World, plan: Plan): void {
  for (const message of messagesOfBot(world)) {
    const channel = world.slack.world.channels.get(message.channel);
    if (!channel || channel.is_archived || channel.connected_team_ids.length === 0) continue;
    if (mayBeLeft(plan, channel.team_id)) continue;
    if (isReported(world, channel.team_id) && showsReason(message))
      world.witness.violated(`shared: another company reads a reason: "${message.text.slice(0, 80)}"`);
  }
}

/** Whether the bot knows: where Slack's report is lost for good, nobody tells it to hide what it has shown before. */
const isReported = ({ reports }: World, team: string): boolean =>
  reports.findLast(({ type, workspace }) => type === 'shared' && workspace === team)?.isAcknowledged ?? false;

const showsReason = ({ text, blocks }: Message): boolean => JSON.stringify([text, blocks]).includes(REASON);
