/** What is said about approvals: who approves, how it stands, what was decided. Pure. */
import type { Approval, ApproversProblem, VoterProblem } from '../../../requests/model/approvals/approval.ts';
import type { Policy } from '../../../requests/model/approvals/policy.ts';
import { counted } from '../../../requests/model/approvals/votes.ts';
import { receiptOf } from '../../../requests/model/facts/receipt.ts';
import type { RequestRecord, Step } from '../../../requests/model/record.ts';
import { withheldText } from '../../blocks/kind-copy.ts';
import { personSentence } from '../../blocks/problems.ts';
import { escaped, mention, mentions, time } from '../../blocks/text.ts';
import { unsent } from './call-texts.ts';

/** Who approves, so that they are told of it: a mention of the group, or of each of the people. */
export function approversText({ approvers, channel }: Policy): string {
  switch (approvers.type) {
    case 'group':
      return `<!subteam^${approvers.group}>`;
    case 'people':
      return mentions(approvers.people);
    case 'channel':
      return `the members of <#${channel}>`;
  }
}

/** "1 of 2: @ana" */
export function tally({ approval }: RequestRecord): string {
  if (!approval) return '';
  const votes = counted(approval);
  const yes = votes.filter(({ choice }) => choice === 'yes').map(({ by }) => by);
  const { quorum } = approval.policy;
  const count = `${yes.length} of ${quorum}`;
  return yes.length > 0 ? `${count}: ${mentions(yes)}` : count;
}

/** Until when approval is awaited. */
export const expiry = ({ policy, since }: Approval): string => `Expires ${time(since + policy.lapseMs)}.`;

/**
 * How a request stands that awaits approval.
 *
 * @param whose approval it awaits, as it is said where this is read
 */
export function awaiting(record: RequestRecord, whose: string = whoseApproval(record)): string {
  const { approval } = record;
  if (!approval) return '';
  const { policy, problem, confirmation } = approval;
  const until = `${voidedText(approval)}${expiry(approval)}`;
  if (problem) return `${troubleText(problem, record, policy)} An admin is told. ${until}`;
  const unsent = wasSent(record) ? 'It is not sent again' : 'Nothing is sent';
  return confirmation
    ? `Checking the approvers (${tally(record)}). ${unsent} until that is done. ${until}`
    : `Waiting for ${whose} (${tally(record)}). ${unsent} until they approve. ${until}`;
}

const wasSent = (record: RequestRecord): boolean => receiptOf(record) !== 'none';

function whoseApproval({ approval }: RequestRecord): string {
  if (!approval) return '';
  const { ballot, policy } = approval;
  return ballot ? `the approvers in <#${policy.channel}>` : approversText(policy);
}

/** Votes that were counted until their voters lost the right to them; a vote that they make anew takes their place. */
function voidedText(approval: Approval): string {
  const voters = new Set(counted(approval).map(({ by }) => by));
  const voided = approval.history.filter(
    ({ type, at, by }) => type === 'void' && at >= approval.since && !voters.has(by),
  );
  const latest = new Map(voided.map((entry) => [entry.by, entry]));
  return [...latest.values()]
    .map(
      ({ by, problem }) => `${mention(by)}'s vote no longer counts: ${whyNot(problem ?? 'not_approver')}. `,
    )
    .join('');
}

/** What is wrong with the approvers of a request, and what that means. */
export function troubleText(problem: ApproversProblem, record: RequestRecord, policy: Policy): string {
  const unsent = `The request is not sent${wasSent(record) ? ' again' : ''}`;
  return `${problemText(problem, policy)} ${unsent}${UNTIL[problem] ?? ' until that is mended.'}`;
}

/** Where waiting for somebody to mend it does not help, or is not all that helps. */
const UNTIL: Partial<Record<ApproversProblem, string>> = {
  too_few: ': it has to be made again when an admin has changed who approves.',
  reactions_unreadable: ' before somebody decides by button, or that is mended.',
  approvers_unreadable: ' until I can check them. I keep trying.',
};

/** The same for somebody whose vote was not counted for it. */
const VOTE_LATER: Partial<Record<ApproversProblem, string>> = {
  too_few: 'The request has to be made again when an admin has changed who approves.',
  reactions_unreadable: '',
  approvers_unreadable: 'I keep trying.',
};

/** How to vote, for those who may. */
export function howToVote({ policy: { emoji, quorum } }: Approval): string {
  const more = quorum > 1 ? ` It takes ${quorum} approvals; one denial is enough to stop it.` : '';
  return `React with :${emoji.yes}: to approve or :${emoji.no}: to deny, or use the buttons.${more}`;
}

/** Who decided, and when: it stays on the card. Undefined where nobody has. */
export function decisionText({ approval }: RequestRecord): string | undefined {
  const { decision } = approval ?? {};
  if (!decision) return undefined;
  return `${decision.choice === 'yes' ? 'Approved' : 'Denied'} by ${mentions(decision.by)} · ${time(decision.at)}`;
}

export function declined(record: RequestRecord, step: Step): string {
  const { decision } = record.approval ?? {};
  const who = decision ? mentions(decision.by) : 'An approver';
  const why = decision?.withheld ? ` ${withheldText(record, 'The reason')}` : told(decision?.reason);
  return `${who} denied the request, and ${unsent(record, step)}.${why}`;
}

const told = (reason: string | undefined): string => (reason ? ` The reason: “${escaped(reason)}”` : '');

/** What is wrong with the approvers of a policy, in a sentence. */
function problemText(problem: ApproversProblem, { approvers, channel }: Policy): string {
  const group = approvers.type === 'group' ? ` <!subteam^${approvers.group}>` : '';
  const there = channel ? `<#${channel}>` : 'its channel';
  const texts: Record<ApproversProblem, string> = {
    too_few: 'There are not enough approvers besides the requester.',
    reactions_unreadable: 'I cannot read the reactions here at present: use the buttons.',
    approvers_unreadable: "I can't check at present whether the approvers may still approve this.",
    group_unreadable: `Nobody can approve this at present: the user group${group} is gone or can't be read.`,
    channel_not_visible: `Nobody can approve this at present: I cannot see the approvals channel ${there}.`,
    channel_not_member: `Nobody can approve this at present: I am not a member of the approvals channel ${there}.`,
    channel_not_private: `Nobody can approve this at present: the approvals channel ${there} is not private.`,
    channel_shared: `Nobody can approve this at present: the approvals channel ${there} is shared with another company.`,
    channel_archived: `Nobody can approve this at present: the approvals channel ${there} is archived.`,
    channel_refused: `Nobody can approve this at present: I cannot post in the approvals channel ${there}.`,
  };
  return texts[problem];
}

/** What somebody reads whose vote does not count. */
export function refusedText(problem: VoterProblem, policy: Policy): string {
  switch (problem) {
    case 'own_request':
      return 'Your vote does not count, because you asked for this yourself. Somebody else has to decide.';
    case 'not_approver':
      return `Your vote does not count: this is decided by ${approversText(policy)}.`;
    case 'stranger':
    case 'bot':
    case 'deactivated':
    case 'guest':
      return `Your vote does not count. ${personSentence(problem)}`;
    default:
      return `Your vote was not counted. ${problemText(problem, policy)} ${VOTE_LATER[problem] ?? 'Vote again once that is mended.'}`.trim();
  }
}

export const sourceText = (source: string): string => (source === 'button' ? 'the button' : `:${source}:`);

/** Why somebody's vote does not count, after a colon. */
export const whyNot = (problem: VoterProblem): string => WHY[problem];

const WHY: Record<VoterProblem, string> = {
  own_request: 'they asked for this themselves',
  not_approver: 'they are not an approver',
  stranger: 'they belong to another company',
  bot: 'it is a bot',
  deactivated: 'the account is deactivated',
  guest: 'they are a guest',
  too_few: 'too few people could approve it',
  reactions_unreadable: 'the reactions could not be read',
  approvers_unreadable: 'the approvers could not be checked',
  group_unreadable: 'the user group could not be read',
  channel_not_visible: 'the approvals channel could not be seen',
  channel_not_member: 'the approvals channel could not be read',
  channel_not_private: 'the approvals channel was not private',
  channel_shared: 'the approvals channel was shared with another company',
  channel_archived: 'the approvals channel was archived',
  channel_refused: 'the approvals channel could not be posted in',
};
