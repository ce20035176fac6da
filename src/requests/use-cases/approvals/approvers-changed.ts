/**
 * Use case: Slack reports that a user group or a channel has changed. Notifies the admin who set a policy that too few people can
 * meet now, and counts the approvers of the open requests again: their policies may name groups and channels that no setting
 * names any more.
 */
import { KIND_NAMES } from '../../model/kinds.ts';
import { newPolicyNotice } from '../../model/notices/notice.ts';
import type { Policy } from '../../model/policy.ts';
import type { PeopleDirectory, RequestStore, Workspaces } from '../../ports/ports.ts';
import { type KeepNoticeDeps, keepNotice } from '../../store/notices.ts';
import { type ApproversRule, newestRequests, ruleSubject } from '../../store/subjects.ts';
import { type ChangeDeps, changeRequest } from '../../store/writes.ts';
import { withApproversCounted } from './approval-needed.ts';
import { countEligible } from './approvers.ts';

type RecountDeps = ChangeDeps & { directory: PeopleDirectory };

export type ApproversChangedDeps = RecountDeps & {
  workspaces: Pick<Workspaces, 'settings'>;
  notifying: KeepNoticeDeps;
};

export type ChangedMembers = { workspace: string } & ({ group: string } | { channel: string });

/**
 * Tells who has to know that the members of a user group or a channel have changed, or that the group is gone: an admin, and the
 * readers of the open requests whose approvers they are.
 *
 * @throws if the settings, the requests or Slack can't be read, or something can't be stored: Slack must deliver the event again
 */
export function approversChanged(deps: ApproversChangedDeps, changed: ChangedMembers): Promise<void> {
  const { workspace } = changed;
  return deps.replicated(async () => {
    await notifyOfUnmetPolicies(deps, changed);
    const ids = await awaitingMembers(deps.store, changed);
    await recountApprovers(deps, { workspace, ids, isConcerned: (policy) => areApprovers(policy, changed) });
  });
}

async function notifyOfUnmetPolicies(
  { workspaces, directory, notifying }: ApproversChangedDeps,
  changed: ChangedMembers,
): Promise<void> {
  const { workspace } = changed;
  const { policies = {} } = await workspaces.settings(workspace);
  for (const kind of KIND_NAMES) {
    const policy = policies[kind];
    if (!policy || !areApprovers(policy, changed)) continue;
    const { quorum, setBy: to } = policy;
    const eligible = await countEligible(directory, workspace, policy, { most: quorum });
    // Slack reports with the same event that a group was disabled.
    const goneGroup = eligible === undefined && 'group' in changed ? changed.group : undefined;
    if (goneGroup === undefined && (eligible ?? quorum) >= quorum) continue;
    const about = { workspace, kind, quorum, goneGroup, to };
    await keepNotice(notifying, newPolicyNotice(about, await notifying.notices.now()));
  }
}

function areApprovers({ approvers, channel }: Policy, changed: ChangedMembers): boolean {
  return 'group' in changed
    ? approvers.type === 'group' && approvers.group === changed.group
    : approvers.type === 'channel' && channel === changed.channel;
}

/** Lists the ids of the requests that await the approval of the members of a group or a channel. */
async function awaitingMembers(store: RequestStore, changed: ChangedMembers): Promise<string[]> {
  const { workspace } = changed;
  const rule: ApproversRule =
    'group' in changed ? { type: 'group', id: changed.group } : { type: 'channel', id: changed.channel };
  const listed = newestRequests(store, { workspace, subject: ruleSubject(rule) });
  return Array.fromAsync(listed, ({ id }) => id);
}

/**
 * Counts the approvers of requests again, as far as they still await approval under a policy that is concerned.
 *
 * @throws if the storage or Slack is unavailable: requests that were written by then stay so
 */
export async function recountApprovers(
  deps: RecountDeps,
  {
    workspace,
    ids,
    isConcerned,
  }: { workspace: string; ids: Iterable<string>; isConcerned: (policy: Policy) => boolean },
): Promise<void> {
  let isChanged: boolean;
  do {
    isChanged = false;
    const directory = readingOnce(deps.directory);
    for (const id of ids) {
      await changeRequest(deps, { workspace, id }, async (record, now) => {
        if (!record.approval || !isConcerned(record.approval.policy)) return { record };
        const next = await withApproversCounted(directory, record, now);
        isChanged ||= next !== record;
        return { record: next };
      });
    }
    // If this process was frozen before it wrote, another one may have seen newer data, and found nothing to change.
  } while (isChanged);
}

/**
 * Reads each group and channel once for all requests, and now: Slack allows twenty reads of groups a minute. What is known of
 * people may be a minute old.
 */
const readingOnce = (directory: PeopleDirectory): PeopleDirectory => ({
  ...directory,
  person: once((workspace, user) => directory.person(workspace, user)),
  groupMembers: once((workspace, group) => directory.groupMembers(workspace, group)),
  channel: once((workspace, channel) => directory.channelNow(workspace, channel)),
  channelMembers: once((workspace, channel) => directory.channelMembers(workspace, channel)),
});

/** Returns a function that reads each thing of a workspace once. */
function once<T>(read: (workspace: string, id: string) => Promise<T>): typeof read {
  const known = new Map<string, Promise<T>>();
  return (workspace, id) => known.getOrInsertComputed(`${workspace} ${id}`, () => read(workspace, id));
}
