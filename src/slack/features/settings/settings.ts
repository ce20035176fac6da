/** `/countermand settings` and its form. */

import { noticeModal } from '../../blocks/modals.ts';
import { nameGroup } from '../../directory/user-groups.ts';
import { adminsOnly, openForAdmin } from '../admin-only.ts';
import {
  type CommandArgs,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { notificationsErrors } from '../notifications-channel.ts';
import { conflictErrors, readSettingsModal, SETTINGS_TITLE, settingsErrors, settingsModal } from './modal.ts';

const OPENING = { title: SETTINGS_TITLE, meanwhile: 'Loading the settings…' };

export async function openSettings(deps: ListenerDeps, args: CommandArgs): Promise<void> {
  await openForAdmin(deps, args, OPENING, async (workspace) => {
    const settings = await deps.settings(workspace);
    return settingsModal(
      settings,
      settings.requesters ? await nameGroup(args.client, workspace, settings.requesters) : undefined,
    );
  });
}

const NOTHING_CHANGED = 'Nothing was changed in this form. Approvals are saved in forms of their own.';

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
      case 'conflict':
        return ack({ response_action: 'errors', errors: conflictErrors(saved.names) });
    }
  });
}
