import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Services } from '../platform/context.ts';

type Pool = { totalCount: number; idleCount: number; waitingCount: number };

/**
 * Metrics of the process and its queues in Prometheus' text format, served on /metrics when the setting is on. With
 * several service processes, `all` makes one page of the metrics of all.
 */
export function createMetrics(
  services: Services,
  pool: Pool,
  all?: (own: () => Promise<object[]>) => () => Promise<string>,
): () => Promise<string> {
  const { lanes, events } = services.pipeline;
  const { runtime } = services;
  const { version, embedded } = services.settings.database;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'sluice_' });
  const gauges: Record<string, readonly [help: string, read: () => number]> = {
    events_waiting: ['Events received and not stored yet.', () => events.waiting()],
    events_waiting_bytes: ['Size of the events that are not stored yet.', () => events.waitingSize()],
    deliveries_in_flight: ['Attempts in flight.', () => lanes.figures().inFlight],
    deliveries_waiting: ['Deliveries queued in the lanes of this node.', () => lanes.figures().waiting],
    destinations_broken: ['Destinations whose circuit breaker is open or half-open.', () => lanes.figures().broken],
    function_processes: ['Processes of function versions, running or idle.', () => runtime.stats().processes.length],
    function_runs: [
      'Runs in progress on this node.',
      () => runtime.stats().processes.reduce((sum, { in_flight }) => sum + in_flight, 0),
    ],
    database_connections: ['Connections to the database.', () => pool.totalCount],
    database_connections_idle: ['Idle connections to the database.', () => pool.idleCount],
    database_waiting: ['Queries waiting for a connection to the database.', () => pool.waitingCount],
  };
  for (const [name, [help, read]] of Object.entries(gauges))
    new Gauge({
      name: `sluice_${name}`,
      help,
      registers: [registry],
      // A circuit breaker is open in all processes.
      aggregator: name === 'destinations_broken' ? 'max' : 'sum',
      collect() {
        this.set(read());
      },
    });
  new Gauge({
    name: 'sluice_database_info',
    help: 'The version of PostgreSQL when the service started. Always 1.',
    labelNames: ['version', 'embedded'],
    aggregator: 'first',
    registers: [registry],
  }).set({ version, embedded: String(embedded) }, 1);
  return all ? all(() => registry.getMetricsAsJSON()) : () => registry.metrics();
}
