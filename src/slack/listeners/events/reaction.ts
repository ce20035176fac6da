/** Somebody has put a reaction on a message, or has taken it off: it may be a vote. */
import { votedText } from '../../ui/voted.ts';
import { type EventArgs, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';
import { slackMoment, tellPrivately } from '../voting.ts';

export function reactionEvent({
  react,
  log,
}: ListenerDeps): Listener<EventArgs<'reaction_added' | 'reaction_removed'>> {
  return async ({ event, client, context }) => {
    const { item, user: by, reaction: emoji, event_ts, type } = event;
    const { channel, ts } = item;
    const message = { channel, ts };
    const moment = slackMoment(event_ts);
    // Votes are ordered by their time: one that has none cannot be told from an old one.
    if (moment === undefined) return log.warn({ event: type }, 'a reaction without a time was left out');
    const added = type === 'reaction_added';
    const reacted = await react({ workspace: workspaceOf(context), by, message, emoji, added, moment });
    // Not acknowledged: Slack tells again, at once and in a minute, and by then it is known what the message is.
    if (reacted.type === 'not_yet') throw new Error('A reaction came before its message was written down.');
    if (reacted.type === 'not_a_vote' || reacted.type === 'counted') return;
    // The vote is settled, and written down: that its owner could not be told must not make Slack send it again.
    await tellPrivately(client, { channel, user: by }, votedText(reacted)).catch((error) =>
      log.warn({ err: error }, 'somebody could not be told what became of their vote'),
    );
  };
}
