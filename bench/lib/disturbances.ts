/**
 * The disturbances that a workspace, or a stranger, causes while others work. Each returns the function that ends it.
 */
import { Pool } from 'undici';
import { createStaller } from '../../test/support/processes/strangers.ts';
import type { BenchSlack } from '../services/slack.ts';
import { SIGNING_SECRET } from './environment.ts';
import { atRate, send } from './load.ts';
import type { Measured } from './processes.ts';
import { forms, historyClicks } from './requests.ts';

export type Disturbance = (target: { server: Measured; slack: BenchSlack }) => () => Promise<void>;

/** People who click in the history again as soon as they see the page. */
export const clickingInHistory =
  (workspace: string, people: number): Disturbance =>
  ({ server, slack }) => {
    const pool = new Pool(server.origin, { connections: people, pipelining: 1 });
    const click = historyClicks(SIGNING_SECRET, workspace);
    const seen = new Map<string, () => void>();
    let isOver = false;
    slack.onView = (id) => seen.get(id)?.();
    const person = async (viewId: string) => {
      while (!isOver) {
        const { promise, resolve } = Promise.withResolvers<void>();
        seen.set(viewId, resolve);
        await send(pool, { method: 'POST', ...click(viewId) });
        await promise;
      }
    };
    const working = Promise.all(Array.from({ length: people }, (_, n) => person(`V0HISTORY${n}`)));
    return async () => {
      isOver = true;
      await working;
      await pool.close();
    };
  };

/** Requests of workspaces whose calls fail. @param prefix of their orders, by which the order service knows them */
export const requestingInVain =
  (
    workspaces: readonly string[],
    { prefix, perSecond }: { prefix: string; perSecond: number },
  ): Disturbance =>
  ({ server }) => {
    const next = forms(SIGNING_SECRET, workspaces, prefix);
    return whileWanted(() =>
      atRate(server.origin, () => ({ request: next(), due() {} }), { perSecond, count: perSecond }),
    );
  };

/** The time after which the bot has closed stalled connections. */
const STALLED_MS = 5_000;

/** A stranger who can sign nothing: sends posts, and opens connections that stall in the middle of a body. */
export const flooding =
  ({ perSecond, stalled }: { perSecond: number; stalled: number }): Disturbance =>
  ({ server }) => {
    const staller = createStaller(server.port);
    const pool = new Pool(server.origin, { connections: 16, pipelining: 1 });
    const body = 'x'.repeat(2_000);
    const post = () => send(pool, { path: '/slack/events', method: 'POST', body });
    let filledAt = Number.NEGATIVE_INFINITY;
    const end = whileWanted(async () => {
      const began = performance.now();
      if (began - filledAt > STALLED_MS) {
        staller.fillUp(stalled, { sent: 20_000, announced: 100_000 });
        filledAt = began;
      }
      await Promise.all(Array.from({ length: perSecond / 10 }, () => post().catch(() => 0)));
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, began + 100 - performance.now())));
    });
    return async () => {
      await end();
      staller.close();
      await pool.close();
    };
  };

/** Repeats a short piece of work. @returns the function that ends this, once the work under way is done */
function whileWanted(work: () => Promise<void>): () => Promise<void> {
  let isOver = false;
  const repeat = async () => {
    while (!isOver) await work();
  };
  const working = repeat();
  return async () => {
    isOver = true;
    await working;
  };
}
