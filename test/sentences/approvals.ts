/** Sentences about approvals: to approvers, to voters, and to whoever waits for them. */

import type { Policy } from '../../src/requests/model/approvals/policy.ts';
import { ApproversProblem, VoteProblem, VoterProblem } from '../../src/requests/model/approvals/problems.ts';
import { decided } from '../../src/requests/model/changes/decide.ts';
import { withPause } from '../../src/requests/model/changes/hold.ts';
import { newRecord } from '../../src/requests/model/changes/new-record.ts';
import { withNotification, withProblem } from '../../src/requests/model/changes/notify.ts';
import { withoutReasons } from '../../src/requests/model/facts/reasons.ts';
import type { NotificationContent } from '../../src/requests/model/notification.ts';
import type { RequestRecord, Step } from '../../src/requests/model/record.ts';
import { toEarlier } from '../../src/requests/use-cases/approvals/approval-needed.ts';
import { addReasonModal, declineModal } from '../../src/slack/features/approval/decline-forms.ts';
import { reasonText, voteFeedback } from '../../src/slack/features/approval/vote-feedback.ts';
import { approvalMessage } from '../../src/slack/messages/content/approval-message.ts';
import { notificationMessage } from '../../src/slack/messages/content/notification.ts';
import { whyNot } from '../../src/slack/messages/sentences/approval-texts.ts';
import { POLICY, SHOWN_APART } from '../support/requests/approval-policy.ts';
import { answered, CLICK, carded, queued, REQUEST, T0 } from '../support/requests/records.ts';
import { message, modal, said } from './render.ts';

const PAUSE = { by: 'UOLGA', at: T0 };
const LINK = 'https://acme.slack.com/archives/C1/p1';

const POLICIES: readonly Policy[] = [
  POLICY,
  SHOWN_APART,
  { ...POLICY, quorum: 1, approvers: { type: 'people', people: ['UCARA', 'UDEV'] } },
  { ...SHOWN_APART, quorum: 1, approvers: { type: 'channel' } },
];

const earlier = [toEarlier(answered({ type: 'refused', httpStatus: 404, details: [] }))];

const waiting = (policy: Policy): RequestRecord => newRecord(REQUEST, T0, { policy, earlier });

/** A request whose voter was no longer an approver when the votes were counted. */
function voided(record: RequestRecord, problem: VoterProblem): RequestRecord {
  if (!record.approval) return record;
  const entry = {
    n: 1,
    at: T0,
    by: 'UDEV',
    type: 'void' as const,
    choice: 'yes' as const,
    source: 'button',
    problem,
  };
  const confirmation = { since: T0, tries: 1, notBefore: T0 };
  return { ...record, approval: { ...record.approval, history: [entry], confirmation } };
}

function declined(policy: Policy, reason?: string): RequestRecord {
  const decision = { type: 'decided' as const, choice: 'no' as const, by: ['UCARA'] };
  const record = decided(waiting(policy), decision, T0);
  if (!record.approval?.decision) throw new Error('It is not declined.');
  const given = { ...record.approval.decision, ...(reason ? { reason } : {}) };
  return { ...record, approval: { ...record.approval, decision: given } };
}

/** An approver wants a request sent again. */
const AGAIN: Step = {
  n: 2,
  state: 'awaiting_approval',
  at: T0,
  cause: { type: 'approval_requested_again', by: 'UDEV' },
};

function notified(record: RequestRecord, content: NotificationContent): string {
  const notification = withNotification(record, content, T0).notifications.at(-1);
  if (!notification) throw new Error('There is no notification.');
  return message(notificationMessage(record, notification, { link: LINK }));
}

/** The message in the approvals channel, while the request waits and once it is decided. */
export function approvalMessages(): string[] {
  const open = POLICIES.flatMap((policy) => [
    waiting(policy),
    withPause(waiting(policy), PAUSE, T0),
    ...ApproversProblem.options.map((problem) => withProblem(waiting(policy), problem, T0)),
  ]);
  const lost = VoterProblem.options.map((problem) => voided(waiting(SHOWN_APART), problem));
  return [...open, ...lost, declined(SHOWN_APART), declined(SHOWN_APART, 'It ships today')].map((record) =>
    message(approvalMessage(record, LINK)),
  );
}

export function notifications(): string[] {
  const ofApproval = POLICIES.flatMap((policy) => [
    notified(waiting(policy), { type: 'reminder' }),
    notified(withPause(waiting(policy), PAUSE, T0), { type: 'reminder' }),
    notified(waiting(policy), { type: 'approval_requested_again' }),
  ]);
  const problems = ApproversProblem.options.flatMap((problem) => [
    notified(waiting(SHOWN_APART), { type: 'alarm', problem }),
    notified(withProblem(waiting(SHOWN_APART), problem, T0), { type: 'admin_unreachable' }),
  ]);
  const again = [...waiting(POLICY).steps, AGAIN];
  const reasoned = declined(POLICY, 'It ships today');
  const shared = { ...declined(POLICY), inSharedChannel: true };
  return [
    ...ofApproval,
    ...problems,
    notified({ ...waiting(POLICY), steps: again }, { type: 'alarm', problem: 'too_few' }),
    notified(declined(POLICY), { type: 'reason_wanted' }),
    notified(shared, { type: 'reason_wanted' }),
    notified(reasoned, { type: 'reason' }),
    notified({ ...reasoned, inSharedChannel: true }, { type: 'reason' }),
    notified(reasoned, { type: 'reason_wanted' }),
    notified(waiting(POLICY), { type: 'misplaced_vote', voter: 'UCARA' }),
    notified(waiting(POLICY), { type: 'misplaced_vote', voter: 'UCARA', stays: true }),
    notified(queued(), { type: 'shared' }),
    notified(queued(), { type: 'unclear', about: { type: 'card' } }),
    notified(waiting(SHOWN_APART), { type: 'unclear', about: { type: 'approval_message' } }),
    notified(answered({ type: 'said', status: 'pending' }), {
      type: 'unclear',
      about: { type: 'reply', n: 3 },
    }),
  ];
}

/** To one person: a vote that changed nothing, a reason that was not taken, and the forms for both. */
export function voteTexts(): string[] {
  const refused = POLICIES.flatMap((policy) =>
    VoterProblem.options.map((problem) => voteFeedback({ type: 'refused', problem, policy })),
  );
  const late = [declined(POLICY), withoutReasons(declined(POLICY, 'It ships today')), carded()];
  return [
    ...refused,
    ...late.map((record) => voteFeedback({ type: 'too_late', record })),
    voteFeedback({ type: 'not_found' }),
    voteFeedback({ type: 'no_vote' }),
    ...['button', 'white_check_mark'].map((source) => voteFeedback({ type: 'paused', pause: PAUSE, source })),
    ...(['not_found', 'not_theirs', 'too_late'] as const).map((type) => reasonText({ type })),
    ...VoteProblem.options.map((problem) => `in the history: The vote … did not count: ${whyNot(problem)}`),
  ]
    .map(said)
    .concat(
      [declineModal(CLICK, waiting(POLICY)), addReasonModal(CLICK, { inSharedChannel: false })].map(modal),
      modal(addReasonModal(CLICK, { inSharedChannel: true })),
    );
}
