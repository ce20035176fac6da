/** Promise 6, within one workspace: each message is in the conversation where it belongs. */
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { RequestSeen } from '../observed/requests.ts';
import { isApprovalMessage, isCard, isNote, isReply, type Posted } from '../observed/witness.ts';
import type { Seen, Violation } from './seen.ts';

export function checkPlaces(seen: Seen): Violation[] {
  return seen.requests.flatMap((request) =>
    request.posts
      .filter((posted) => seen.witness.stands(posted) && !isInPlace(seen, request, posted))
      .map(({ step, target, message }) => ({
        type: 'wrong' as const,
        promise: 6,
        what: `step ${step} about ${target} is in ${message.channel} ${message.thread_ts ?? ''}`,
      })),
  );
}

const { cara, dev, olga } = SEED.users;
const NOTIFIED_PRIVATELY = [cara, dev, olga];

const isOf = ({ requester }: RequestSeen, { members }: { members: ReadonlySet<string> }): boolean =>
  requester !== undefined && members.has(requester);

function isInPlace({ harness, played }: Seen, request: RequestSeen, posted: Posted): boolean {
  const { message, target } = posted;
  const { channel, thread_ts } = message;
  const isAlone = thread_ts === undefined || thread_ts === message.ts;
  const conversation = harness.slack.world.channels.get(channel);
  if (conversation?.kind === 'im') {
    // A reply that cannot be posted in the thread, or a note to one approver, admin or requester.
    const isForOne = NOTIFIED_PRIVATELY.some((person) => conversation.members.has(person));
    return isReply(posted) || (isNote(posted) && (isForOne || isOf(request, conversation)));
  }
  if (isCard(posted)) {
    const requesters = played.find(({ story }) => story.target === target)?.requesters ?? [];
    return isAlone && requesters.some((requester) => requester.channel === channel);
  }
  if (isApprovalMessage(posted)) return isAlone && channel === SEED.channels.approvals;
  // Replies are in the thread of the card, messages to approvers in that of the approval message.
  const parents = request.posts.filter((each) => isCard(each) || isApprovalMessage(each));
  return parents.some(({ message: parent }) => parent.channel === channel && parent.ts === thread_ts);
}
