/** Promise 2: one decision, by enough valid votes, announced once; a declined request is not sent. */
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Names, RequestSeen } from '../observed/requests.ts';
import type { Played } from '../play.ts';
import { QUORUM, type VotingPattern } from '../stories.ts';
import type { Seen, Violation } from './seen.ts';

const { cara, dev } = SEED.users;

type Deciders = { yes: readonly string[]; no: readonly string[] };

const BOTH: Deciders = { yes: [cara, dev], no: [] };

/** The people who may have approved, and those who may have declined. */
const DECIDERS: Record<VotingPattern, Deciders> = {
  both_yes: BOTH,
  both_click: BOTH,
  second_thoughts: BOTH,
  yes_and_no: { yes: [cara], no: [dev] },
  taken_back_yes: { yes: [dev], no: [] },
  taken_back_no: { yes: [], no: [dev] },
};

/** A reply says this where Slack did not give the name. */
const UNNAMED = 'somebody';

type Rule = { deciders: Deciders; quorum: number; names: Names };

export function checkApprovals({ played, requestsOf, calls, names }: Seen): Violation[] {
  return played.flatMap(({ story, resent }: Played) => {
    const quorum = QUORUM[story.kind];
    if (!story.votes || !quorum) return [];
    const rule = { deciders: DECIDERS[story.votes], quorum, names };
    const requests = requestsOf.get(story.target) ?? [];
    const made = calls.get(story.target) ?? [];
    const isCalled = made.length > 0;
    const isReceived = made.some(({ mayBeReceived }) => mayBeReceived);
    return requests.flatMap((request) => {
      const rounds = 1 + resent.filter((ref) => requestIn(ref) === request.request).length;
      // Later rounds are decided by the button, so both may have approved.
      const again = { ...rule, deciders: rounds > 1 ? { ...rule.deciders, yes: BOTH.yes } : rule.deciders };
      const isOnly = requests.length === 1;
      return checkRequest(request, again, {
        rounds,
        isCalled: isOnly && isCalled,
        isReceived: isOnly && isReceived,
      });
    });
  });
}

/** @param ref of a button or form: the workspace, behind an "@", and the request with its step */
const requestIn = (ref: string): string | undefined => /^(?:@\w+ )?([^:]+):/.exec(ref)?.[1];

/** The people who approved, in this round or in a former one. */
const APPROVED = /^Approved by ([^.]+?)(?: before, and the approval still counts)?\./;

function checkRequest(
  { target, replies, state, sentence }: RequestSeen,
  { deciders, quorum, names }: Rule,
  { rounds, isCalled, isReceived }: { rounds: number; isCalled: boolean; isReceived: boolean },
): Violation[] {
  const wrong = (what: string): Violation => ({ type: 'wrong', promise: 2, what: `${target}: ${what}` });
  const approvals = replies.flatMap(({ message }) => APPROVED.exec(message.text)?.[1] ?? []);
  const declined = /<@(\w+)> declined the request/.exec(sentence)?.[1];
  const found: Violation[] = [];
  if (approvals.length > rounds) found.push({ ...wrong('approved twice'), type: 'doubled' });
  for (const approval of approvals)
    if (!meetsQuorum(approval, { deciders, quorum, names })) found.push(wrong(`approved by ${approval}`));
  if (declined && !deciders.no.includes(declined)) found.push(wrong(`declined by ${declined}`));
  const isEndedBefore = (state === 'declined' || state === 'withdrawn') && rounds === 1;
  if (state === 'declined' && isEndedBefore && approvals.length > 0)
    found.push(wrong('approved and declined'));
  // A call that the service did not take is repeated, and until then the request can be withdrawn.
  if (isEndedBefore && isReceived) found.push(wrong(`${state}, and sent`));
  if (isCalled && approvals.length === 0)
    found.push({ ...wrong('sent without an announced approval'), type: 'lost' });
  return found;
}

function meetsQuorum(approval: string, { deciders, quorum, names }: Rule): boolean {
  const named = [...names].filter(([name]) => approval.includes(name)).map(([, id]) => id);
  const unnamed = approval.split(UNNAMED).length - 1;
  return named.every((id) => deciders.yes.includes(id)) && named.length + unnamed >= quorum;
}
