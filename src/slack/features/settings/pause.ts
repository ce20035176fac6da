/** The buttons in the settings that pause and resume sending. */
import type { PauseResult } from '../../../requests/use-cases/pause-sending.ts';
import { whoPaused } from '../../blocks/problems.ts';
import { actForAdmin } from '../admin-only.ts';
import { type ActionArgs, type Listener, type ListenerDeps, momentOf, workspaceOf } from '../listener.ts';
import { shownAfter, showSettings } from './settings.ts';
import { versionShown } from './settings-form.ts';

export type PauseOrResume = 'pauseSending' | 'resumeSending';

const PAUSE_TITLE: Record<PauseOrResume, string> = {
  pauseSending: 'Pause sending',
  resumeSending: 'Resume sending',
};

/** Listens to both buttons. The result is told on top of the settings, which then show it, too. */
export function pauseAction(change: PauseOrResume, deps: ListenerDeps): Listener<ActionArgs> {
  const frame = { title: PAUSE_TITLE[change], meanwhile: 'One moment…' };
  return async (args) => {
    const { ack, action, body, client, context } = args;
    await ack();
    const who = { workspace: workspaceOf(context), by: body.user.id };
    const moment = momentOf(action);
    const result = await actForAdmin(deps, args, frame, {
      act: () => deps[change]({ ...who, ...(moment !== undefined && { moment }) }),
      textOf: (done) => pauseText(change, done),
    });
    if (!result) return;
    const beneath = versionShown(body);
    await showSettings(deps, client, who, {
      opened: { id: body.view?.id, external_id: body.view?.external_id },
      shown: shownAfter({ shown: result.former, beneath }, result.version),
    });
    await deps.showPause(who.workspace);
  };
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
