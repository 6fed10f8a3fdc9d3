/** Connecting to an MCP server with a real authorization server, and token refresh. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startMcpServer } from '../../test/mcp-server.ts';
import { type Service, startService } from '../../test/service.ts';
import { forAll } from '../../test/shared-set-up.ts';
import { openVisitor } from '../../test/visitor.ts';
import { getConnection, newConnection, tokenOf } from './connecting.ts';
import { addMcpApp, type Guard, startGuard, submitMcp } from './mcp-support.ts';
import { agree, deny, type OAuthProvider, startProvider } from './oauth-provider.ts';

const TOKEN_SECONDS = 4;

const everything = forAll(startMcpServer);
let service: Service;
let provider: OAuthProvider;
let guard: Guard;
/** Requests to the authorization server, by path. */
const asked: string[] = [];
beforeAll(async () => {
  service = await startService();
  provider = await startProvider({
    redirect_urls: [`http://localhost:${service.port}/connect/oauth/callback`],
    accessTokenSeconds: TOKEN_SECONDS,
    configuration: {
      scopes: ['openid', 'offline_access', 'mcp:tools'],
      features: {
        registration: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_, resource) => ({
            scope: 'mcp:tools',
            audience: resource,
            accessTokenFormat: 'opaque',
          }),
        },
      },
    },
  });
  guard = await startGuard(everything.url, async (token) => {
    if (!token) return false;
    return (await fetch(`${provider.url}/api/me`, { headers: { authorization: `Bearer ${token}` } })).ok;
  });
});
afterEach(() => {
  guard.metadata = about(guard.url);
  guard.instead = undefined;
  guard.asked.length = 0;
  asked.length = 0;
  provider.calls.length = 0;
  provider.instead = (req) => {
    if (!req.url?.startsWith('/api/')) asked.push(`${req.method} ${req.url?.split('?')[0]}`);
    return false;
  };
});
afterAll(async () => {
  await service.stop();
  await guard.close();
  await provider.close();
});
const about = (resource: string) => ({
  resource,
  authorization_servers: [provider.url],
  scopes_supported: ['mcp:tools'],
});

/** From the connect window to the provider's page; `go` completes it and returns the callback URL. */
async function walk(app: string, fields: Record<string, string> = {}, go = agree) {
  const connection_id = await newConnection(service, app);
  const { url } = await getConnection(service, connection_id);
  const visitor = openVisitor();
  const submitted = await visitor.ask(`http://localhost:${service.port}/connect/api/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokenOf(url)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ method: 'MCP', fields }),
  });
  const { redirect_url } = (await submitted.json()) as { redirect_url: string };
  const back = await visitor.ask(await go(visitor, redirect_url));
  await back.body?.cancel();
  return { connection_id, authorize: new URL(redirect_url), connection: await getConnection(service, connection_id) };
}
const failureOf = ({ metadata }: { metadata: Record<string, unknown> }) => metadata['failure'];

describe('a server with an authorization server', () => {
  it('is discovered, registered, authorized and connected', async () => {
    guard.metadata = about(guard.url);
    const { authorize, connection } = await walk(await addMcpApp(service, guard.url));
    expect(connection).toMatchObject({ status: 'ACTIVE', method: 'MCP', token_expires_at: expect.any(String) });
    expect(Object.fromEntries(authorize.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/.{43}/),
      resource: guard.url,
      scope: 'mcp:tools offline_access',
      redirect_uri: `http://localhost:${service.port}/connect/oauth/callback`,
      state: expect.stringMatching(/.{32}/),
    });
    expect(authorize.searchParams.get('client_id')).not.toBe(provider.client.client_id);
    expect(provider.calls).toEqual([{ grant: 'authorization_code', ok: true }]);
  });

  it('registers one client per attempt, with few requests', async () => {
    await walk(await addMcpApp(service, guard.url));
    expect(asked.filter((each) => each.startsWith('POST /reg'))).toHaveLength(1);
    // The client does not wait for the DELETE requests.
    await expect
      .poll(() => guard.asked.map(({ method, path, rpc }) => rpc ?? `${method} ${path}`))
      .toEqual([
        'initialize',
        'GET /.well-known/oauth-protected-resource/mcp',
        'initialize',
        'notifications/initialized',
        'tools/list',
        'DELETE /mcp',
      ]);
  });

  it('is connected with an existing client that the user enters', async () => {
    const { authorize, connection } = await walk(await addMcpApp(service, guard.url, 'client'), provider.client);
    expect(connection.status).toBe('ACTIVE');
    expect(authorize.searchParams.get('client_id')).toBe(provider.client.client_id);
    expect(asked.filter((each) => each.startsWith('POST /reg'))).toEqual([]);
  });

  it('is not connected if the user denies access', async () => {
    const { connection } = await walk(await addMcpApp(service, guard.url), {}, deny);
    expect(connection.status).toBe('FAILED');
    expect(failureOf(connection)).toMatchObject({ code: 'ACCESS_DENIED' });
  });

  it('is not connected with a token that it rejects', async () => {
    let refuses = false;
    guard.instead = (_, res) => refuses && !!res.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    const { connection } = await walk(await addMcpApp(service, guard.url), {}, async (visitor, url) => {
      const back = await agree(visitor, url);
      refuses = true;
      return back;
    });
    expect(failureOf(connection)).toMatchObject({ code: 'INVALID_CREDENTIALS' });
  });

  it('is not connected by a response of another issuer', async () => {
    const { connection } = await walk(await addMcpApp(service, guard.url), {}, async (visitor, url) => {
      const back = new URL(await agree(visitor, url));
      back.searchParams.set('iss', 'https://elsewhere.example.com');
      return back.href;
    });
    expect(failureOf(connection)).toMatchObject({
      message: 'The response came from another authorization server.',
    });
    expect(provider.calls).toEqual([]);
  });

  it('exposes no secrets', async () => {
    const { connection_id } = await walk(await addMcpApp(service, guard.url));
    const token = guard.asked.at(-1)?.authorization?.slice('Bearer '.length) ?? '';
    expect(token).toMatch(/.{20}/);
    const reads = await Promise.all(
      [`/connections/${connection_id}`, '/connections', '/audit', `/connections/${connection_id}/tools`].map((path) =>
        service.api('GET', path),
      ),
    );
    const said = JSON.stringify(reads.map(({ body }) => body)) + service.logged();
    expect(said).not.toContain(token);
    expect(said).not.toMatch(/client_secret|code_verifier|refresh_token/);
  });
});

describe('the tokens', () => {
  it('are refreshed once after they expire, with many concurrent calls', async () => {
    const app = await addMcpApp(service, guard.url);
    await walk(app);
    provider.calls.length = 0;
    const tokens = () => new Set(guard.asked.map(({ authorization }) => authorization));
    const headers = { authorization: `Bearer ${service.key}` };
    const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/api/${app}/mcp`), {
      requestInit: { headers },
    });
    const client = new Client({ name: 'a-client', version: '1' }, { capabilities: {} });
    guard.asked.length = 0;
    await client.connect(transport as Transport);
    const echo = async (i: number) =>
      (await client.callTool({ name: 'echo', arguments: { message: `${i}` } })).content as { text: string }[];
    await vi.waitFor(
      async () => {
        const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => echo(i)));
        expect(answers.map(([each]) => each?.text)).toEqual(answers.map((_, i) => `Echo: ${i}`));
        expect(tokens().size).toBeGreaterThanOrEqual(3);
      },
      // one expired token per round is sufficient
      { timeout: 60_000, interval: 500 },
    );
    expect(provider.calls).toEqual(Array(tokens().size - 1).fill({ grant: 'refresh_token', ok: true }));
    expect(provider.revoked).toEqual([]);
    await transport.terminateSession();
    await client.close();
  });

  it('with an expiry of zero have no expiry', async () => {
    const usual = provider.instead;
    provider.instead = (req, res) => {
      if (req.url === '/token') {
        const end = res.end.bind(res);
        Object.assign(res, { end: (body: unknown) => end(String(body).replace(/("expires_in":)\d/, '$10')) });
      }
      return usual?.(req, res) ?? false;
    };
    const { connection } = await walk(await addMcpApp(service, guard.url));
    expect(connection).toMatchObject({ status: 'ACTIVE', token_expires_at: null });
  });

  it('that are revoked fail the connection, with the reason', async () => {
    const app = await addMcpApp(service, guard.url);
    const { connection_id } = await walk(app);
    await provider.revokeAll();
    const connection = await vi.waitFor(
      async () => {
        await service.api('POST', `/${app}/echo`, { message: 'x' });
        const seen = await getConnection(service, connection_id);
        expect(seen.status).toBe('FAILED');
        return seen;
      },
      { timeout: 60_000, interval: 50 },
    );
    expect(failureOf(connection)).toMatchObject({
      code: 'REFRESH_REJECTED',
      message: expect.stringContaining('invalid_grant'),
    });
  });
});

describe('failed discovery', () => {
  const tried = async (app?: string) => submitMcp(service, app ?? (await addMcpApp(service, guard.url)));
  const json = (res: import('node:http').ServerResponse, value: unknown) =>
    !!res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const metadata = (more: object) => ({
    issuer: provider.url,
    authorization_endpoint: `${provider.url}/auth`,
    token_endpoint: `${provider.url}/token`,
    registration_endpoint: `${provider.url}/reg`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    ...more,
  });
  /** The authorization server says this of itself. */
  const says = (value: object) => {
    provider.instead = (req, res) => !!req.url?.startsWith('/.well-known/') && json(res, value);
  };

  it('a server without metadata', async () => {
    guard.metadata = undefined;
    const { status, body } = await tried();
    expect(status).toBe(400);
    expect(body['message']).toContain('can’t be read');
    guard.instead = (req, res) => !req.url?.startsWith('/.well-known/') && !!res.writeHead(401).end();
    expect((await tried()).body['message']).toMatch(/requires authorization, but 127\.0\.0\.1:\d+ has no metadata/);
  });

  it('a server with the metadata of another', async () => {
    guard.metadata = about('https://elsewhere.example.com/mcp');
    expect((await tried()).body['message']).toBe(
      'The server’s metadata is for another server (https://elsewhere.example.com/mcp).',
    );
  });

  it('an authorization server with the metadata of another', async () => {
    says(metadata({ issuer: 'https://elsewhere.example.com' }));
    const { status, body } = await tried();
    expect([status, body['message']]).toEqual([
      400,
      expect.stringContaining('metadata of another server (https://elsewhere'),
    ]);
  });

  it('one without client registration, with instructions', async () => {
    says(metadata({ registration_endpoint: undefined }));
    const { connection_id, body } = await tried();
    expect(body['message']).toContain(`http://localhost:${service.port}/connect/oauth/callback`);
    expect(failureOf(await getConnection(service, connection_id))).toMatchObject({ code: 'APP_CONFIG' });
  });

  it('one without PKCE', async () => {
    says(metadata({ code_challenge_methods_supported: ['plain'] }));
    expect((await tried()).body['message']).toContain('PKCE');
  });

  it('one with an invalid authorization URL', async () => {
    says(metadata({ authorization_endpoint: 'ftp://127.0.0.1/auth' }));
    expect((await tried()).body['message']).toContain('invalid authorization URL');
    says(metadata({ authorization_endpoint: 'javascript:alert(1)' }));
    expect((await tried()).body['message']).toContain('can’t be read');
  });

  it('circular metadata URLs end with an error', async () => {
    let requests = 0;
    provider.instead = (req, res) => {
      requests++;
      return !!res.writeHead(302, { location: `${req.url}x` }).end();
    };
    expect(await tried()).toMatchObject({ status: 400 });
    expect(requests).toBeLessThanOrEqual(20);
    expect(requests).toBeGreaterThan(5);
  });

  it('invalid or oversized metadata, and errors', async () => {
    provider.instead = (_, res) => !!res.writeHead(200, { 'content-type': 'text/html' }).end('<html>a secret</html>');
    const page = await tried();
    expect(page).toMatchObject({ status: 400, body: { message: expect.stringContaining('can’t be read') } });
    expect(JSON.stringify(page.body) + service.logged()).not.toContain('a secret');
    provider.instead = (_, res) => json(res, metadata({ much: 'x'.repeat(10 * 1024 * 1024) }));
    expect(await tried()).toMatchObject({ status: 502, body: { message: expect.stringContaining('1024 KB') } });
    provider.instead = (_, res) => !!res.writeHead(503).end();
    const trouble = await tried();
    expect(trouble).toMatchObject({ status: 502, body: { message: expect.stringContaining('it returned 503') } });
    expect((await getConnection(service, trouble.connection_id)).status).toBe('PENDING');
  });

  it('a rejected or failed registration', async () => {
    provider.instead = (req, res) =>
      req.url === '/reg' &&
      !!res
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"error":"invalid_redirect_uri","error_description":"only ours"}');
    expect((await tried()).body['message']).toBe(
      `${new URL(provider.url).host} didn’t register this service as a client: only ours`,
    );
    provider.instead = (req, res) => req.url === '/reg' && !!res.writeHead(500).end();
    expect(await tried()).toMatchObject({ status: 502, body: { message: expect.stringContaining('returned 500') } });
  });

  it('a malformed, huge or error token response, without including it in the message', async () => {
    const answers: [string, (res: import('node:http').ServerResponse) => unknown][] = [
      ['returned no token', (res) => res.writeHead(200).end('access_token=the-secret-one')],
      ['1024 KB', (res) => res.writeHead(200).end(JSON.stringify({ access_token: 'the-secret-one'.repeat(800_000) }))],
      ['can’t be sent', (res) => json(res, { access_token: 'the secret one\n', token_type: 'bearer' })],
      ['(invalid_grant).', (res) => res.writeHead(400).end('{"error":"invalid_grant"}')],
    ];
    for (const [words, answer] of answers) {
      provider.instead = (req, res) => req.url === '/token' && !!answer(res);
      const { connection_id } = await walk(await addMcpApp(service, guard.url));
      const { status } = await getConnection(service, connection_id);
      // An oversized response is temporary, the others are rejections.
      expect(status, words).toBe(words === '1024 KB' ? 'PENDING' : 'FAILED');
      if (status === 'FAILED') expect(JSON.stringify(await getConnection(service, connection_id))).toContain(words);
    }
    expect(service.logged()).not.toContain('secret-one');
  });
});

describe('private addresses', () => {
  it('get no requests, neither as the server nor as its authorization server', async () => {
    const narrow = await startService({ env: { SLUICE_ALLOW_PRIVATE_CIDRS: '127.0.0.1/32' } });
    const app = await addMcpApp(narrow, guard.url);
    for (const issuer of ['http://127.0.0.2:1/', 'http://169.254.169.254/', 'http://[::1]:1/', 'http://2130706434/']) {
      guard.metadata = { ...about(guard.url), authorization_servers: [issuer] };
      const { status, body } = await submitMcp(narrow, app);
      expect([status, body['message']], issuer).toEqual([
        400,
        expect.stringContaining('an address that this service does not connect to'),
      ]);
    }
    guard.instead = (_, res) => !!res.writeHead(307, { location: 'http://169.254.169.254/latest' }).end();
    expect((await submitMcp(narrow, app)).body['message']).toContain('The server returned 307');
    const typed = await submitMcp(narrow, 'mcp', { server_url: 'http://127.0.0.2:1/mcp' });
    expect(typed).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('does not resolve to a public address') },
    });
    await narrow.stop();
  });
});
