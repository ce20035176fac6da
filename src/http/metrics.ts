/** GET /metrics: serves the counters, for Prometheus and other readers of its format. */
import type { Route } from './route.ts';

/** @param metrics `text`: the current values of all counters */
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
