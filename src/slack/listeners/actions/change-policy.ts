/** "Change" beside an approval in the settings: its form opens on top of them. */
import { KIND_NAMES } from '../../../requests/kinds.ts';
import { noticeModal } from '../../ui/notice-modal.ts';
import { POLICY_TITLE, policyModal } from '../../ui/policy-modal.ts';
import { ADMINS_ONLY } from '../../ui/problems.ts';
import { waitingModal } from '../../ui/waiting-modal.ts';
import { nameGroup } from '../../user-groups.ts';
import { replaceView } from '../../views.ts';
import {
  type ActionArgs,
  buttonValue,
  isAdmin,
  type Listener,
  type ListenerDeps,
  workspaceOf,
} from '../listener.ts';

export function changePolicyAction(deps: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, action, body, client, context }) => {
    await ack();
    const workspace = workspaceOf(context);
    const kind = KIND_NAMES.find((name) => name === buttonValue(action));
    if (!kind) throw new Error('Slack named no kind of request.');
    const waiting = waitingModal(POLICY_TITLE, 'Reading what is set…');
    const { view } = await client.views.push({ trigger_id: body.trigger_id, view: waiting });
    if (!(await isAdmin(deps, workspace, body.user.id))) {
      await replaceView(client, view, noticeModal(POLICY_TITLE, ADMINS_ONLY));
      return;
    }
    const policy = (await deps.settings(workspace)).policies?.[kind];
    const group =
      policy?.approvers.type === 'group' ? await nameGroup(client, policy.approvers.group) : undefined;
    await replaceView(client, view, policyModal(kind, policy, group));
  };
}
