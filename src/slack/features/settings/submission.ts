/** An admin has changed the settings. */
import { noticeModal } from '../../blocks/notice-modal.ts';
import { adminsOnly } from '../admin-only.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';
import { notificationsErrors } from '../notifications-channel.ts';
import { overtakenErrors, readSettingsModal, SETTINGS_TITLE, settingsErrors } from './modal.ts';

const NOTHING_CHANGED = 'Nothing was changed in this form. An approval is saved in its own form.';

export function settingsSubmission(deps: ListenerDeps): Listener<ViewArgs> {
  return adminsOnly(SETTINGS_TITLE, deps, async ({ ack, view, context }) => {
    const { settings, shown } = readSettingsModal(view);
    const workspace = workspaceOf(context);
    const channel = await notificationsErrors(deps, workspace, settings.notificationsChannel);
    const errors = { ...settingsErrors(settings), ...channel };
    if (Object.keys(errors).length > 0) return ack({ response_action: 'errors', errors });
    const saved = await deps.saveSettings(workspace, settings, shown);
    switch (saved.type) {
      case 'saved':
        return ack();
      case 'unchanged':
        return ack({ response_action: 'update', view: noticeModal(SETTINGS_TITLE, NOTHING_CHANGED) });
      case 'overtaken':
        return ack({ response_action: 'errors', errors: overtakenErrors(saved.names) });
    }
  });
}
