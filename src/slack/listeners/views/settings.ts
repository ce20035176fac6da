/** An admin has changed the settings. */
import { readSettingsModal, SETTINGS_TITLE, settingsErrors } from '../../ui/settings-modal.ts';
import { adminsOnly } from '../admin-only.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';
import { notificationsErrors } from '../notifications-channel.ts';

export function settingsSubmission(deps: ListenerDeps): Listener<ViewArgs> {
  return adminsOnly(SETTINGS_TITLE, deps, async ({ ack, view, context }) => {
    const settings = readSettingsModal(view.state.values);
    const workspace = workspaceOf(context);
    const channel = await notificationsErrors(deps, workspace, settings.notificationsChannel);
    const errors = { ...settingsErrors(settings), ...channel };
    if (Object.keys(errors).length > 0) return ack({ response_action: 'errors', errors });
    await deps.changeSettings(workspace, settings);
    return ack();
  });
}
