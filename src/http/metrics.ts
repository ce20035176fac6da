/** GET /metrics: the counters, for Prometheus and whatever else reads its format. */
import type { Route } from './route.ts';

/** @param metrics `text`: all counters as they stand now */
export function metricsRoute(metrics: { contentType: string; text: () => Promise<string> }): Route {
  return {
    method: 'GET',
    path: '/metrics',
    maxBytes: 0,
    handle: async () => ({
      status: 200,
      headers: { 'content-type': metrics.contentType },
      body: await metrics.text(),
    }),
  };
}
