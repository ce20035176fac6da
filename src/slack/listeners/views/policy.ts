/** An admin has decided whose approval a kind of request needs. */
import { KIND_NAMES } from '../../../requests/kinds.ts';
import { policyErrors, readPolicyModal } from '../../ui/policy-form.ts';
import { POLICY_TITLE } from '../../ui/policy-modal.ts';
import { settingsModal } from '../../ui/settings-modal.ts';
import { nameGroup } from '../../user-groups.ts';
import { replaceView } from '../../views.ts';
import { adminsOnly } from '../admin-only.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';

export function policySubmission(deps: ListenerDeps): Listener<ViewArgs> {
  return adminsOnly(POLICY_TITLE, deps, async ({ ack, body, client, context, view }) => {
    const workspace = workspaceOf(context);
    const kind = KIND_NAMES.find((name) => name === view.private_metadata);
    if (!kind) throw new Error('Slack named no kind of request.');
    const draft = readPolicyModal(view.state.values);
    const changed = await deps.changePolicy({ workspace, by: body.user.id, kind }, draft);
    if (changed.type === 'invalid') {
      return ack({ response_action: 'errors', errors: policyErrors(changed.problems) });
    }
    await ack();
    // The settings beneath show the policy as it is now.
    const settings = await deps.settings(workspace);
    const group = settings.askers ? await nameGroup(client, workspace, settings.askers) : undefined;
    await replaceView(client, { id: view.root_view_id ?? undefined }, settingsModal(settings, group));
  });
}
