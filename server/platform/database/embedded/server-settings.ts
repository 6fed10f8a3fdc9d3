import type { Place } from './place.ts';
import { clusterName } from './processes.ts';

/** The postmaster's arguments. They override everything relevant in the cluster's postgresql.conf. */
export function serverSettings(place: Place): string[] {
  const settings: Record<string, string | number> = {
    // Reachable only by its socket, and only by the user who runs Sluice and the database's user.
    listen_addresses: '',
    unix_socket_directories: `"${place.socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    // Four service processes open at most 108.
    max_connections: 150,

    // An acknowledged event survives a power cut.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    // Without replicas and archive the log is needed only for recovery.
    wal_level: 'minimal',
    max_wal_senders: 0,
    max_wal_size: '256MB',
    min_wal_size: '32MB',

    // Small, because the machine may be shared.
    shared_buffers: '64MB',
    huge_pages: 'off',
    jit: 'off',
    io_method: 'sync',
    // Parallel queries need /dev/shm, which is small in containers, and spare cores.
    max_parallel_workers_per_gather: 0,
    max_logical_replication_workers: 0,
    autovacuum_max_workers: 2,

    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // Errors are returned to the service; the log must not contain their details.
    log_min_messages: 'log',
    cluster_name: clusterName(place.cluster),
  };
  return ['-D', place.cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
