/** What an orchestrator asks: does the process live, and can it do its work? */
import { json, type Route } from './route.ts';

/** @param ready throws where the bot can't do its work, for example because its storage is away */
export function healthRoutes(ready: () => Promise<void>): Route[] {
  return [
    { method: 'GET', path: '/healthz', maxBytes: 0, handle: async () => json(200, { status: 'ok' }) },
    {
      method: 'GET',
      path: '/readyz',
      maxBytes: 0,
      handle: () =>
        ready().then(
          () => json(200, { status: 'ready' }),
          () => json(503, { status: 'not_ready' }),
        ),
    },
  ];
}
