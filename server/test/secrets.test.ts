/**
 * Known secrets pass through every method: entered, issued by a provider, used for signatures, rejected, renewed.
 * Afterwards none of them appears in any output of the service: responses of every read operation, errors, the live
 * stream, logs, metrics, the connect window, a download; nor in any row of the database.
 */
import { generateKeyPairSync } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operationNames, pathOf, routes } from '../../contract/routes.ts';
import { getConnection, newConnection, onLink, submitIn, tokenOf } from '../connections/test/connecting.ts';
import { addMcpApp } from '../connections/test/mcp-support.ts';
import { addCloud, begin, callbackOf, connectAt, goBack } from '../connections/test/oauth-flow.ts';
import { deny, type OAuthProvider, startProvider } from '../connections/test/oauth-provider.ts';
import { type OAuth1Provider, startOAuth1Provider } from '../connections/test/oauth1-provider.ts';
import { type Service, startService } from './service.ts';
import { type Sink, startSink } from './sink.ts';
import { openVisitor } from './visitor.ts';

const secrets = new Map<string, string>();
/** A new named secret. No part of it resembles other text here. */
function secret(name: string, more = ''): string {
  const text = `${Math.random().toString(36).slice(2)}Zz${more}${Math.random().toString(36).slice(2)}`;
  secrets.set(name, text);
  return text;
}
/** Outputs of the service by their source. */
const out: [where: string, text: string][] = [];
const keep = (where: string, value: unknown) =>
  out.push([where, typeof value === 'string' ? value : JSON.stringify(value)]);

let service: Service;
let sink: Sink;
let provider: OAuthProvider;
let oauth1: OAuth1Provider;
let made = 0;
beforeAll(async () => {
  service = await startService({ env: { SLUICE_METRICS: 'on' } });
  sink = await startSink();
  provider = await startProvider({ redirect_urls: [callbackOf(service)] });
  oauth1 = await startOAuth1Provider(callbackOf(service));
  const { signal } = streaming;
  const stream = await fetch(`${service.url}/api/events:stream`, {
    signal,
    headers: { authorization: `Bearer ${service.key}` },
  });
  void (async () => {
    for await (const chunk of stream.body ?? []) keep('the live stream', Buffer.from(chunk).toString());
  })().catch(() => undefined);
});
const streaming = new AbortController();
afterAll(async () => {
  streaming.abort();
  await service.stop();
  await Promise.all([sink.close(), provider.close(), oauth1.close()]);
});

async function ask(method: string, path: string, body?: unknown): Promise<number> {
  const answer = await service.api(method, path, body);
  keep(`${method} ${path}`, [answer.body, ...answer.headers]);
  return answer.status;
}
async function addApp(base_url: string, methods: object[]): Promise<string> {
  const app = `app-${++made}`;
  expect(await ask('POST', '/apps', { app, name: app, base_url, methods, probe: { path: '/ok' } })).toBe(200);
  return app;
}
/** Entered in the connect window, first incomplete, then complete; used for calls that succeed and that fail. */
async function typeAndUse(app: string, method: string, fields: Record<string, string>): Promise<void> {
  const id = await newConnection(service, app);
  const { url } = await getConnection(service, id);
  const visitor = openVisitor();
  keep(`${method} refused`, await submitIn(visitor, url, method, { ...fields, stray: Object.values(fields)[0] ?? '' }));
  const done = await submitIn(visitor, url, method, fields);
  expect(done.status, JSON.stringify(done.body)).toBe(200);
  keep(`${method} done`, done.body);
  keep(`${method} again`, await submitIn(visitor, url, method, fields));
  const call = await service.api('GET', `/${app}/ok`, undefined, { headers: { 'service-connection': id } });
  if (call.status >= 400) keep(`${method} call`, call.body);
  expect(await ask('POST', `/connections/${id}:request`, { method: 'POST', path: '/ok?a=b', body: 'x' })).toBe(200);
}

it('keys and passwords', async () => {
  for (const place of ['header', 'query'])
    await typeAndUse(await addApp(sink.url, [{ method: 'API_KEY', place: { in: place, name: 'x-key' } }]), 'API_KEY', {
      api_key: secret(`key in the ${place}`),
    });
  const inPath = [{ method: 'API_KEY', place: { in: 'query', name: 'key' } }];
  // Nothing listens there: the error must not contain the request.
  await typeAndUse(await addApp('http://127.0.0.1:1', inPath), 'API_KEY', { api_key: secret('key of a dead app') });
  await typeAndUse(await addApp(`${sink.url}/bot{api_key}`, [{ method: 'API_KEY' }]), 'API_KEY', {
    api_key: secret('key in the path'),
  });
  await typeAndUse(await addApp(sink.url, [{ method: 'BASIC' }]), 'BASIC', {
    username: 'mira',
    password: secret('password', 'ü"\\'),
  });
});

it('signing keys', async () => {
  const jwt = { method: 'JWT', algorithm: 'HS256', key_encoding: 'utf8', claims: { iss: 'me' } };
  await typeAndUse(await addApp(sink.url, [jwt]), 'JWT', { key: secret('signing key') });
  const bought = { ...jwt, exchange: { url: `${sink.url}/token` } };
  const access_token = secret('token that a signed one bought');
  sink.answer('/token', { body: JSON.stringify({ access_token, expires_in: 3600 }) });
  await typeAndUse(await addApp(sink.url, [bought]), 'JWT', { key: secret('key that buys a token') });
  const pem = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' });
  secrets.set('a line of a private key', pem.toString().split('\n')[1] ?? '');
  await typeAndUse(await addApp(sink.url, [{ method: 'JWT', algorithm: 'ES256' }]), 'JWT', { key: pem.toString() });
  sink.answer('/token', { status: 400, body: JSON.stringify({ error: 'invalid_grant' }) });
  const app = await addApp(sink.url, [bought]);
  const id = await newConnection(service, app);
  const { url } = await getConnection(service, id);
  const refused = await submitIn(openVisitor(), url, 'JWT', { key: secret('signing key that is refused') });
  expect(refused.status).toBe(400);
  keep('JWT refused', refused);
});

it('tokens of an MCP server', async () => {
  const app = await addMcpApp(service, `${sink.url}/mcp`, 'token');
  sink.answer('/mcp', { status: 401, body: 'no' });
  const id = await newConnection(service, app);
  const { url } = await getConnection(service, id);
  const fields = { token: secret('MCP token') };
  keep('MCP', await submitIn(openVisitor(), url, 'MCP', fields));
  sink.answer('/mcp', { status: 500, body: 'no' });
  keep('MCP again', await submitIn(openVisitor(), (await getConnection(service, id)).url, 'MCP', fields));
  await ask('GET', `/connections/${id}/tools`);
});

it('clients, codes and tokens of OAuth 1', async () => {
  const app = await addApp(`${oauth1.url}/api`, [oauth1.method]);
  secrets.set('OAuth 1 client secret', oauth1.client.client_secret);
  expect(await ask('PUT', `/apps/${app}/credentials/OAUTH1`, oauth1.client)).toBe(200);
  const id = await newConnection(service, app);
  const visitor = openVisitor();
  const left = await submitIn(visitor, (await getConnection(service, id)).url, 'OAUTH1');
  const page = await visitor.visit(left.body.redirect_url ?? '', ({ pathname }) => pathname === '/connect');
  keep('OAuth 1 window', (await onLink(service, tokenOf(page.url))).body);
  const token = oauth1.given.at(-1) ?? '';
  expect(token).not.toBe('');
  secrets.set('OAuth 1 token', token);
  for (const [index, text] of oauth1.tokenSecrets.entries()) secrets.set(`OAuth 1 token secret ${index}`, text);
  expect(oauth1.tokenSecrets.length).toBe(2);
  expect((await service.api('GET', `/${app}/me`)).status).toBe(200);
  oauth1.revoke(token);
  expect((await service.api('GET', `/${app}/me`)).status).toBe(401);
});

it('clients, codes and tokens of OAuth 2', async () => {
  secrets.set('OAuth 2 client secret', provider.client.client_secret);
  const app = await addCloud(service, provider);
  const flow = await connectAt(service, app);
  await provider.endAccess();
  const before = provider.calls.length;
  await service.services.db
    .updateTable('connections')
    .set({ token_expires_at: new Date().toISOString(), refresh_at: new Date().toISOString() })
    .where('connection_id', '=', flow.id)
    .execute();
  expect((await service.api('GET', `/${app}/me`)).status).toBe(200);
  expect(provider.calls.length).toBe(before + 1);

  // Rejected in every way, by a provider that echoes requests.
  provider.instead = (req, res) => {
    if (req.url !== '/token') return false;
    let body = '';
    req.on('data', (chunk) => {
      body += chunk;
    });
    req.on('end', () => {
      const sent = new URLSearchParams(body);
      const all = [...sent.values()].join(' ');
      res.writeHead(400, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ error: sent.get('refresh_token') ?? 'invalid_grant', error_description: all }));
    });
    return true;
  };
  const refused = await begin(service, app);
  const back = `${callbackOf(service)}?code=${secret('code')}&state=${new URL(refused.authorize).searchParams.get('state')}`;
  const { to } = await goBack(refused.visitor, back);
  keep('OAuth 2 refused', [to, (await onLink(service, tokenOf(to))).body]);
  await service.services.db
    .updateTable('connections')
    .set({ token_expires_at: new Date(0).toISOString(), refreshed_at: new Date(0).toISOString() })
    .where('connection_id', '=', flow.id)
    .execute();
  const failed = await service.api('GET', `/${app}/me`, undefined, { headers: { 'service-connection': flow.id } });
  expect(failed.status).toBe(502);
  keep('OAuth 2 call', failed.body);
  provider.instead = undefined;
  const denied = await begin(service, app);
  keep('OAuth 2 denied', (await goBack(denied.visitor, await deny(denied.visitor, denied.authorize))).to);

  const grant = { grant: 'client_credentials', authorize_url: undefined, scopes: [] };
  const own = await addCloud(service, provider, { method: grant, client: null });
  await typeAndUse(own, 'OAUTH2', provider.client);
  const wrong = { ...provider.client, client_secret: secret('wrong client secret') };
  const id = await newConnection(service, own);
  keep('OAuth 2 wrong', await submitIn(openVisitor(), (await getConnection(service, id)).url, 'OAUTH2', wrong));
  for (const [index, token] of provider.given.entries()) secrets.set(`OAuth 2 code or token ${index}`, token);
  expect(provider.given.length).toBeGreaterThan(5);
});

it('appear in no output', async () => {
  const { body } = await service.api<{ connections: { connection_id: string; app: string; url: string }[] }>(
    'GET',
    '/connections',
  );
  expect(body.connections.length).toBeGreaterThan(9);
  for (const name of operationNames) {
    const { method, path, on, auth, stream } = routes[name];
    if (method !== 'GET' || on !== 'api' || auth === 'public' || stream) continue;
    if (!/\{(?!app\}|connection_id\})/.test(path))
      for (const params of path.includes('{') ? body.connections : [{}]) await ask('GET', pathOf(name, { ...params }));
  }
  for (const { url } of body.connections) keep('the window', (await onLink(service, tokenOf(url))).body);
  for (const { connection_id } of body.connections) await ask('POST', `/connections/${connection_id}:test`);
  const files = { 'index.ts': 'export default { fetch: () => new Response("") }' };
  const { body: made } = await service.api<{ function: { function_id: string } }>('POST', '/functions', {
    name: 'f',
    runtime: 'nodejs24.x',
    files,
  });
  const code = await service.api<{ download_url: string }>('GET', `/functions/${made.function.function_id}/code`);
  keep('a download', await (await fetch(code.body.download_url)).text());
  keep('metrics', await (await fetch(`${service.url}/metrics`)).text());
  keep('logs', service.logged());
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(service.services.db);
  for (const { name } of tables) {
    const { rows } = await sql`select t::text from ${sql.table(name)} t`.execute(service.services.db);
    keep(`table ${name}`, rows);
  }

  const seen = out.map(([where]) => where);
  for (const where of ['the live stream', 'metrics', 'logs', 'GET /audit', 'table connections', 'a download'])
    expect(seen).toContain(where);
  expect(secrets.size).toBeGreaterThan(15);
  const forms = (text: string) => [
    text,
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
    Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -1),
  ];
  const found = [...secrets].flatMap(([name, text]) =>
    out
      .filter(([, all]) => forms(text).some((form) => all.includes(form)))
      .map(([where, all]) => `${name} in ${where}: ${all.slice(0, 300)}`),
  );
  expect(found).toEqual([]);
});
