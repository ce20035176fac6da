/** An admin has decided whose approval a kind of request needs. */
import { noticeModal } from '../../ui/notice-modal.ts';
import {
  POLICY_OVERTAKEN,
  POLICY_UNCHANGED,
  policyErrors,
  readPolicyMetadata,
  readPolicyModal,
} from '../../ui/policy-form.ts';
import { POLICY_TITLE } from '../../ui/policy-modal.ts';
import { settingsModal } from '../../ui/settings-modal.ts';
import { nameGroup } from '../../user-groups.ts';
import { replaceView } from '../../views.ts';
import { adminsOnly } from '../admin-only.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';

export function policySubmission(deps: ListenerDeps): Listener<ViewArgs> {
  return adminsOnly(POLICY_TITLE, deps, async ({ ack, body, client, context, view }) => {
    const workspace = workspaceOf(context);
    const whose = { workspace, by: body.user.id, ...readPolicyMetadata(view.private_metadata) };
    const changed = await deps.changePolicy(whose, readPolicyModal(view.state.values));
    switch (changed.type) {
      case 'invalid':
        return ack({ response_action: 'errors', errors: policyErrors(changed.problems) });
      case 'overtaken':
        return ack({ response_action: 'errors', errors: POLICY_OVERTAKEN });
      case 'unchanged':
        return ack({ response_action: 'update', view: noticeModal(POLICY_TITLE, POLICY_UNCHANGED) });
      case 'saved':
        await ack();
    }
    // The settings beneath show the policy as it is now.
    const settings = await deps.settings(workspace);
    const group = settings.askers ? await nameGroup(client, workspace, settings.askers) : undefined;
    await replaceView(client, { id: view.root_view_id ?? undefined }, settingsModal(settings, group));
  });
}
