/** `/countermand settings` and its form. */

import { channelProblem } from '../../../requests/use-cases/rules.ts';
import { BLOCKS } from '../../blocks/ids.ts';
import { noticeModal } from '../../blocks/modals.ts';
import { channelSentence } from '../../blocks/problems.ts';
import { nameGroup } from '../../directory/user-groups.ts';
import { adminsOnly, type Invocation, openForAdmin } from '../admin-only.ts';
import {
  type ActionArgs,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { conflictErrors, readSettingsModal, SETTINGS_TITLE, settingsErrors, settingsModal } from './modal.ts';

const OPENING = { title: SETTINGS_TITLE, meanwhile: 'Loading the settings…' };

/** @param onTop on top of the modal that is open */
export async function openSettings(deps: ListenerDeps, args: Invocation, onTop = false): Promise<void> {
  await openForAdmin(deps, args, { ...OPENING, onTop }, async (workspace) => {
    const inForce = await deps.settingsInForce(workspace);
    const { requesters } = inForce.settings;
    return settingsModal(
      inForce,
      requesters ? await nameGroup(args.client, workspace, requesters) : undefined,
    );
  });
}

/** The button in the modal of a workspace that has just been connected. */
export function openSettingsAction(deps: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, body, client, context }) => {
    await ack();
    const command = { trigger_id: body.trigger_id, user_id: body.user.id };
    await openSettings(deps, { client, context, command }, true);
  };
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

/** Whether the bot will be able to write into the notifications channel. @returns what is wrong with it, at its field */
async function notificationsErrors(
  { directory }: Pick<ListenerDeps, 'directory'>,
  workspace: string,
  channel: string | undefined,
): Promise<Record<string, string>> {
  if (channel === undefined) return {};
  const problem = channelProblem(await directory.channel(workspace, channel));
  return problem ? { [BLOCKS.notifications]: channelSentence(problem) } : {};
}
