/** "Change" beside an approval in the settings: its form opens on top of them. */
import { KIND_NAMES } from '../../../requests/model/kinds.ts';
import { shownPolicy } from '../../../workspaces/settings.ts';
import { noticeModal } from '../../blocks/notice-modal.ts';
import { ADMINS_ONLY } from '../../blocks/problems.ts';
import { nameGroup } from '../../directory/user-groups.ts';
import {
  type ActionArgs,
  buttonValue,
  isAdmin,
  type Listener,
  type ListenerDeps,
  workspaceOf,
} from '../listener.ts';
import { openThenFill } from '../open-modal.ts';
import { draftOf, POLICY_TITLE, policyModal } from './policy-modal.ts';

export function changePolicyAction(deps: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, action, body, client, context }) => {
    await ack();
    const workspace = workspaceOf(context);
    const kind = KIND_NAMES.find((name) => name === buttonValue(action));
    if (!kind) throw new Error('Slack named no kind of request.');
    const meanwhile = 'Reading what is set…';
    const opening = { client, trigger: body.trigger_id, title: POLICY_TITLE, meanwhile, log: deps.log };
    await openThenFill({ ...opening, onTop: true }, async () => {
      if (!(await isAdmin(deps, workspace, body.user.id))) return noticeModal(POLICY_TITLE, ADMINS_ONLY);
      const policy = (await deps.settings(workspace)).policies?.[kind];
      const group = policy?.approvers.type === 'group' ? policy.approvers.group : undefined;
      return policyModal({ kind, shown: shownPolicy(policy) }, policy && draftOf(policy), {
        group: group === undefined ? undefined : await nameGroup(client, workspace, group),
      });
    });
  };
}
