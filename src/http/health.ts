/** Health checks for an orchestrator or a load balancer: whether the process lives, and whether it can do its work. */
import { json, type Route } from './route.ts';

/** What keeps a replica from doing its work. Everybody may read these words, so they say no more than that. */
export type Problem = 'storage' | 'slack' | 'stopping';

/** @param problems none where the replica can do its work; never rejects */
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
