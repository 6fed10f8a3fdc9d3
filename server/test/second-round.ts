/**
 * Test files that also run on PostgreSQL 15, the oldest supported server. The service uses the database only through
 * its stores, so only a statement can differ between servers. These files were chosen by the statements that they
 * execute: together nine tenths of all, in less than half of the time of all files. The others execute the same
 * statements, or variants of them. Add a file here if a new store has statements that no listed file executes.
 */
const FILES: Record<string, string[]> = {
  'server/accounts': [
    'accounts',
    'api-keys',
    'audit',
    'first-start',
    'idempotency',
    'key-rotation',
    'limited-keys',
    'members',
    'openid',
    'openid-accounts',
    'openid-sessions',
    'passkeys',
    'passwords',
    'second-factor',
    'session-ends',
  ],
  'server/conditions': ['code-matches', 'conditions'],
  'server/connections': [
    'app-credentials',
    'connect',
    'connect-sessions',
    'connection-bulk',
    'connections',
    'credential-check',
    'custom-events',
    'many-connections',
    'token-refresh',
  ],
  'server/deliveries': [
    'cancellations',
    'destination-health',
    'destination-settings',
    'destinations',
    'event-search',
    'event-stats',
    'events',
    'figures',
    'ordering',
    'replay-batches',
    'replays',
    'saved-filters',
  ],
  'server/functions': [
    'env',
    'function-logs',
    'functions',
    'gradual',
    'gateway-grants',
    'reserved-labels',
    'rows-by-id',
    'run-filters',
    'run-stats',
    'runs',
    'shadows',
  ],
  'server/gateway': ['all-calls', 'captures', 'connection-health', 'key-usage', 'saved-requests'],
  'server/http': ['exact-requests', 'metrics'],
  'server/maintenance': ['hold', 'lost-key', 'pinned-events', 'sweep'],
  'server/overview': ['connection-uses', 'impact', 'lookup'],
  'server/platform': ['blob-store', 'database-refuses', 'shared-rate-limit', 'transfer'],
  'server/problems': ['problem-replays', 'problems'],
  'server/search': ['search', 'search-facts'],
  server: ['everything', 'secrets', 'fuzz/fuzz'],
  'server/triggers': ['ingress', 'polling', 'registration', 'request', 'schedule', 'triggers'],
};

export const SECOND_ROUND = Object.entries(FILES).flatMap(([folder, names]) =>
  names.map((name) => `${folder}/test/${name}.test.ts`),
);
