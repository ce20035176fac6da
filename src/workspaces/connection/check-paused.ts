/** Use case: checks a refused token by a GET, after a wait or because an admin asks, so that calls can go on. */
import type { Log, TokenCheck } from '../../requests/ports/ports.ts';
import type { Connections } from './connections.ts';
import type { TokenPauses } from './token-pauses.ts';
import { findInForce, type TellingDeps, tellAdmins } from './tokens.ts';

export type CheckPausedDeps = TellingDeps & {
  connections: Connections;
  tokenPauses: TokenPauses;
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
  const pause = await tokenPauses.beginCheck(workspace, isAsked);
  if (!pause) return 'not_paused';
  const connection = await findInForce(connections, pause);
  const token = connection && connections.token(connection);
  if (!connection || token === undefined) {
    await tokenPauses.forget(workspace);
    return 'not_paused';
  }
  await tellAdmins(deps, connection, pause);
  const { type } = await checkToken(token);
  if (type === 'unreachable') return 'unreachable';
  if (type === 'refused') {
    await tokenPauses.refuse(pause, true);
    return 'refused';
  }
  await tokenPauses.open(pause);
  return 'open';
}

/** Checks run side by side, so that a service that is slow for some workspaces does not hold up the others. */
const AT_ONCE = 20;

/** Checks all tokens that are due. */
export async function checkAllPaused(deps: CheckPausedDeps, log: Log, stopping: AbortSignal): Promise<void> {
  const ids = deps.tokenPauses.ids();
  const worker = async () => {
    for await (const workspace of { [Symbol.asyncIterator]: () => ids }) {
      if (stopping.aborted) return;
      await checkPaused(deps, workspace, false).then(
        (checked) => checked !== 'not_paused' && log.info({ workspace, checked }, 'refused token checked'),
        (err) => log.error({ workspace, err }, 'refused token not checked'),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
