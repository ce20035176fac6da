/**
 * Pauses a workspace's calls, from a 401 to the next call whose token is accepted. The pause is stored in the connection, so
 * that all replicas agree about it. A 401 need not be final: a gateway or an outage of the service gives some, too. So the token
 * is checked by a GET after a growing wait. An answer other than 401 lets one call through, and that call decides: a scoped token
 * may be refused the GET.
 */
import { isRecent } from '../../requests/model/recent.ts';
import { type Connection, type Generation, pauseIn, phaseOf, type TokenPause } from './connection.ts';
import type { Connections } from './connections.ts';

/** Each refusal in a row doubles the wait. */
export type PauseTimes = { firstMs: number; longestMs: number };

export const PAUSE_TIMES: PauseTimes = { firstMs: 60_000, longestMs: 6 * 60 * 60_000 };

const waitMs = ({ firstMs, longestMs }: PauseTimes, refusals: number): number =>
  Math.min(firstMs * 2 ** Math.min(refusals - 1, 30), longestMs);

export type PausedConnection = Connection & { pause: TokenPause };

/** A connection, with its `phase` (see `phaseOf`) when a call or a check began. `isTrial`: an open pause let the call through. */
type Phased = Generation & { phase?: string | undefined; isTrial?: true };

export type TokenPauses = ReturnType<typeof createTokenPauses>;

/** Creates the pauses. They change nothing if the workspace was connected again, or disconnected. */
export function createTokenPauses(
  { find, change }: Pick<Connections, 'find' | 'change'>,
  times: PauseTimes = PAUSE_TIMES,
) {
  /** If a check gets no answer, the next one comes after the same wait. */
  const nextCheck = ({ refusals }: TokenPause, now: number) => now + waitMs(times, refusals);

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
    /** Records a 401. @returns the connection if its pause is not over. `isNew`: this 401 has begun it */
    async refuse(of: Phased): Promise<(PausedConnection & { isNew: boolean }) | undefined> {
      let isNew = false;
      const after = await change(of, (connection, now) => {
        const pause = isNews(connection, of) ? afterRefusal(connection.pause, now, times) : connection.pause;
        isNew = pause !== connection.pause && pause?.refusals === 1;
        return pause === connection.pause ? connection : { ...connection, pause };
      });
      const pause = after && pauseIn(after);
      return pause && { ...after, pause, isNew };
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
      if (connection.pause?.state === 'over') await change(connection, withoutOver);
      return changePause(connection, (pause, now) =>
        isAsked || pause.dueAt <= now ? { ...pause, dueAt: nextCheck(pause, now) } : pause,
      );
    },
    /**
     * Lets one call through, also after a call that brought no verdict. A call says more than another check would, so the next
     * check comes late (`longestMs`): only if nobody makes a call for hours.
     */
    async open(of: Phased): Promise<void> {
      await changePause(of, (pause, now) =>
        phaseOf({ pause }) === of.phase
          ? { ...pause, state: 'open', at: now, dueAt: now + times.longestMs }
          : pause,
      );
    },
    /**
     * Takes the one call of an open pause. If nothing is heard of it, the token is checked again.
     *
     * @returns undefined if somebody else has it
     */
    takeCall: (of: Generation): Promise<PausedConnection | undefined> =>
      changePause(of, (pause, now) =>
        pause.state === 'open' ? { ...pause, state: 'paused', at: now, dueAt: nextCheck(pause, now) } : pause,
      ),
    /** Ends the pause. It is kept for a while, so that a new refusal counts as the next one in a row. */
    async end(of: Generation): Promise<void> {
      await changePause(of, (pause, now) => ({
        ...pause,
        state: 'over',
        at: now,
        dueAt: now + times.longestMs,
      }));
    },
  };
}

/** Removes a pause that is over, once a new refusal would not be the next one in a row. */
function withoutOver(connection: Connection, now: number): Connection {
  const { pause, ...rest } = connection;
  return pause?.state === 'over' && pause.dueAt <= now ? rest : connection;
}

/**
 * Whether a 401 says something new: nothing has changed since its call or check began. The 401 of a call that was let through
 * counts until the pause is over, even if a check has let another call through since.
 */
const isNews = ({ pause }: Connection, { phase, isTrial }: Phased): boolean =>
  pause === undefined || phaseOf({ pause }) === phase || (isTrial === true && pause.state !== 'over');

/** Applies a 401. */
export function afterRefusal(known: TokenPause | undefined, now: number, times: PauseTimes): TokenPause {
  // Admins are told once of a token that is refused now and then.
  const isNext =
    known && (known.state !== 'over' || isRecent(known.at, now, waitMs(times, known.refusals + 1)));
  const { since, refusals, told } = isNext ? known : { since: now, refusals: 0, told: false };
  const dueAt = now + waitMs(times, refusals + 1);
  return { state: 'paused', since, refusals: refusals + 1, dueAt, at: now, told };
}
