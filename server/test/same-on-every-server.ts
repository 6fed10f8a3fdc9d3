/**
 * Test files that the second round, on PostgreSQL 15, omits: they test parts outside the database, and other tests
 * execute the same statements. A file that is not listed here runs on both servers.
 */
const REASONS: Record<string, string[]> = {
  'uses a database of its process': ['drain', 'process', 'replay-kill', 'faults/kills'],
  'processes, nodes and connections that fail: their statements are those of deliveries': [
    'breaker',
    'crash',
    'dead-destination',
    'faults/clock',
    'faults/nodes',
    'held-deliveries',
    'ingress-pressure',
    'outage',
    'readiness',
    'registration-crash',
  ],
  'code search: an index in files': ['search-index', 'search-oracle', 'search-order', 'search-crash', 'search-threads'],
  'functions: processes and their streams': [
    'build-bombs',
    'function-bad-input',
    'function-packages',
    'function-streams',
    'function-websocket',
    'python',
    'python-bad-input',
  ],
  'the gateway: bytes on sockets': [
    'fidelity',
    'gateway-flow',
    'gateway-hostile',
    'gateway-tls',
    'gateway-websocket',
    'run-gateway',
  ],
  'the behaviour of providers, MCP servers and receivers': [
    'connection-test',
    'hostile-addresses',
    'hostile-receivers',
    'jwt',
    'mcp-gateway',
    'mcp-oauth',
    'mcp-tools',
    'oauth1',
    'oauth2',
    'oauth2-odd',
    'registration-vendors',
    'source-handshakes',
    'source-types',
  ],
};

export const SAME_ON_EVERY_SERVER = Object.values(REASONS)
  .flat()
  .map((name) => `server/**/test/${name}.test.ts`);
