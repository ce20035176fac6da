/** Pauses sending for a workspace, and resumes it. */
import type { PauseResult } from '../../../requests/use-cases/pause-sending.ts';
import { noticeModal } from '../../blocks/forms.ts';
import { ACTIONS } from '../../blocks/ids.ts';
import { whoPaused } from '../../blocks/problems.ts';
import { adminsOnlyFor } from '../admin-only.ts';
import {
  type ActionArgs,
  type Feature,
  isAdmin,
  type Listener,
  type ListenerDeps,
  momentOf,
  workspaceOf,
} from '../listener.ts';
import { shownAfter, showSettings } from '../settings/settings.ts';
import { readShown } from '../settings/settings-form.ts';
import { openModal } from '../views.ts';

/** Pausing and resuming what is sent to the order service, in the settings. */
export const pause: Feature = (deps) => ({
  actions: {
    [ACTIONS.pauseSending]: pauseAction('pauseSending', deps),
    [ACTIONS.resumeSending]: pauseAction('resumeSending', deps),
  },
});

type PauseOrResume = 'pauseSending' | 'resumeSending';

const TITLE: Record<PauseOrResume, string> = {
  pauseSending: 'Pause sending',
  resumeSending: 'Resume sending',
};

/** Tells the outcome on top of the settings, which then show it, too. */
function pauseAction(change: PauseOrResume, deps: ListenerDeps): Listener<ActionArgs> {
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

export function pauseText(
  change: PauseOrResume,
  { pause, isNew }: Pick<PauseResult, 'pause' | 'isNew'>,
): string {
  if (change === 'resumeSending') {
    return pause
      ? 'Sending is resumed. Requests that still wait are sent now.'
      : 'Sending was not paused, so nothing was changed.';
  }
  if (!pause) return 'An admin has resumed sending since you pressed this, so nothing was changed.';
  if (!isNew) return `Sending was paused already: ${whoPaused(pause)}.`;
  return 'Sending is paused. Nothing more is sent to the order service until an admin resumes it. What was on its way is finished.';
}
