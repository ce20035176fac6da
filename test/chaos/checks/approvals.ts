/** Invariant 2: one decision, by somebody whose vote stood, announced once; what was denied is not sent. */
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Ballot } from '../people/stories.ts';
import type { Played } from '../play.ts';
import type { Seen, Violation } from './check.ts';
import type { Names, RequestSeen } from './requests-seen.ts';

const { cara, dev } = SEED.users;

/** Who may have approved, and who may have denied. */
const DECIDERS: Record<Ballot, { yes: readonly string[]; no: readonly string[] }> = {
  both_yes: { yes: [cara, dev], no: [] },
  both_click: { yes: [cara, dev], no: [] },
  yes_and_no: { yes: [cara], no: [dev] },
  taken_back_yes: { yes: [dev], no: [] },
  taken_back_no: { yes: [], no: [dev] },
};

/** Slack could not be asked for the name. */
const UNNAMED = 'an approver';

export function checkApprovals({ played, requestsOf, calls, names }: Seen): Violation[] {
  return played.flatMap(({ story }: Played) => {
    if (!story.ballot) return [];
    const deciders = DECIDERS[story.ballot];
    const requests = requestsOf.get(story.target) ?? [];
    const isCalled = (calls.get(story.target) ?? []).length > 0;
    return requests.flatMap((request) =>
      judge(request, { deciders, names }, isCalled && requests.length === 1),
    );
  });
}

function judge(
  { target, replies, state, sentence }: RequestSeen,
  { deciders, names }: { deciders: (typeof DECIDERS)[Ballot]; names: Names },
  isCalled: boolean,
): Violation[] {
  const wrong = (what: string): Violation => ({ type: 'wrong', invariant: 2, what: `${target}: ${what}` });
  const named = replies.flatMap(({ message }) => /^Approved by ([^.]+)\./.exec(message.text)?.[1] ?? []);
  const approved = named.map((name) => (name === UNNAMED ? deciders.yes[0] : names.get(name)));
  const denied = /<@(\w+)> denied the request/.exec(sentence)?.[1];
  const found: Violation[] = [];
  if (approved.length > 1) found.push({ ...wrong('approved twice'), type: 'doubled' });
  if (approved.some((who) => !who || !deciders.yes.includes(who)))
    found.push(wrong(`approved by ${approved}`));
  if (denied && !deciders.no.includes(denied)) found.push(wrong(`denied by ${denied}`));
  if (state === 'declined' && approved.length > 0) found.push(wrong('approved and denied'));
  if (state === 'declined' && isCalled) found.push(wrong('denied, and sent'));
  if (isCalled && approved.length === 0)
    found.push({ ...wrong('sent, and no approval was told'), type: 'lost' });
  return found;
}
