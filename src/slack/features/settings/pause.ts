/** The buttons of the settings that pause what is sent to the order service, and resume it. */
import type { PauseResult } from '../../../requests/use-cases/pause-sending.ts';
import { noticeModal } from '../../blocks/forms.ts';
import { adminsOnlyFor } from '../admin-only.ts';
import {
  type ActionArgs,
  isAdmin,
  type Listener,
  type ListenerDeps,
  momentOf,
  workspaceOf,
} from '../listener.ts';
import { openModal } from '../views.ts';
import { type PauseOrResume, pauseText } from './pause-text.ts';
import { shownAfter, showSettings } from './settings.ts';
import { readShown } from './settings-form.ts';

const TITLE: Record<PauseOrResume, string> = {
  pauseSending: 'Pause sending',
  resumeSending: 'Resume sending',
};

/** Tells the outcome on top of the settings, which then show it, too. */
export function pauseAction(change: PauseOrResume, deps: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, action, body, client, context }) => {
    await ack();
    const who = { workspace: workspaceOf(context), by: body.user.id };
    const title = TITLE[change];
    const opening = { client, triggerId: body.trigger_id, title, meanwhile: 'One moment…' };
    // Begun at once: what an admin wants to stop does not wait for a window.
    const changing = changed(change, deps, { ...who, moment: momentOf(action) });
    const settled = changing.catch(() => undefined);
    await openModal(deps, { ...opening, onTop: true }, async () => {
      const result = await changing;
      const text = result ? pauseText(change, result) : await adminsOnlyFor(deps, who.workspace);
      return noticeModal(title, text);
    });
    const result = await settled;
    if (!result) return;
    const beneath = readShown(body.view?.private_metadata ?? '');
    await showSettings(deps, client, who, {
      id: body.view?.id,
      shown: shownAfter({ shown: result.former, beneath }, result.version),
    });
    await deps.showPause(who.workspace);
  };
}

/** @returns undefined if the person is no admin, and nothing was changed */
async function changed(
  change: PauseOrResume,
  deps: ListenerDeps,
  click: { workspace: string; by: string; moment: number | undefined },
): Promise<PauseResult | undefined> {
  const { workspace, by, moment } = click;
  if (!(await isAdmin(deps, workspace, by))) return undefined;
  return deps[change]({ workspace, by, ...(moment !== undefined && { moment }) });
}
