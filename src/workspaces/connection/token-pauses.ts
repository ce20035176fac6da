/**
 * Stores the pause of a workspace's calls, so that all replicas agree about it, from the 401 that began it to the call
 * that ended it. A 401 need not be final: a gateway or an outage of the service gives some, too. So the token is checked
 * by a GET after a growing wait. An answer other than 401 lets one call through, because a scoped token may be refused
 * the GET, and that call decides.
 */
import { z } from 'zod';
import type { Locks } from '../../requests/ports/locks.ts';
import { createRows, type IndexedStore, lockedRow } from '../rows.ts';
import type { Generation } from './connection-health.ts';

export const TokenPause = z.object({
  workspace: z.string(),
  /** The connection whose token was refused. */
  generation: z.string(),
  /** `open`: one call may be made. `over`: calls go on; a new refusal soon after counts as the next one in a row. */
  state: z.enum(['paused', 'open', 'over']),
  /** When it began, epoch milliseconds, as are all times here. */
  since: z.number(),
  /** The refusals in a row. */
  refusals: z.number(),
  /** When the token is checked next. */
  nextCheck: z.number(),
  /** When the last state began. */
  at: z.number(),
  /** Whether the admins' notice is stored. */
  told: z.boolean(),
});
export type TokenPause = z.infer<typeof TokenPause>;

/** Each refusal in a row doubles the wait. */
export type PauseTimes = { firstMs: number; longestMs: number };

const PAUSE_TIMES: PauseTimes = { firstMs: 60_000, longestMs: 6 * 60 * 60_000 };

const waitMs = ({ firstMs, longestMs }: PauseTimes, refusals: number): number =>
  Math.min(firstMs * 2 ** Math.min(refusals - 1, 30), longestMs);

/** `isTrial`: the call was the one that an open pause lets through. */
type Refused = { of: Generation; isTrial: boolean; now: number };

/** Applies a 401. Those of calls that were under way when the pause began say nothing new. */
function afterRefusal(
  former: TokenPause | undefined,
  { of: { workspace, generation }, isTrial, now }: Refused,
  times: PauseTimes,
): TokenPause {
  const known = former?.generation === generation ? former : undefined;
  if (known && known.state !== 'over' && !isTrial) return known;
  // A token that is refused now and then is not told of each time.
  const isNext = known && (isTrial || now - known.at < waitMs(times, known.refusals + 1));
  const { since, refusals, told } = isNext ? known : { since: now, refusals: 0, told: false };
  const nextCheck = now + waitMs(times, refusals + 1);
  return { workspace, generation, state: 'paused', since, refusals: refusals + 1, nextCheck, at: now, told };
}

/** Begins a check. The next one waits as long as the last, unless this one has an answer. */
const checking = (pause: TokenPause, now: number, times: PauseTimes): TokenPause => ({
  ...pause,
  nextCheck: now + waitMs(times, pause.refusals),
});

const opened = (pause: TokenPause, now: number): TokenPause => ({ ...pause, state: 'open', at: now });

/** Gives the one call to whoever asked first. Without a verdict about it, the token is checked again. */
const callTaken = (pause: TokenPause, now: number, times: PauseTimes): TokenPause => ({
  ...checking(pause, now, times),
  state: 'paused',
  at: now,
});

const ended = (pause: TokenPause, now: number): TokenPause => ({ ...pause, state: 'over', at: now });

/** Whether nothing depends on the pause any more. */
const isForgotten = (pause: TokenPause, now: number, times: PauseTimes): boolean =>
  pause.state === 'over' && now - pause.at >= times.longestMs;

/** Everything throws if the storage is unavailable. */
export type TokenPauses = {
  /** @returns undefined while the calls of this connection are not paused */
  find(of: Generation): Promise<TokenPause | undefined>;
  /** The workspaces that may have a pause. */
  ids(): AsyncGenerator<string, void>;
  /** Records a 401. `isTrial`: to the call that an open pause let through. */
  refuse(of: Generation, isTrial: boolean): Promise<TokenPause>;
  markTold(pause: TokenPause): Promise<void>;
  /** @returns the pause to check; undefined if none is due, or another replica checks it */
  beginCheck(workspace: string, isAsked: boolean): Promise<TokenPause | undefined>;
  /** Lets one call through, unless something has changed since the check began. */
  open(checked: TokenPause): Promise<void>;
  /** Takes the one call of an open pause. @returns false if somebody else has it */
  takeCall(of: Generation): Promise<boolean>;
  end(of: Generation): Promise<void>;
  forget(workspace: string): Promise<void>;
};

export function createTokenPauses(
  store: IndexedStore,
  { locks, now, times = PAUSE_TIMES }: { locks: Locks; now: () => number; times?: PauseTimes | undefined },
): TokenPauses {
  const withLock = lockedRow(locks, 'token pause');
  const rows = createRows(store, { schema: TokenPause, keysOf: () => [], withLock });

  /** Changes a pause that is not over. @param decide returns the same one to change nothing */
  const change = (
    { workspace, generation }: Generation,
    decide: (pause: TokenPause) => TokenPause,
  ): Promise<boolean> =>
    rows.change(workspace, (row) =>
      row?.generation === generation && row.state !== 'over' ? decide(row) : row,
    );

  return {
    async find({ workspace, generation }) {
      const row = await rows.get(workspace);
      return row?.generation === generation && row.state !== 'over' ? row : undefined;
    },
    ids: () => rows.ids(),
    async refuse(of, isTrial) {
      const after: { pause?: TokenPause } = {};
      await rows.change(of.workspace, (row) => {
        after.pause = afterRefusal(row, { of, isTrial, now: now() }, times);
        return after.pause;
      });
      return after.pause as TokenPause;
    },
    markTold: async (pause) =>
      void (await change(pause, (row) => (row.since === pause.since ? { ...row, told: true } : row))),
    async beginCheck(workspace, isAsked) {
      const begun: { pause?: TokenPause } = {};
      await rows.change(workspace, (row) => {
        if (row && isForgotten(row, now(), times)) return undefined;
        const isDue = row && row.state !== 'over' && (isAsked || row.nextCheck <= now());
        if (!isDue) return row;
        begun.pause = checking(row, now(), times);
        return begun.pause;
      });
      return begun.pause;
    },
    open: async (checked) =>
      void (await change(checked, (row) =>
        row.at === checked.at && row.refusals === checked.refusals ? opened(row, now()) : row,
      )),
    takeCall: (of) => change(of, (row) => (row.state === 'open' ? callTaken(row, now(), times) : row)),
    end: async (of) => void (await change(of, (row) => ended(row, now()))),
    forget: rows.forget,
  };
}
