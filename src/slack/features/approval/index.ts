/** Registers what approvers do: votes by button and by reaction, declining with a reason. */
import type { webApi } from '@slack/bolt';
import type { Reacted, Reacting } from '../../../requests/use-cases/approvals/react.ts';
import { ACTIONS, CALLBACKS, EVENTS } from '../../blocks/ids.ts';
import { voteFeedback } from '../../messages/sentences/vote-texts.ts';
import {
  type EventArgs,
  type Feature,
  type Listener,
  type ListenerDeps,
  slackMoment,
  workspaceOf,
} from '../listener.ts';
import {
  addReasonAction,
  addReasonSubmission,
  approveAction,
  declineAction,
  declineSubmission,
  takeBackAction,
  tellPrivately,
} from './buttons.ts';

export const approval: Feature = (deps) => ({
  actions: {
    [ACTIONS.approve]: approveAction(deps),
    [ACTIONS.decline]: declineAction(deps),
    [ACTIONS.takeBack]: takeBackAction(deps),
    [ACTIONS.addReason]: addReasonAction(deps),
  },
  views: {
    [CALLBACKS.decline]: declineSubmission(deps),
    [CALLBACKS.addReason]: addReasonSubmission(deps),
  },
  events: {
    [EVENTS.reactionAdded]: reactionEvent(deps),
    [EVENTS.reactionRemoved]: reactionEvent(deps),
  },
});

type ReactionArgs = EventArgs<'reaction_added' | 'reaction_removed'>;

function reactionEvent(deps: ListenerDeps): Listener<ReactionArgs> {
  const { log } = deps;
  return async ({ event, body, client, context }) => {
    const { item, user: by, reaction: emoji, event_ts, type } = event;
    const { channel, ts } = item;
    const message = { channel, ts };
    const moment = slackMoment(event_ts);
    // Votes are ordered by their time: without one, an old vote would count as new.
    if (moment === undefined) return log.warn({ name: type }, 'reaction ignored: no time');
    const added = type === 'reaction_added';
    const reacting = { workspace: workspaceOf(context), by, message, emoji, added, moment };
    const here = { reacted: await deps.react(reacting), client };
    const isOfOthers = here.reacted.type === 'not_a_vote' && body.is_ext_shared_channel === true;
    const settled = (isOfOthers ? await reactElsewhere(deps, reacting) : undefined) ?? here;
    const { reacted } = settled;
    // Not acknowledged, so Slack delivers it again, at once and in a minute. The message is recorded by then.
    if (reacted.type === 'not_yet') throw new Error('A reaction came before its message was written down.');
    if (reacted.type === 'not_a_vote') return;
    const feedback = voteFeedback(reacted);
    if (feedback === undefined) return;
    const { thread } = reacted;
    const where = { channel, user: by, ...(thread === undefined ? {} : { thread_ts: thread }) };
    // The vote is recorded, so a failure to notify its voter must not make Slack deliver it again.
    await tellPrivately(settled.client, where, feedback).catch((error) =>
      log.warn({ err: error }, 'vote feedback not delivered'),
    );
  };
}

/**
 * Looks for the message in the other workspaces of a shared channel. If several companies of the channel have the bot,
 * Slack delivers a reaction once, and may name a workspace whose bot did not post the message
 * (https://docs.slack.dev/apis/slack-connect/, "Support strategies by feature").
 *
 * @returns undefined if it is a vote in none of them
 */
async function reactElsewhere(
  { directory, installedIn, react }: ListenerDeps,
  reacting: Reacting,
): Promise<{ reacted: Reacted; client: webApi.WebClient } | undefined> {
  const others = await directory.sharedWith(reacting.workspace, reacting.message.channel);
  for (const workspace of others) {
    const client = await installedIn(workspace);
    const reacted = client && (await react({ ...reacting, workspace }));
    if (reacted && reacted.type !== 'not_a_vote') return { reacted, client };
  }
  return undefined;
}
