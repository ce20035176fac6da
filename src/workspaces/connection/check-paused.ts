/** Use case: checks a refused token by a GET, after a wait or because an admin asks, so that calls can go on. */

import type { Log } from '../../outbox/ports.ts';
import type { RecordRef } from '../../outbox/record-store.ts';
import type { TokenCheck } from '../../requests/ports/ports.ts';
import type { Connections } from './connections.ts';
import { type TellingDeps, tellAdmins } from './tokens.ts';

export type CheckPausedDeps = TellingDeps & {
  connections: Pick<Connections, 'token' | 'due' | 'postpone'>;
  checkToken: (token: string) => Promise<TokenCheck>;
};

/** `open`: the next call is let through, and decides. */
export type PausedChecked = 'not_paused' | 'open' | 'refused' | 'unreachable';

/** Checks the token of a workspace whose calls are paused. No answer changes nothing. */
export async function checkPaused(
  deps: CheckPausedDeps,
  workspace: string,
  isAsked: boolean,
): Promise<PausedChecked> {
  const { connections, tokenPauses, checkToken } = deps;
  const paused = await tokenPauses.beginCheck(workspace, isAsked);
  const token = paused && (await connections.token(paused));
  if (!paused || token === undefined) return 'not_paused';
  await tellAdmins(deps, paused);
  const { type } = await checkToken(token);
  if (type === 'unreachable') return 'unreachable';
  if (type === 'refused') {
    await tokenPauses.refuse(paused, true);
    return 'refused';
  }
  await tokenPauses.open(paused);
  return 'open';
}

/** Checks run side by side, so that a service that is slow for some workspaces does not hold up the others. */
const CHECKED_AT_ONCE = 20;
const PAGE = 200;

/** After a fault. */
const POSTPONED_MS = 60_000;

/** Checks all tokens that are due. @throws if the storage can't list them */
export async function checkAllPaused(deps: CheckPausedDeps, log: Log, stopping: AbortSignal): Promise<void> {
  let page: RecordRef[];
  do {
    page = await deps.connections.due(PAGE);
    const left = page.values();
    const worker = async () => {
      for (const ref of left) if (!stopping.aborted) await checkDue(deps, ref, log);
    };
    await Promise.all(Array.from({ length: CHECKED_AT_ONCE }, worker));
  } while (page.length === PAGE && !stopping.aborted);
}

async function checkDue(deps: CheckPausedDeps, ref: RecordRef, log: Log): Promise<void> {
  const { workspace } = ref;
  try {
    const checked = await checkPaused(deps, workspace, false);
    if (checked !== 'not_paused') log.info({ workspace, checked }, 'refused token checked');
  } catch (err) {
    log.error({ workspace, err }, 'refused token not checked');
    // One that can't be read is always due.
    await deps.connections.postpone(ref, POSTPONED_MS);
  }
}
