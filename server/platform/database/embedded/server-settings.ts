import type { Place } from './place.ts';
import { clusterName } from './processes.ts';

/** The postmaster's arguments. Nothing is read from the cluster's own postgresql.conf that matters to us. */
export function serverSettings(place: Place): string[] {
  const settings: Record<string, string | number> = {
    // Reached by its socket alone, by no one but the user who runs Sluice and the database's own.
    listen_addresses: '',
    unix_socket_directories: `"${place.socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: 60,

    // An acknowledged event survives a power cut.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    // No replicas and no archive: the log need only serve recovery.
    wal_level: 'minimal',
    max_wal_senders: 0,
    max_wal_size: '256MB',
    min_wal_size: '32MB',

    // A guest on a small machine.
    shared_buffers: '64MB',
    huge_pages: 'off',
    jit: 'off',
    io_method: 'sync',
    // Parallel queries need /dev/shm, of which containers have little, and cores, of which we have few.
    max_parallel_workers_per_gather: 0,
    max_logical_replication_workers: 0,
    autovacuum_max_workers: 2,

    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // Failing statements are reported to the service that sent them; their details don't belong in a log.
    log_min_messages: 'log',
    cluster_name: clusterName(place.cluster),
  };
  return ['-D', place.cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
