/**
 * Provides the token for a workspace's calls, and reacts to the service's verdict about it: a refused token is checked by a
 * GET, after a wait or because an admin asks, so that calls can go on.
 */
import type { Log } from '../../outbox/ports.ts';
import type { RecordRef } from '../../outbox/record-store.ts';
import type { RefusedToken } from '../../requests/model/notices/notice.ts';
import type { ConnectionState, HeldToken, Runtime, TokenCheck, Tokens } from '../../requests/ports/ports.ts';
import { pauseIn, phaseOf } from './connection.ts';
import type { ConnectionHealth, Connections } from './connections.ts';
import type { PausedConnection, TokenPauses } from './token-pauses.ts';

type TellingDeps = {
  tokenPauses: TokenPauses;
  /** Notifies the admins, once for each pause, however often it is called. */
  notifyAdmins: (refused: RefusedToken) => Promise<void>;
};

export type TokensDeps = TellingDeps & {
  connections: Pick<Connections, 'find' | 'token'>;
  connectionHealth: Pick<ConnectionHealth, 'record'>;
  log: Log;
  runtime: Pick<Runtime, 'sleep'>;
};

/**
 * The waits between the tries to write a pause, milliseconds. Together they are shorter than the wait before the first check: a
 * refusal from before a check says nothing about a token that the check has found accepted. If no try succeeds, the next refused
 * call writes the pause; if the admins were not told, the next check tells them.
 */
const PAUSE_AGAIN_MS = [1_000, 10_000];

export function createTokens(deps: TokensDeps): Tokens {
  const { connections, connectionHealth, tokenPauses, log, runtime } = deps;

  /** Pauses the calls. The result of the call that was refused waits for the first try only. */
  async function pauseCalls(token: HeldToken, [wait, ...waits] = PAUSE_AGAIN_MS): Promise<void> {
    const { workspace } = token;
    try {
      const paused = await tokenPauses.refuse(token);
      // A late answer says nothing about the replacement token, or one that was accepted since.
      if (!paused) return;
      if (paused.isNew)
        log.warn(
          { event: 'order_token_refused', workspace },
          'order service refused the token: calls paused',
        );
      await tellAdmins(deps, paused);
    } catch (err) {
      log.error({ workspace, err }, 'pause of calls not written');
      if (wait !== undefined) void runtime.sleep(wait).then(() => pauseCalls(token, waits));
    }
  }

  async function take(workspace: string): ReturnType<Tokens['take']> {
    const connection = await connections.find(workspace);
    if (!connection?.token) return 'not_connected';
    const pause = pauseIn(connection);
    if (pause && pause.state !== 'open') return 'token_refused';
    const token = await connections.token(connection);
    // The token was replaced since the connection was read.
    if (token === undefined) return take(workspace);
    const trial = pause && (await tokenPauses.takeCall(connection));
    if (pause && !trial) return 'token_refused';
    const { generation, tokenKind: kind } = connection;
    const phase = phaseOf(trial ?? connection);
    return { workspace, generation, token, kind, phase, ...(trial ? { isTrial: true } : {}) };
  }

  async function recordAccepted(token: HeldToken): Promise<void> {
    const { workspace, isTrial } = token;
    // The result of a call does not wait for this, and a failed write does no harm.
    connectionHealth
      .record('call', token)
      .catch((err) => log.warn({ workspace, err }, 'last successful call not recorded'));
    if (isTrial)
      await tokenPauses.end(token).then(
        () => log.info({ workspace }, 'order service accepts the token again: calls go on'),
        (err) => log.error({ workspace, err }, 'pause not ended'),
      );
  }

  return {
    take,
    async recordVerdict(token, verdict) {
      const { workspace, kind, isTrial } = token;
      if (verdict === 'accepted') return recordAccepted(token);
      // REST endpoints end their support of GraphQL tokens each at its own time (section 5), so another endpoint may
      // accept it.
      if (verdict === 'refused') return kind === 'graphql' ? undefined : pauseCalls(token);
      if (isTrial)
        await tokenPauses.open(token).catch((err) => log.error({ workspace, err }, 'pause not opened again'));
    },
  };
}

/** Tells the admins of a pause, once. @throws if the storage is unavailable: then the next check of the token tells them */
async function tellAdmins(
  { tokenPauses, notifyAdmins }: TellingDeps,
  paused: PausedConnection,
): Promise<void> {
  const { workspace, generation, connectedBy, pause } = paused;
  if (pause.told) return;
  await notifyAdmins({ type: 'token_refused', workspace, generation, since: pause.since, connectedBy });
  await tokenPauses.markTold(paused);
}

/** Whether calls can be made for a workspace. */
export async function connectionState(
  { find }: Pick<Connections, 'find'>,
  workspace: string,
): Promise<ConnectionState> {
  const connection = await find(workspace);
  if (!connection?.token) return 'not_connected';
  const pause = pauseIn(connection);
  return pause && pause.state !== 'open' ? 'token_refused' : 'connected';
}

type CheckPausedDeps = TellingDeps & {
  connections: Pick<Connections, 'withToken' | 'due' | 'postpone'>;
  checkToken: (token: string) => Promise<TokenCheck>;
};

/** `open`: the next call is let through, and decides. */
export type PausedChecked = 'not_paused' | 'open' | 'refused' | 'unreachable';

/**
 * Checks the token of a workspace whose calls are paused. Without an answer nothing changes.
 *
 * @param isAsked whether an admin asks, so that the check need not be due
 */
export async function checkPaused(
  deps: CheckPausedDeps,
  workspace: string,
  isAsked: boolean,
): Promise<PausedChecked> {
  const { connections, tokenPauses, checkToken } = deps;
  const paused = await tokenPauses.beginCheck(workspace, isAsked);
  const held = paused && (await connections.withToken(workspace));
  // Another generation: the workspace was connected again, and nothing is paused.
  if (!paused || held?.connection.generation !== paused.generation) return 'not_paused';
  await tellAdmins(deps, paused);
  const { type } = await checkToken(held.token);
  if (type === 'unreachable') return 'unreachable';
  const checked = { ...paused, phase: phaseOf(paused) };
  if (type !== 'refused') {
    await tokenPauses.open(checked);
    return 'open';
  }
  const known = await tokenPauses.refuse(checked);
  // Another check may have let a call through since this one began.
  if (known?.pause.state === 'open') return 'open';
  return known ? 'refused' : 'not_paused';
}

/** Checks run side by side, so that a service that is slow for some workspaces does not hold up the others. */
const CHECKED_AT_ONCE = 20;
const PAGE = 200;

/** The wait before a token that could not be checked because of a fault is due again. */
const CHECK_AGAIN_MS = 60_000;

/** Checks the tokens of all pauses that are due. */
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
    // A connection that can't be read would stay due.
    await deps.connections.postpone(ref, CHECK_AGAIN_MS);
  }
}
