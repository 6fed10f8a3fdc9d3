import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Services } from '../platform/context.ts';

type Pool = { totalCount: number; idleCount: number; waitingCount: number };

/** Metrics of the process, and of what waits in it, in Prometheus' text form; served on /metrics when the setting is on. */
export function createMetrics({ pipeline: { lanes, events }, runtime }: Services, pool: Pool): () => Promise<string> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'sluice_' });
  const gauges: Record<string, readonly [help: string, read: () => number]> = {
    events_waiting: ['Events taken from sources that wait to be stored.', () => events.waiting()],
    events_waiting_bytes: ['Size of the events that wait to be stored.', () => events.waitingSize()],
    deliveries_in_flight: ['Attempts that are being made.', () => lanes.figures().inFlight],
    deliveries_waiting: ['Deliveries that wait in a lane of this node for their turn.', () => lanes.figures().waiting],
    destinations_broken: ['Destinations whose circuit breaker is open or half-open.', () => lanes.figures().broken],
    function_processes: ['Processes of function versions, running or idle.', () => runtime.stats().processes.length],
    function_runs: [
      'Runs in progress here.',
      () => runtime.stats().processes.reduce((sum, { in_flight }) => sum + in_flight, 0),
    ],
    database_connections: ['Connections to the database.', () => pool.totalCount],
    database_connections_idle: ['Connections to the database that have nothing to do.', () => pool.idleCount],
    database_waiting: ['Questions that wait for a connection to the database.', () => pool.waitingCount],
  };
  for (const [name, [help, read]] of Object.entries(gauges))
    new Gauge({
      name: `sluice_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  return () => registry.metrics();
}
