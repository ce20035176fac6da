/** The messages to approvers, the notes about a request, and the private answers to a vote or a reason. */
import { decided, withPause } from '../requests/model/acts.ts';
import { BUTTON } from '../requests/model/approval.ts';
import { withoutReasons } from '../requests/model/channels.ts';
import { newRecord } from '../requests/model/new-record.ts';
import { ApproversProblem, type Policy, VoterProblem } from '../requests/model/policy.ts';
import type { NoteContent, RequestRecord } from '../requests/model/record.ts';
import { notesOf } from '../requests/model/record-messages.ts';
import { withNote, withProblem } from '../requests/model/record-notes.ts';
import { toEarlier } from '../requests/use-cases/approvals/approval-needed.ts';
import type { Voted } from '../requests/use-cases/approvals/vote.ts';
import { addReasonModal, declineModal, reasonText } from '../slack/features/approval.ts';
import { approvalMessage } from '../slack/messages/content/card.ts';
import { noteMessage } from '../slack/messages/content/render.ts';
import { WHY_NOT } from '../slack/messages/sentences/approvers-problems.ts';
import { voteAnswer } from '../slack/messages/sentences/vote-texts.ts';
import {
  answered,
  CLICK,
  carded,
  LINK,
  PAUSE,
  POLICY,
  queued,
  REQUEST,
  REVIEWED,
  SHOWN_APART,
  type Surface,
  T0,
  withCard,
  withRepliesTo,
} from './examples.ts';

const IN_DOUBT = { status: 'doubtful', tries: 1, since: T0, until: T0, notBefore: T0 } as const;

/** Slack has refused to update the card. */
const NOT_UPDATED = { shown: 0, updateTries: 0, updateAt: T0, refused: { revision: 1, since: T0 } };

const POLICIES: readonly Policy[] = [
  POLICY,
  SHOWN_APART,
  { ...POLICY, quorum: 1, approvers: { type: 'people', people: ['UCARA', 'UDEV'] } },
  { ...SHOWN_APART, quorum: 1, approvers: { type: 'channel' } },
];

const earlier = [toEarlier(answered({ type: 'refused', httpStatus: 404, details: [] }))];

/** A request that waits for approval under a policy. */
export const waitingFor = (policy: Policy): RequestRecord => newRecord(REQUEST, T0, { policy, earlier });

/** A request whose voter was no longer an approver when the votes were counted. */
function voided(record: RequestRecord, problem: VoterProblem): RequestRecord {
  if (!record.approval) return record;
  const entry = {
    n: 1,
    at: T0,
    by: 'UDEV',
    type: 'void' as const,
    choice: 'yes' as const,
    source: problem === 'not_approver' ? POLICY.emoji.yes : BUTTON,
    problem,
  };
  const confirmation = { since: T0, tries: 1, notBefore: T0 };
  const { by, choice, source } = entry;
  const votes = [{ by, choice, source, addedAt: 1, removedAt: 1 }];
  return { ...record, approval: { ...record.approval, votes, history: [entry], confirmation } };
}

/** A request for which somebody has voted by button, so that they can take the vote back. */
export function withVote(record: RequestRecord): RequestRecord {
  const vote = { by: 'UDEV', choice: 'yes' as const, source: BUTTON, addedAt: 1, removedAt: 0 };
  return record.approval ? { ...record, approval: { ...record.approval, votes: [vote] } } : record;
}

function declined(policy: Policy, reason?: string): RequestRecord {
  const decision = { type: 'decided' as const, choice: 'no' as const, by: ['UCARA'] };
  const record = decided(waitingFor(policy), decision, T0);
  if (!record.approval?.decision) throw new Error('The request is not declined.');
  const given = { ...record.approval.decision, ...(reason ? { reason } : {}) };
  return { ...record, approval: { ...record.approval, decision: given } };
}

/** A request for which an approver has pressed Retry. @param callResult of its call */
function requestedAgain(policy: Policy, callResult: 'refused' | 'not_received' = 'refused'): RequestRecord {
  const record = waitingFor(policy);
  const call = {
    n: 2,
    state: 'calling' as const,
    at: T0,
    cause: { type: 'call_begun' as const },
    callResult,
  };
  const cause = { type: 'approval_requested_again' as const, by: 'UDEV' };
  const approval = record.approval && { ...record.approval, round: 2, since: T0 + 1 };
  const steps = [...record.steps, call, { n: 3, state: record.state, at: T0, cause }];
  return { ...record, approval, steps };
}

const retried = (): RequestRecord[] => [
  ...POLICIES.map((policy) => requestedAgain(policy)),
  requestedAgain(POLICY, 'not_received'),
];

function noted(record: RequestRecord, content: NoteContent): Surface {
  const note = notesOf(withNote(record, content, T0)).at(-1);
  if (!note) throw new Error('There is no note.');
  return noteMessage(record, note, { link: LINK });
}

/** The message in the approvals channel, while the request waits and once it is decided. */
export function approvalMessages(): Surface[] {
  const open = POLICIES.flatMap((policy) => [
    waitingFor(policy),
    withPause(waitingFor(policy), PAUSE, T0),
    ...ApproversProblem.options.map((problem) => withProblem(waitingFor(policy), problem, T0)),
  ]);
  const lost = VoterProblem.options.map((problem) => voided(waitingFor(SHOWN_APART), problem));
  const ended = [declined(SHOWN_APART), declined(SHOWN_APART, 'It ships today')];
  const waiting = [...open, withVote(waitingFor(SHOWN_APART)), requestedAgain(SHOWN_APART)];
  return [...waiting, ...lost, ...ended].map((record) => approvalMessage(record, LINK));
}

/** The examples of each type of note: the requests about which its text differs, and the rest of its content. */
type Notes = { readonly [T in NoteContent['type']]: readonly Example<Extract<NoteContent, { type: T }>>[] };
type Example<N extends NoteContent> = readonly [RequestRecord, Omit<N, 'type'>];

export function notes(): Surface[] {
  const reasoned = declined(POLICY, 'It ships today');
  const shared = { inSharedChannel: true };
  const voter = 'UCARA';
  const all: Notes = {
    reminder: POLICIES.flatMap((policy) => [
      [waitingFor(policy), {}],
      [withPause(waitingFor(policy), PAUSE, T0), {}],
      [{ ...waitingFor(policy), thread: '1.000002' }, {}],
      [withProblem(waitingFor(policy), 'reactions_unreadable', T0), {}],
    ]),
    approval_requested_again: retried().map((record) => [record, {}]),
    alarm: [
      ...ApproversProblem.options.map((problem) => [waitingFor(SHOWN_APART), { problem }] as const),
      [requestedAgain(POLICY), { problem: 'too_few' }],
    ],
    admin_unreachable: ApproversProblem.options.map((problem) => [
      withProblem(waitingFor(SHOWN_APART), problem, T0),
      {},
    ]),
    reason_wanted: [
      [declined(POLICY), {}],
      [{ ...declined(POLICY), ...shared }, {}],
      [withCard(declined(POLICY), { delivery: { status: 'given_up', code: 'message_not_found' } }), {}],
      [reasoned, {}],
    ],
    reason: [
      [reasoned, {}],
      [{ ...reasoned, ...shared }, {}],
    ],
    misplaced_vote: [
      [waitingFor(POLICY), { voter }],
      [waitingFor(POLICY), { voter, stays: true }],
    ],
    shared: [
      [queued(), {}],
      [withCard(queued(), { upkeep: NOT_UPDATED }), {}],
    ],
    card_delayed: [
      [queued(), {}],
      [withCard(queued(), { delivery: IN_DOUBT }), {}],
    ],
    unclear: [
      [queued(), { about: 'card' }],
      [waitingFor(SHOWN_APART), { about: 'approval:1' }],
      ...(['thread', 'requester', 'channel'] as const).map(
        (to) => [withRepliesTo(REVIEWED, to), { about: 'reply:3' }] as const,
      ),
    ],
  };
  return Object.entries(all).flatMap(([type, examples]) =>
    examples.map(([record, more]) => noted(record, { type, ...more } as NoteContent)),
  );
}

/** The reasons to refuse a vote at once. The others, that something is unreadable, are found when the votes are counted. */
const REFUSALS = VoterProblem.exclude(['reactions_unreadable', 'approvers_unreadable']).options;

/** The private answers to a vote that changed nothing and to a reason that was not accepted, and the forms for both. */
export function voteTexts(): Surface[] {
  const refused = POLICIES.flatMap((policy) => {
    const record = waitingFor(policy);
    return REFUSALS.map((problem) => ({
      type: 'refused' as const,
      problem,
      policy,
      source: policy === POLICY ? BUTTON : POLICY.emoji.yes,
      ...(problem !== 'external_user' && { record }),
    }));
  });
  const late = [declined(POLICY), withoutReasons(declined(POLICY, 'It ships today')), carded()];
  const voted: Voted[] = [
    ...refused,
    ...late.map((record) => ({ type: 'too_late' as const, record })),
    ...late.map((record) => ({ type: 'too_late' as const, record, takesBack: true as const })),
    ...[[BUTTON], ['+1', '+1::skin-tone-2'], [BUTTON, POLICY.emoji.yes]].map((again) => ({
      type: 'counted' as const,
      record: waitingFor({ ...POLICY, quorum: 2 }),
      again,
    })),
    { type: 'not_found' },
    { type: 'no_vote', record: waitingFor(POLICY) },
    ...[BUTTON, POLICY.emoji.yes].map((source) => ({
      type: 'paused' as const,
      record: waitingFor(POLICY),
      pause: PAUSE,
      source,
    })),
  ];
  return [
    ...voted.flatMap((each) => voteAnswer(each) ?? []),
    ...(['not_found', 'not_theirs', 'too_late'] as const).map((type) => reasonText({ type })),
    reasonText({ type: 'not_allowed', problem: 'guest' }),
    ...Object.values(WHY_NOT).map((why) => `The vote … did not count: ${why}`),
    declineModal(CLICK, waitingFor(POLICY)),
    ...[true, false].map((inSharedChannel) => addReasonModal(CLICK, { inSharedChannel })),
  ];
}
