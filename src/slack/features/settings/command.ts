/** /countermand settings: shown to admins once it is known what is set. */

import { nameGroup } from '../../directory/user-groups.ts';
import { openForAdmin } from '../admin-only.ts';
import type { CommandArgs, ListenerDeps } from '../listener.ts';
import { SETTINGS_TITLE, settingsModal } from './modal.ts';

const OPENING = { title: SETTINGS_TITLE, meanwhile: 'Reading what is set…' };

export async function openSettings(deps: ListenerDeps, args: CommandArgs): Promise<void> {
  await openForAdmin(deps, args, OPENING, async (workspace) => {
    const settings = await deps.settings(workspace);
    return settingsModal(
      settings,
      settings.askers ? await nameGroup(args.client, workspace, settings.askers) : undefined,
    );
  });
}
