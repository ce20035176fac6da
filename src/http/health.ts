/** Serves health checks for an orchestrator or a load balancer: whether the process is alive, and whether it is ready. */
import type { Log } from '../outbox/ports.ts';
import { json, type Route } from './server.ts';

/** The reasons for which a replica is not ready. These words are public, so they reveal no more. */
export type Problem = 'storage' | 'slack' | 'stopping';

/** Load balancers and monitors ask by either. */
const METHODS = ['GET', 'HEAD'] as const;

/** @param problems empty if the replica is ready; never rejects */
export function healthRoutes(problems: () => Promise<readonly Problem[]>): Route[] {
  async function readiness() {
    const found = await problems();
    return found.length === 0
      ? json(200, { status: 'ready' })
      : json(503, { status: 'not_ready', problems: found });
  }
  return METHODS.flatMap((method) => [
    { method, path: '/healthz', maxBytes: 0, handle: async () => json(200, { status: 'ok' }) },
    { method, path: '/readyz', maxBytes: 0, handle: readiness },
  ]);
}

type ReadinessDeps = {
  isStopping: () => boolean;
  isSlackReached: () => boolean;
  /** @throws if the storage can't be written */
  ping: () => Promise<void>;
  monotonic: () => number;
  log: Log;
};

/** The shortest time between two tests of the storage, in milliseconds, however often readiness is asked. */
const REMEMBERED_MS = 500;

/** @returns the current problems; never rejects */
export function createReadiness(deps: ReadinessDeps): () => Promise<Problem[]> {
  let last: { at: number; isWritable: Promise<boolean> } | undefined;
  /** Why the storage could not be written when it was tested last; undefined: it could be. */
  let trouble: string | undefined;

  async function testStorage(): Promise<boolean> {
    try {
      await deps.ping();
      if (trouble !== undefined) deps.log.info({}, 'storage writable again');
      trouble = undefined;
      return true;
    } catch (err) {
      const reason = String(err);
      if (reason !== trouble) deps.log.error({ err }, 'storage not writable: this replica is not ready');
      trouble = reason;
      return false;
    }
  }

  return async () => {
    const at = deps.monotonic();
    if (!last || at - last.at > REMEMBERED_MS) last = { at, isWritable: testStorage() };
    return [
      ...((await last.isWritable) ? [] : (['storage'] as const)),
      ...(deps.isSlackReached() ? [] : (['slack'] as const)),
      ...(deps.isStopping() ? (['stopping'] as const) : []),
    ];
  };
}
