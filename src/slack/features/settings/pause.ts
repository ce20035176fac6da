/** The buttons in the settings that pause and resume sending. */
import type { PauseResult } from '../../../requests/use-cases/pause-sending.ts';
import { textModal } from '../../blocks/forms.ts';
import { whoPaused } from '../../blocks/problems.ts';
import { adminsOnlyRefusal, isAdmin, tellDirectly } from '../admin-only.ts';
import { type ActionArgs, type Listener, type ListenerDeps, momentOf, workspaceOf } from '../listener.ts';
import { byClick, openModal } from '../views.ts';
import { shownAfter, showSettings } from './settings.ts';
import { versionShown } from './settings-form.ts';

export type PauseOrResume = 'pauseSending' | 'resumeSending';

const PAUSE_TITLE: Record<PauseOrResume, string> = {
  pauseSending: 'Pause sending',
  resumeSending: 'Resume sending',
};

/** Listens to both buttons. The result is told on top of the settings, which then show it, too. */
export function pauseAction(change: PauseOrResume, deps: ListenerDeps): Listener<ActionArgs> {
  return async (args) => {
    const { ack, action, body, client, context } = args;
    await ack();
    const who = { workspace: workspaceOf(context), by: body.user.id };
    const title = PAUSE_TITLE[change];
    // Begun at once: what an admin wants to stop does not wait for a modal.
    const changing = pauseOrResume(change, deps, { ...who, moment: momentOf(action) });
    const settled = changing.catch(() => undefined);
    const failed = await openModal(deps, byClick(args), { title, meanwhile: 'One moment…' }, async () => {
      const result = await changing;
      const text = result ? pauseText(change, result) : await adminsOnlyRefusal(deps, who.workspace);
      return textModal(title, text);
    }).catch((error: unknown) => ({ error }));
    const result = await settled;
    if (!result) {
      if (failed) throw failed.error;
      return;
    }
    if (failed) {
      // The change is made: the sentence about a fault, "nothing more was done", would be wrong.
      deps.log.warn({ err: failed.error, user: who.by }, 'outcome not shown in the modal');
      await tellDirectly(deps, client, who.by, pauseText(change, result));
    }
    const beneath = versionShown(body);
    await showSettings(deps, client, who, {
      opened: { id: body.view?.id, external_id: body.view?.external_id },
      shown: shownAfter({ shown: result.former, beneath }, result.version),
    });
    await deps.showPause(who.workspace);
  };
}

/** @returns undefined if the person is no admin, and nothing was changed */
async function pauseOrResume(
  change: PauseOrResume,
  deps: ListenerDeps,
  click: { workspace: string; by: string; moment: number | undefined },
): Promise<PauseResult | undefined> {
  const { workspace, by, moment } = click;
  if (!(await isAdmin(deps, workspace, by))) return undefined;
  return deps[change]({ workspace, by, ...(moment !== undefined && { moment }) });
}

/** Says what a click has changed. */
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
