/**
 * The sentences about approvals that everybody reads: who approves, which votes count, what was decided; and the question before
 * a request is approved.
 */
import {
  type Approval,
  approvers,
  BUTTON,
  counted,
  isButton,
  isSameVote,
  type VoteEntry,
} from '../../../requests/model/approval.ts';
import { TERMINAL } from '../../../requests/model/audit-entry.ts';
import type { ApproversProblem, Policy } from '../../../requests/model/policy.ts';
import { type RequestRecord, type Step, wantedAgainBy } from '../../../requests/model/record.ts';
import {
  approvalMessageOf,
  hasNote,
  mayHaveFormerReactions,
} from '../../../requests/model/record-messages.ts';
import { policyFor } from '../../../requests/use-cases/approvals/approvers.ts';
import type { Confirming } from '../../blocks/forms.ts';
import {
  countOf,
  escaped,
  mention,
  mentionGroup,
  mentions,
  type NamePeople,
  time,
} from '../../blocks/text.ts';
import { PROBLEMS, WHY_NOT } from './approvers-problems.ts';
import { ONCE_RESUMED, whoPaused, withheldText } from './problems.ts';
import { capital, KIND_COPY, notSentMeanwhile, orAgain, unsent } from './request-words.ts';

/** Names people and user groups: by mentions, or by their names where a mention would notify them. */
export type Naming = { people: NamePeople; group: (id: string) => string };

export const MENTIONED: Naming = { people: mentions, group: mentionGroup };

export function approversText({ approvers, channel }: Policy, naming: Naming = MENTIONED): string {
  switch (approvers.type) {
    case 'group':
      return naming.group(approvers.group);
    case 'people':
      return naming.people(approvers.people);
    case 'channel':
      return `the members of <#${channel}>`;
  }
}

/** Names the approvers at the start of a message, before a colon. */
export const approversAddressed = (policy: Policy): string =>
  policy.approvers.type === 'channel' ? `Members of <#${policy.channel}>` : approversText(policy);

/** "1 of 2: @ana" */
export function tally({ approval }: RequestRecord, people: NamePeople = mentions): string {
  if (!approval) return '';
  const yes = approvers(approval);
  const count = `${yes.length} of ${approval.policy.quorum}`;
  return yes.length > 0 ? `${count}: ${people(yes)}` : count;
}

export const expiry = ({ policy, since }: Approval): string =>
  `Expires ${time(since + policy.expiresAfterMs)}.`;

/** Describes a request that awaits approval. @param whose approval it awaits, in words that fit where this is read */
export function awaiting(record: RequestRecord, whose?: string): string {
  const { approval, paused } = record;
  if (!approval) return '';
  const waiting = `Waiting for ${whose ?? whoseApproval(record, approval)} (${tally(record)}).`;
  const { policy, problem, confirmation } = approval;
  const until = `${voidedText(approval)}${expiry(approval)}`;
  if (paused)
    return `${capital(whoPaused(paused))}, so nobody can decide until an admin resumes it. ${waiting} ${until}`;
  if (problem) {
    const isNobodyTold = hasNote(record, 'admin_unreachable', { since: approval.since });
    const held = heldBack(problem, record);
    const next = isNobodyTold ? `Tell an admin. ${capital(held)}` : `An admin is notified, and ${held}`;
    return `${problemText(problem, policy, record)} ${next} ${until}`;
  }
  const notSent = capital(notSentMeanwhile(record));
  return confirmation
    ? `Checking whether the approvers may still approve (${tally(record)}). ${notSent} until that is clear. ${until}`
    : `${waiting} ${notSent} until there ${policy.quorum === 1 ? 'is' : 'are'} ${countOf(policy.quorum, 'approval')}. ${until}`;
}

function whoseApproval(record: RequestRecord, approval: Approval): string {
  return approvalMessageOf(record)
    ? `the approvers in <#${approval.policy.channel}>`
    : approversText(policyFor(record, approval));
}

/** Tells of votes that were counted until their voters lost the right to vote, unless these have voted again. */
function voidedText(approval: Approval): string {
  const voters = new Set(counted(approval).map(({ by }) => by));
  const voided = approval.history.filter(
    ({ type, at, by }) => type === 'void' && at >= approval.since && !voters.has(by),
  );
  const latest = new Map(voided.map((entry) => [entry.by, entry]));
  const hasReactions = (by: string) =>
    voided.some((entry) => entry.by === by && !isButton(entry) && isStillThere(approval, entry));
  return [...latest.values()].map((entry) => voidText(entry, hasReactions(entry.by))).join('');
}

/**
 * Whether a vote was not taken back since it was made void. That set its `removedAt` to its `addedAt`; taking it back sets a
 * later time.
 */
const isStillThere = ({ votes }: Approval, entry: VoteEntry): boolean =>
  votes.some((vote) => isSameVote(vote, entry) && vote.removedAt === vote.addedAt);

function voidText({ by, problem = 'not_approver' }: VoteEntry, hasReactions: boolean): string {
  // A guest, or somebody who has left, is not told how to react again.
  const again =
    problem === 'not_approver' && hasReactions
      ? 'To react again, they must remove their reaction first. '
      : '';
  return `${mention(by)}'s vote no longer counts: ${WHY_NOT[problem]}. ${again}`;
}

/** The problem with the approvers of a request, and its consequence: for approvers, the requester and admins. */
export function troubleText(problem: ApproversProblem, record: RequestRecord, policy: Policy): string {
  return `${problemText(problem, policy, record)} ${capital(heldBack(problem, record))}`;
}

const heldBack = (problem: ApproversProblem, record: RequestRecord): string =>
  `${notSentMeanwhile(record)}${PROBLEMS[problem].until ?? ' until that is fixed.'}`;

/** Says how to vote, and from when on, where no vote would decide now. */
export function howToVote(record: RequestRecord, { policy: { emoji, quorum }, problem }: Approval): string {
  const how =
    problem === 'reactions_unreadable'
      ? `use the button to approve: a reaction counts only once I can read it. One with :${emoji.no}: declines at once.`
      : `react with :${emoji.yes}: to approve or :${emoji.no}: to decline, or use the buttons.`;
  const again = mayHaveFormerReactions(record)
    ? ' Reactions from before do not count: if yours is still here, remove it and react again.'
    : '';
  const more = quorum > 1 ? ` The request needs ${quorum} approvals; a single decline stops it.` : '';
  const when = record.paused ? ONCE_RESUMED : problem && !PROBLEMS[problem].until && 'once that is fixed';
  return `${capital(when ? `${when}, ${how}` : how)}${again}${more}`;
}

/** The question before somebody approves a request. */
export function approveQuestion(record: RequestRecord): Confirming {
  const { kind, target, approval } = record;
  const given = approval ? approvers(approval).length : 0;
  const missing = approval ? approval.policy.quorum - given : 0;
  const approvals = given > 0 ? 'more approval' : 'approval';
  const asked = `I ask the order service to ${KIND_COPY[kind].verb} ${target}.`;
  const needed = missing > 1 ? `${countOf(missing, approvals)} are needed. ` : '';
  const held = undecidable(record);
  const text =
    missing === 1
      ? `${held ? 'Then one' : 'One'} ${approvals} decides: once it is given and checked, ${asked}`
      : `${needed}Once enough approvers have approved, ${asked}`;
  return {
    title: 'Approve this request?',
    text: held ? `${held} ${text}` : text,
    yes: 'Approve',
    no: 'Decide later',
  };
}

/** Says until when no vote decides; undefined: one may decide now. */
function undecidable({ paused, approval }: RequestRecord): string | undefined {
  if (paused) return 'Nobody can decide until an admin resumes sending.';
  const isHeld = approval?.problem && !PROBLEMS[approval.problem].until;
  return isHeld ? 'Nobody can decide until the problem with the approval is fixed.' : undefined;
}

/** The decision with its people and time, which stays on the card; undefined before a decision. */
export function decisionText({ approval }: RequestRecord): string | undefined {
  const { decision } = approval ?? {};
  if (!decision) return undefined;
  const { choice, by, at } = decision;
  if (choice === 'yes' && approval?.carried !== undefined)
    return `Approved by ${mentions(by)} before · confirmed ${time(at)}`;
  return `${choice === 'yes' ? 'Approved' : 'Declined'} by ${mentions(by)} · ${time(at)}`;
}

export function declined(record: RequestRecord, step: Step, people: NamePeople): string {
  const { decision } = record.approval ?? {};
  const who = decision ? people(decision.by) : 'An approver';
  const reason = decision?.reason ? ` Their reason: “${escaped(decision.reason)}”` : '';
  const why = decision?.withheld ? ` ${withheldText(record, 'Their reason')}` : reason;
  return `${who} declined the request, and ${unsent(record, step)}.${why}`;
}

/**
 * The person besides the requester who wants a request sent again. They cannot approve that, but they could approve a new
 * request. The operator is no approver.
 */
export function otherWhoWantsAgain(record: RequestRecord): string | undefined {
  const by = wantedAgainBy(record);
  return by === record.requester || by === TERMINAL ? undefined : by;
}

/** The people who cannot approve a request: the requester, and somebody else who wants it sent again. */
function whoCannotApprove(record: RequestRecord | undefined): string {
  const other = record && otherWhoWantsAgain(record);
  if (!record || other === undefined) return 'the requester';
  return `the requester and ${mention(other)}, who wants the request sent${orAgain(record)}`;
}

/** The problem with the approvers of a policy, in a sentence for everybody. @param record the request, where it is known */
export function problemText(
  problem: ApproversProblem,
  { approvers, channel }: Policy,
  record?: RequestRecord,
): string {
  const group = approvers.type === 'group' ? ` ${mentionGroup(approvers.group)}` : '';
  const { now, until } = PROBLEMS[problem];
  const text = now({ who: whoCannotApprove(record), group, there: channel ? ` <#${channel}>` : '' });
  return until ? text : `Nobody can approve this right now: ${text}`;
}

/** @param source `BUTTON`, or the name of an emoji */
export const sourceText = (source: string): string => (source === BUTTON ? 'the button' : `:${source}:`);
