/**
 * The files that the second round, on PostgreSQL 15, leaves out: what they look at lies outside the database, and each
 * statement they make is made by others, too. A file that isn't named here runs on both servers.
 */
const REASONS: Record<string, string[]> = {
  'brings its own database along': ['process', 'faults/kills'],
  'processes, nodes and lines that die: what is left in the tables is read by the statements of deliveries': [
    'crash',
    'dead-destination',
    'faults/clock',
    'faults/nodes',
    'ingress-pressure',
    'outage',
    'registration-crash',
  ],
  'code search: an index in files': ['search-index', 'search-oracle', 'search-order', 'search-crash'],
  'functions: processes and their streams': [
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
  'the manners of providers, of MCP servers and of receivers': [
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
