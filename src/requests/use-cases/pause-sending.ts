/**
 * Use cases: an admin pauses sending for their workspace, or resumes it; the cards of all unsent requests say so, and the
 * requests are woken.
 */
import type { Log, Replicated, Wake } from '../../outbox/ports.ts';
import { withPause } from '../model/acts.ts';
import { KIND_NAMES } from '../model/kinds.ts';
import type { Pause, PauseChanged, PauseClick } from '../model/settings.ts';
import type { Workspaces } from '../ports/ports.ts';
import { newestRequests, unsentSubject } from '../store/subjects.ts';
import { type ChangeDeps, changeRequest } from '../store/writes.ts';

export type PauseSendingDeps = {
  /** The store of the pause. Each function changes nothing if sending is paused, or not paused, already. */
  pauses: {
    pause: (workspace: string, click: PauseClick) => Promise<PauseChanged>;
    resume: (workspace: string, click: PauseClick) => Promise<PauseChanged>;
  };
  /** No call may begin after a person has read that sending is paused. */
  replicated: Replicated;
  notifying: { wake: Wake };
  log: Log;
};

/**
 * `pause`: the pause that is in force, or that this person has ended; undefined: there is none, or was none to end. `later`: the
 * pause that this click does not end, because it began by a later one. `former`, `version`: of the settings, before and after.
 */
export type PauseResult = { pause: Pause | undefined; later?: Pause } & Pick<
  PauseChanged,
  'isNew' | 'former' | 'version'
>;

/**
 * Pauses sending: from now on no call begins, and nothing is decided that would lead to one. The notifications channel is told.
 *
 * @throws if the storage is unavailable: then sending may be paused
 */
export function pauseSending(
  { pauses, replicated, notifying, log }: PauseSendingDeps,
  { workspace, ...click }: { workspace: string } & PauseClick,
): Promise<PauseResult> {
  return replicated(async () => {
    const { settings, notices, at: _, ...result } = await pauses.pause(workspace, click);
    if (result.isNew) log.warn({ event: 'sending_paused', workspace, user: click.by }, 'sending paused');
    notices.forEach(notifying.wake);
    return { pause: settings.paused, ...result };
  });
}

/** Within this time, a person who resumes sending a second time repeats a try whose result they may not have seen. */
const TRIED_AGAIN_MS = 10 * 60_000;

/**
 * Resumes sending. The notifications channel is told.
 *
 * @throws if the storage is unavailable: then sending may be resumed
 */
export function resumeSending(
  { pauses, replicated, notifying, log }: PauseSendingDeps,
  { workspace, ...click }: { workspace: string } & PauseClick,
): Promise<PauseResult> {
  const { by } = click;
  return replicated(async () => {
    const { settings, notices, at: now, ...result } = await pauses.resume(workspace, click);
    const { paused: later, resumed } = settings;
    if (later) return { pause: undefined, later, ...result };
    const isTheirs = resumed?.by === by && now - resumed.at <= TRIED_AGAIN_MS;
    if (!resumed || !isTheirs) return { pause: undefined, ...result };
    const { pause } = resumed;
    if (result.isNew)
      log.warn({ workspace, user: by, pausedBy: pause.by, pausedAt: pause.at }, 'sending resumed');
    notices.forEach(notifying.wake);
    return { pause, ...result };
  });
}

type ShowPauseDeps = ChangeDeps & { workspaces: Pick<Workspaces, 'inForce'> };

/**
 * Makes the cards of all unsent requests show the pause or its end, and wakes the requests. Even without this, no call
 * begins during a pause, and a request that is held back looks every minute whether the pause has ended.
 *
 * @throws if the storage is unavailable: some cards may not show it
 */
export async function showPause(deps: ShowPauseDeps, workspace: string): Promise<void> {
  for (const kind of KIND_NAMES) {
    const unsent = { workspace, subject: unsentSubject(kind) };
    for await (const ref of newestRequests(deps.store, unsent)) {
      await changeRequest(deps, ref, async (record, now) => {
        const { settings } = await deps.workspaces.inForce(workspace);
        return { record: withPause(record, settings.paused, now) };
      });
    }
  }
}
