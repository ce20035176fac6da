/**
 * The sentences that a voter alone reads, about their own vote. approval-texts.ts has the sentences that everybody reads, and
 * `PERSON` in problems.ts the reasons why guests and others cannot take part.
 */
import { type Approval, approvers, BUTTON } from '../../../requests/model/approval.ts';
import { withoutReasons } from '../../../requests/model/channels.ts';
import { ApproversProblem } from '../../../requests/model/policy.ts';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import type { Voted } from '../../../requests/use-cases/approvals/vote.ts';
import { mentions } from '../../blocks/text.ts';
import { approversText, problemText } from './approval-texts.ts';
import { ONCE_RESUMED, personSentence, REQUEST_NOT_FOUND, whoPaused } from './problems.ts';
import { orAgain, titled } from './request-words.ts';
import { NOT_DONE, sentence } from './sentences.ts';

/**
 * Tells a voter what came of their vote at the foot of a channel or on the Home tab, so the text says which request it is about.
 */
export function voteAnswer(voted: Voted): string | undefined {
  const said = voteFeedback(voted);
  return said && titled(voted, said);
}

/** Tells a voter what came of their vote. @returns undefined if the message that is voted on tells it all */
export function voteFeedback(voted: Exclude<Voted, { type: 'counted' }>): string;
export function voteFeedback(voted: Voted): string | undefined;
export function voteFeedback(voted: Voted): string | undefined {
  switch (voted.type) {
    case 'counted':
      return voted.again && approvedAgainText(voted.record, voted.again);
    case 'not_found':
      return REQUEST_NOT_FOUND;
    case 'refused':
      return refusedText(voted);
    case 'paused':
      return `*${NOT_DONE.approve}*, because ${whoPaused(voted.pause)}. ${voteAgain(voted.source)} ${ONCE_RESUMED}.`;
    case 'no_vote':
      return 'You have no vote by button that could be taken back, so nothing was changed. To take back a reaction, remove it from the message.';
    case 'too_late': {
      const what = voted.takesBack ? 'Vote taken back too late' : NOT_DONE.approve;
      const why = voted.isTimeOver
        ? 'the time for approval is over'
        : 'the request no longer waits for this approval';
      return `*${what}*, because ${why}. ${howDecided(voted.record)}`;
    }
  }
}

/** Says how to vote again: a reaction that stands already can't be added a second time. */
const voteAgain = (source: string): string =>
  source === BUTTON ? 'Vote again' : 'Remove your reaction, and react again';

/**
 * Says who decided, and what the state is now; a sentence about a decision names them already. It quotes no reason, because a
 * guest may react, too.
 */
function howDecided(record: RequestRecord): string {
  const shown = withoutReasons(record);
  const { decision } = shown.approval ?? {};
  const step = currentStep(shown);
  const now = sentence(shown, step);
  const isTold = decision?.choice !== 'yes' || step.cause.type === 'decision';
  return isTold ? now : `${mentions(decision.by)} approved the request before. ${now}`;
}

type Refused = Extract<Voted, { type: 'refused' }>;

function refusedText(voted: Refused): string {
  const { problem, record } = voted;
  const why = whyNotCounted(voted);
  return !record?.approval || ApproversProblem.safeParse(problem).success
    ? why
    : `${why} ${standing(record.approval)}`;
}

function whyNotCounted({ problem, policy, source, record }: Refused): string {
  switch (problem) {
    case 'own_request':
      return 'Your vote does not count, because you made this request. Somebody else has to decide.';
    case 'own_retry':
      return `Your vote does not count, because you asked for this request to be sent${record ? orAgain(record) : ''}. Somebody else has to decide.`;
    case 'not_approver':
      return `Your vote does not count: only ${approversText(policy)} can decide this.`;
    case 'external_user':
    case 'bot':
    case 'deactivated':
    case 'guest':
      return `Your vote does not count. ${personSentence(problem)}`;
    default:
      return `Your vote was not counted. ${problemText(problem, policy)} ${voteAgain(source)} once that is fixed.`;
  }
}

/** Tells a voter how the request stands, which their vote has not changed. */
function standing(approval: Approval): string {
  const { quorum } = approval.policy;
  return `So far ${approvers(approval).length} of ${quorum} ${quorum === 1 ? 'approval counts' : 'approvals count'}.`;
}

/** Tells an approver who has approved already that they count once, and how to take back all their votes. */
function approvedAgainText({ approval }: RequestRecord, sources: readonly string[]): string {
  const reactions = sources.filter((source) => source !== BUTTON);
  // A person's latest vote counts, and the button is shown only if a counted vote is by button. So a later reaction may hide the
  // button until it is removed.
  const how = [
    ...(reactions.length > 0 ? [`remove your ${reactions.length === 1 ? 'reaction' : 'reactions'}`] : []),
    ...(sources.includes(BUTTON) ? ['press *Take back my vote* on the message that shows the request'] : []),
  ];
  const said = `You have already approved this, and your approval counts once. To take it back, ${how.join(', then ')}.`;
  return approval ? `${said} ${standing(approval)}` : said;
}
