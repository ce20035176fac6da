/**
 * Serves health checks for an orchestrator or a load balancer: whether the process is alive, and whether it is ready.
 */
import { json, type Route } from './route.ts';

/** Why a replica is not ready. These words are public, so they reveal no more. */
export type Problem = 'storage' | 'slack' | 'stopping';

/** @param problems empty if the replica is ready; never rejects */
export function healthRoutes(problems: () => Promise<readonly Problem[]>): Route[] {
  return [
    { method: 'GET', path: '/healthz', maxBytes: 0, handle: async () => json(200, { status: 'ok' }) },
    {
      method: 'GET',
      path: '/readyz',
      maxBytes: 0,
      async handle() {
        const found = await problems();
        return found.length === 0
          ? json(200, { status: 'ready' })
          : json(503, { status: 'not_ready', problems: found });
      },
    },
  ];
}
