/** The choices in the form of a policy, and a policy as that form shows it. */

import { type Policy, QUORUM_MAX } from '../../../requests/model/approvals/policy.ts';
import type { PolicyDraft } from '../../../requests/use-cases/approvals/draft-policy.ts';

export const APPROVERS = {
  nobody: 'Nobody: requests are sent at once',
  group: 'The members of a user group',
  people: 'People named here',
  channel: 'The members of the approvals channel',
} as const;

export const SHOWN_IN = {
  approvals_channel: 'In the approvals channel, with a link back',
  where_requested: 'In the channel of the request',
} as const;

const HOUR = 3_600_000;
/** Milliseconds -> how that reads. */
export const EXPIRES: ReadonlyMap<number, string> = new Map([
  [HOUR / 4, '15 minutes'],
  [HOUR, '1 hour'],
  [4 * HOUR, '4 hours'],
  [8 * HOUR, '8 hours'],
  [24 * HOUR, '1 day'],
  [72 * HOUR, '3 days'],
  [168 * HOUR, '1 week'],
]);
export const USUAL_EXPIRY = 8 * HOUR;

export const POLICY_OPTIONS = {
  reminds: 'Remind the approvers after half of the time',
  may_withdraw: 'The requester may withdraw the request (admins always may)',
} as const;

export const QUORUMS = Object.fromEntries(
  Array.from({ length: QUORUM_MAX }, (_, i) => [`${i + 1}`, `${i + 1}`]),
);

/** A policy as its form shows it. */
export function draftOf({ approvers, ...rest }: Policy): PolicyDraft {
  return {
    ...rest,
    approvers: approvers.type,
    group: approvers.type === 'group' ? approvers.group : undefined,
    people: approvers.type === 'people' ? approvers.people : [],
  };
}
