/** Declares what is said about problems with the approvers of a request, and why a vote does not count. */
import type { ApproversProblem, VoteProblem } from '../../../requests/model/policy.ts';
import { SHARED } from './request-words.ts';

/** `who`: the people who cannot approve the request. `group`, `there`: the user group or channel, each after a space if known. */
type Named = { who: string; group: string; there: string };

type ProblemTexts = {
  /** The sentence about the problem as it is; if nobody can approve meanwhile, after a colon. */
  now: (named: Named) => string;
  /** The reason why a vote did not count, after a colon. */
  past: string;
  /** The help for the open request, which the admin who chose its approvers reads; undefined if no admin can fix the problem. */
  remedy: string | undefined;
  /** The time until when nothing is sent, at the end of a sentence. Undefined: no vote can decide until the problem is fixed. */
  until?: string;
};

const INVITE = 'Invite me to that channel with /invite @Countermand.';

/** The words for each problem with the approvers of a request. */
export const PROBLEMS: Record<ApproversProblem, ProblemTexts> = {
  too_few: {
    now: ({ who }) => `There are not enough approvers besides ${who}.`,
    past: 'there were not enough approvers besides the requester',
    remedy: 'Add people who can approve.',
    until: ' until there are enough. If an admin chooses other approvers, a new request is needed.',
  },
  reactions_unreadable: {
    now: () => 'I cannot read the reactions right now: approvers can use the buttons.',
    past: 'the reactions could not be read',
    remedy: undefined,
    until: ' until somebody decides with a button, or I can read them again.',
  },
  approvers_unreadable: {
    now: () => 'I cannot check right now whether the approvers may still approve this.',
    past: 'the approvers could not be checked',
    remedy: undefined,
    until: ' while I keep trying.',
  },
  group_unreadable: {
    now: ({ group }) => `the user group${group} is gone or cannot be read.`,
    past: 'the user group could not be read',
    remedy: 'Enable that user group again.',
  },
  channel_not_visible: {
    now: ({ there }) => `I cannot see the approvals channel${there}.`,
    past: 'the approvals channel could not be seen',
    remedy: INVITE,
  },
  channel_not_member: {
    now: ({ there }) => `I am not a member of the approvals channel${there}.`,
    past: 'the approvals channel could not be read',
    remedy: INVITE,
  },
  channel_not_private: {
    now: ({ there }) => `the approvals channel${there} is not private.`,
    past: 'the approvals channel was not private',
    remedy: 'Make that channel private again.',
  },
  channel_shared: {
    now: ({ there }) => `the approvals channel${there} is ${SHARED}.`,
    past: `the approvals channel was ${SHARED}`,
    remedy: 'Stop sharing that channel with the other company, or revoke the invitation.',
  },
  channel_archived: {
    now: ({ there }) => `the approvals channel${there} is archived.`,
    past: 'the approvals channel was archived',
    remedy: 'Unarchive that channel.',
  },
  channel_refused: {
    now: ({ there }) => `I cannot post in the approvals channel${there}.`,
    past: 'Countermand could not post in the approvals channel',
    remedy: 'Let me post in that channel.',
  },
};

type Pasts = Record<ApproversProblem, string>;

/** The reasons why somebody's vote did not count, after a colon. They stay, though its voter may get the right to vote later. */
export const WHY_NOT: Readonly<Record<VoteProblem, string>> = {
  own_request: 'they made this request',
  own_retry: 'they asked for the request to be sent',
  not_approver: 'they were not an approver',
  external_user: 'they belonged to another company',
  bot: 'bots cannot vote',
  deactivated: 'their account was deactivated',
  guest: 'they were a guest',
  paused: 'sending was paused',
  ...(Object.fromEntries(Object.entries(PROBLEMS).map(([problem, { past }]) => [problem, past])) as Pasts),
};
