import { collectDefaultMetrics, Registry } from 'prom-client';

/** Process metrics in Prometheus' text form; served on /metrics when the setting is on. */
export function createMetrics(): () => Promise<string> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'sluice_' });
  return () => registry.metrics();
}
