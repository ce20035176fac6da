/**
 * Counts refused requests for operators, in Prometheus' text format
 * (https://prometheus.io/docs/instrumenting/exposition_formats/).
 */
import { Counter, Registry } from 'prom-client';

export type Metrics = {
  /** Counts a refused request. @param from the presumed sender @param reason one word */
  countRefused(from: 'slack' | 'order_service', reason: string): void;
  contentType: string;
  text(): Promise<string>;
};

export function createMetrics(): Metrics {
  const registry = new Registry();
  const refused = new Counter({
    name: 'countermand_refused_requests_total',
    help: 'Requests that were refused before anything in them was read.',
    labelNames: ['from', 'reason'],
    registers: [registry],
  });
  return {
    countRefused: (from, reason) => refused.inc({ from, reason }),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}
