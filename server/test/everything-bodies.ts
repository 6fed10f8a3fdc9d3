import { type Operation, routes } from '../../contract/routes.ts';

export const CODE = {
  'index.ts': 'export default { fetch: () => { console.log("ran"); return Response.json({ ok: true }); } }',
};

/** Valid bodies, so that the id or the role is what rejects the request. */
export function bodyFor(name: Operation): unknown {
  const bodies: Partial<Record<Operation, unknown>> = {
    destinationCreate: { url: 'https://example.com/' },
    eventCreate: { payload: {} },
    versionCreate: { files: CODE },
    shadowCreate: { files: CODE },
    gradualPut: { version: 1, percent: 10 },
    functionCopy: { name: 'another copy' },
    envCreate: { env: [{ key: 'B', value: 'b' }] },
    envPut: { value: 'b' },
    connectionReplace: { connection_id: '01a1fd48-186a-7450-bb90-a3e1276506c0' },
    connectionRequest: { method: 'GET', path: '/mcp' },
    savedRequestCreate: { name: 'b', method: 'GET', path: '/', body_kind: 'none' },
    savedRequestUpdate: { name: 'c' },
    connectionToolCall: { tool: 'echo' },
    appCredentialPut: { client_id: 'b' },
    appCheckPut: { every_minutes: 60 },
  };
  if (routes[name].method === 'GET' || routes[name].method === 'DELETE' || /Star|Unstar/.test(name)) return undefined;
  return bodies[name] ?? {};
}

/** Lists in which another account must not see anything. */
export const LISTS = [
  '/connections',
  '/gateway-calls',
  '/gateway-captures',
  '/triggers',
  '/events',
  '/events/filters',
  '/problems',
  '/search/saved',
  '/apps/ledger/requests',
  '/functions',
  '/runs',
  '/api-keys',
  '/account/members',
  '/functions/search?q=%22ran%22',
];
