/** Decides whether a person can create requests, and how many more. */
import type { Policy } from '../model/approvals/policy.ts';
import type { Kind } from '../model/kinds.ts';
import type { Pause } from '../model/pause.ts';
import { limitOf, type Usage } from '../model/recent-requests.ts';
import type { Directory, Settings, Workspaces } from '../ports/ports.ts';
import { readUsage, type WithinLimitDeps } from '../store/within-limit.ts';
import { policyOutOfReach } from './approvals/approval-needed.ts';
import { outsideOfGroup, type PersonProblem, personProblem } from './who-may.ts';

/** Reasons why a person can't create any request. */
export type Barrier =
  | { type: 'not_allowed'; problem: PersonProblem }
  | { type: 'not_connected' | 'token_refused' }
  /** Slack does not let the bot post messages, so there would be no card. */
  | { type: 'no_posting' }
  /** An admin has paused sending. */
  | { type: 'paused'; pause: Pause }
  /** Too few approvers remain, because the requester's own vote does not count. */
  | { type: 'too_few_approvers'; policy: Policy };

type Requester = {
  workspace: string;
  requester: string;
  settings: Settings;
  /** The kind of request that they want to make: then a pause and the approvers are checked, too. */
  kind?: Kind;
};

/** @returns what keeps this person from creating a request; undefined: nothing does */
export async function checkRequester(
  { directory, workspaces }: { directory: Directory; workspaces: Workspaces },
  { workspace, requester, settings, kind }: Requester,
): Promise<Barrier | undefined> {
  const policy = kind && settings.policies?.[kind];
  const [person, groupProblem, connection, mayPost, outOfReach] = await Promise.all([
    directory.person(workspace, requester),
    outsideOfGroup(directory, { workspace, requester, settings }),
    workspaces.connection(workspace),
    directory.mayPost(workspace),
    policy && policyOutOfReach(directory, policy, { workspace, requester }),
  ]);
  const problem = personProblem(person) ?? groupProblem;
  if (problem) return { type: 'not_allowed', problem };
  if (!mayPost) return { type: 'no_posting' };
  const paused = kind && pausedBarrier(settings);
  if (paused) return paused;
  if (connection !== 'connected') return { type: connection };
  return policy && outOfReach ? { type: 'too_few_approvers', policy } : undefined;
}

/** The pause that keeps everybody from making requests; undefined: sending is not paused. */
export const pausedBarrier = ({ paused }: Settings): Barrier | undefined =>
  paused && { type: 'paused', pause: paused };

/**
 * Reads the number of requests of a person within the last hour.
 *
 * @returns undefined if there is no limit
 * @throws if the storage can't be read
 */
export function usageBy(
  deps: Pick<WithinLimitDeps, 'recentRequests'>,
  { workspace, requester, settings }: Omit<Requester, 'kind'>,
): Promise<Usage | undefined> {
  return readUsage(deps, { workspace, person: requester, limit: limitOf(settings) });
}
