import { statfs } from 'node:fs/promises';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { reportedBacklog } from '../deliveries/backlog.ts';
import { withinTime } from '../lib/time-limit.ts';
import { listBackups } from '../maintenance/backups.ts';
import { daysWithPartitions } from '../maintenance/sweep.ts';
import type { Services } from '../platform/context.ts';

type Pool = { totalCount: number; idleCount: number; waitingCount: number; options: { max: number } };
type Gauges = Record<string, readonly [help: string, read: () => number]>;

/** The page is served without the figures that take longer. */
const LOOK_UP_MS = 1_000;

/**
 * Metrics of the process and its queues in Prometheus' text format, served on /metrics when the setting is on. Counters
 * and histograms are in `services.measures`. With several service processes, `all` makes one page of the metrics of all.
 */
export function createMetrics(
  services: Services,
  pool: Pool,
  all?: (own: () => Promise<object[]>) => () => Promise<string>,
): () => Promise<string> {
  const { settings, measures } = services;
  const registry = measures.registry ?? new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'sluice_' });
  // Gauges with the names of counters, and the sums of others.
  for (const what of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`sluice_nodejs_active_${what}_total`);
  for (const [name, [help, read]] of Object.entries(gaugesOf(services, pool)))
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
  const { version, schema, embedded } = settings.database;
  addInfo(registry, 'database_info', 'The version of PostgreSQL when the service started. Always 1.', {
    version,
    embedded: String(embedded),
  });
  addInfo(registry, 'build_info', 'The version of the service, and of its database schema. Always 1.', {
    version: settings.version,
    schema,
  });
  const lookUp = createLookUp(registry, services);
  if (all) return all(() => lookUp().then(() => registry.getMetricsAsJSON()));
  return () => lookUp().then(() => registry.metrics());
}

function gaugesOf({ pipeline: { lanes, events }, runtime }: Services, pool: Pool): Gauges {
  return {
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
    database_connections_max: ['Connections that the pool may have.', () => pool.options.max],
    database_waiting: ['Queries waiting for a connection to the database.', () => pool.waitingCount],
  };
}

function addInfo(registry: Registry, name: string, help: string, labels: Record<string, string>): void {
  const labelNames = Object.keys(labels);
  new Gauge({ name: `sluice_${name}`, help, labelNames, aggregator: 'first', registers: [registry] }).set(labels, 1);
}

/** Figures of the whole installation and of the machine; the result sets them. */
function createLookUp(registry: Registry, services: Services): () => Promise<void> {
  const gauge = (name: string, help: string, aggregator: 'max' | 'first') =>
    new Gauge({ name: `sluice_${name}`, help, aggregator, registers: [registry] });
  const waiting = gauge('backlog_deliveries', 'Deliveries that wait for an attempt, due or not, to 100,000.', 'max');
  const due = gauge('backlog_due_deliveries', 'Deliveries that are due, to 100,000.', 'max');
  const oldestDue = gauge('backlog_oldest_due_seconds', 'How long the oldest due delivery has been due.', 'max');
  const free = gauge('storage_free_bytes', 'Free space of the file system with the data folder.', 'first');
  const size = gauge('storage_size_bytes', 'Size of the file system with the data folder.', 'first');
  const { backups } = services.settings;
  const backup = gauge('backup_age_seconds', 'Age of the newest scheduled backup; missing without one.', 'first');
  const interval = gauge('backup_interval_seconds', 'Time between scheduled backups; missing without any.', 'first');
  const retention = gauge('retention_seconds', 'How long events, runs and logs are kept.', 'first');
  retention.set(services.settings.retentionDays * 86_400);
  const partitions = gauge('partitions', 'Partitions of days, of all tables.', 'max');
  const ahead = gauge('partitions_ahead_seconds', 'Time until the last day with partitions in all tables ends.', 'max');
  const oldest = gauge('partitions_oldest_seconds', 'Time since the oldest day with a partition began.', 'max');
  return async () => {
    const [backlog, days, disk, newest] = await Promise.all([
      timely(reportedBacklog(services)),
      timely(daysWithPartitions(services)),
      timely(statfs(services.settings.dataDir)),
      backups && timely(listBackups(backups.folder).then((all) => all.at(-1))),
    ]);
    for (const [each, value] of [
      [waiting, backlog?.waiting],
      [due, backlog?.due],
      [oldestDue, backlog?.oldest_due_seconds],
      [partitions, days?.count],
      [ahead, days && (days.endMs - Date.now()) / 1000],
      [oldest, days && (Date.now() - days.oldestMs) / 1000],
      [free, disk && disk.bavail * disk.bsize],
      [size, disk && disk.blocks * disk.bsize],
      [backup, newest && (Date.now() - newest.atMs) / 1000],
      [interval, backups && backups.everyHours * 3600],
    ] as const) {
      if (value === undefined) each.remove();
      else each.set(value);
    }
  };
}

/** Undefined if it fails, or takes too long. */
const timely = <T>(work: Promise<T>): Promise<T | undefined> =>
  withinTime(work, LOOK_UP_MS, () => new Error('late')).catch(() => undefined);
