/**
 * Use case: the members of a group or channel have changed. Notifies an admin of each policy that they can no longer
 * meet.
 */

import type { Policy } from '../../model/approvals/policy.ts';
import { KIND_NAMES } from '../../model/kinds.ts';
import { newPolicyNotice } from '../../model/notices/notice.ts';
import type { Directory, Workspaces } from '../../ports/ports.ts';
import { keepNotice, type NotifyAdminsDeps } from '../../store/notify-admins.ts';
import { countEligible } from './eligible.ts';

export type ApproversChangedDeps = NotifyAdminsDeps & {
  directory: Directory;
  workspaces: Pick<Workspaces, 'settings'>;
};

export type ChangedMembers = { workspace: string } & ({ group: string } | { channel: string });

/** @throws if the settings or Slack can't be read, or the notice can't be stored */
export async function approversChanged(deps: ApproversChangedDeps, changed: ChangedMembers): Promise<void> {
  const { workspace } = changed;
  const { policies = {} } = await deps.workspaces.settings(workspace);
  for (const kind of KIND_NAMES) {
    const policy = policies[kind];
    if (!policy || !areApprovers(policy, changed)) continue;
    const { quorum, setBy: to } = policy;
    const eligible = await countEligible(deps.directory, workspace, policy);
    if (eligible === undefined || eligible >= quorum) continue;
    await keepNotice(deps, newPolicyNotice({ workspace, kind, quorum, to }, await deps.notices.now()));
  }
}

function areApprovers({ approvers, channel }: Policy, changed: ChangedMembers): boolean {
  return 'group' in changed
    ? approvers.type === 'group' && approvers.group === changed.group
    : approvers.type === 'channel' && channel === changed.channel;
}
