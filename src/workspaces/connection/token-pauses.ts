/** Changes the pause in a connection, so that all replicas agree about it. */
import type { Connection, Generation } from './connection.ts';
import {
  afterRefusal,
  callTaken,
  checking,
  ended,
  opened,
  PAUSE_TIMES,
  type PauseTimes,
  pauseIn,
  type TokenPause,
} from './connection.ts';
import type { Connections } from './connections.ts';

export type PausedConnection = Connection & { pause: TokenPause };

export type TokenPauses = ReturnType<typeof createTokenPauses>;

/** Nothing is changed if the workspace was connected again, or disconnected. All throw if the storage is unavailable. */
export function createTokenPauses(
  { find, change }: Pick<Connections, 'find' | 'change'>,
  times: PauseTimes = PAUSE_TIMES,
) {
  /** Changes a pause that is not over. @returns the changed connection; undefined if `decide` left it as it is */
  async function changePause(
    of: Generation,
    decide: (pause: TokenPause, now: number) => TokenPause,
  ): Promise<PausedConnection | undefined> {
    let isChanged = false;
    const after = await change(of, (connection, now) => {
      const pause = pauseIn(connection);
      const next = pause && decide(pause, now);
      isChanged = next !== pause;
      return isChanged ? { ...connection, pause: next } : connection;
    });
    return isChanged && after?.pause ? { ...after, pause: after.pause } : undefined;
  }

  return {
    /** Records a 401. @param isTrial whether it answers the call that an open pause let through */
    async refuse(of: Generation, isTrial: boolean): Promise<PausedConnection | undefined> {
      const after = await change(of, (connection, now) => {
        const pause = afterRefusal(connection.pause, isTrial, now, times);
        return pause === connection.pause ? connection : { ...connection, pause };
      });
      return after?.pause && { ...after, pause: after.pause };
    },
    async markTold(paused: PausedConnection): Promise<void> {
      const { since } = paused.pause;
      await changePause(paused, (pause) => (pause.since === since ? { ...pause, told: true } : pause));
    },
    /**
     * @param isAsked whether an admin asks for the check, so that it need not be due
     * @returns the connection to check; undefined if its pause is not due, or another replica checks it
     */
    async beginCheck(workspace: string, isAsked: boolean): Promise<PausedConnection | undefined> {
      const connection = await find(workspace);
      if (!connection) return undefined;
      if (connection.pause?.state === 'over') await change(connection, (row, now) => withoutOver(row, now));
      return changePause(connection, (pause, now) =>
        isAsked || pause.dueAt <= now ? checking(pause, now, times) : pause,
      );
    },
    /** Lets one call through, unless something has changed since the check began. */
    async open(checked: PausedConnection): Promise<void> {
      const { at, refusals } = checked.pause;
      await changePause(checked, (pause, now) =>
        pause.at === at && pause.refusals === refusals ? opened(pause, now) : pause,
      );
    },
    /** Takes the one call of an open pause. @returns false if somebody else has it */
    async takeCall(of: Generation): Promise<boolean> {
      const taken = await changePause(of, (pause, now) =>
        pause.state === 'open' ? callTaken(pause, now, times) : pause,
      );
      return taken !== undefined;
    },
    async end(of: Generation): Promise<void> {
      await changePause(of, (pause, now) => ended(pause, now, times));
    },
  };
}

/** Removes a pause that is over, once a new refusal would not be the next one in a row. */
function withoutOver(connection: Connection, now: number): Connection {
  const { pause, ...rest } = connection;
  return pause?.state === 'over' && pause.dueAt <= now ? rest : connection;
}
