/** Counts what happened in a play, as it is seen from outside: in Slack, and by the people who acted. */
import type { Counts } from '../tables/floors.ts';
import { CARD, isVotedOn, markOf } from '../tables/messages.ts';
import { TEAMS } from '../teams.ts';
import type { World } from '../world/world.ts';
import { messagesOfBot } from './messages.ts';

export function countOf(world: World): Counts {
  const { stored, presses, reactions, choices, spans } = world;
  const records = [...stored.requests.entries()].map(({ record }) => record);
  const standing = TEAMS.flatMap((team) => messagesOfBot(world, team));
  const keys = standing.flatMap((message) => markOf(message)?.key ?? []);
  const uninstalled = spans.all.filter(({ why }) => why === 'uninstalled');
  return {
    requests: records.length,
    approvals: records.filter(({ approval }) => approval?.decision?.choice === 'yes').length,
    votes:
      presses.filter(({ endedAt }) => endedAt !== undefined).length +
      reactions.filter(({ acknowledgedAt }) => acknowledgedAt !== undefined).length,
    replies: keys.filter((key) => key.startsWith('reply')).length,
    'approval messages': keys.filter((key) => isVotedOn(key) && key !== CARD).length,
    notices: standing.filter((message) => message.metadata && !markOf(message)).length,
    faults: choices.taken().length,
    uninstalls: new Set(uninstalled.map(({ team }) => team)).size,
  };
}
