/** Failed attempts to connect: the message for the user, and the state of the connection. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../test/service.ts';
import { openVisitor } from '../../test/visitor.ts';
import { getConnection, newConnection, onLink, submitIn, tokenOf, windowAt } from './connecting.ts';
import { addCustomApp, type LocalApp, startApp } from './custom-support.ts';
import { startStub, submitMcp } from './mcp-support.ts';

let service: Service;
let strict: Service;
let provider: LocalApp;
let says: { status: number; body: string } = { status: 200, body: '{}' };
beforeAll(async () => {
  service = await startService();
  strict = await startService({ env: { SLUICE_ALLOW_PRIVATE_CIDRS: '' } });
  provider = await startApp((req, res) => {
    req.resume().on('end', () => res.writeHead(says.status, { 'content-type': 'application/json' }).end(says.body));
  });
});
afterAll(async () => {
  await service.stop();
  await strict.stop();
  await provider.close();
});
const failureOf = async (of: Service, id: string) => {
  const { status, metadata } = await getConnection(of, id);
  return { status, failure: metadata['failure'], last_error: metadata['last_error'] };
};

describe('the URL of an MCP server', () => {
  it.each(['http://127.0.0.1:9/mcp', 'http://[::1]:9/mcp', 'http://10.0.0.1/mcp'])(
    'on a private network is refused with a separate code: %s',
    async (url) => {
      const { connection_id, status, body } = await submitMcp(strict, 'mcp', { server_url: url });
      expect([status, body['message']]).toEqual([
        400,
        'The server’s URL does not resolve to a public address. Enter another URL.',
      ]);
      expect(await failureOf(strict, connection_id)).toMatchObject({
        status: 'FAILED',
        failure: { code: 'ADDRESS_REFUSED', message: body['message'] },
      });
    },
  );

  it('with an unknown host is reported as such', async () => {
    const { connection_id, status, body } = await submitMcp(service, 'mcp', { server_url: 'https://tpyo.example/mcp' });
    expect([status, body['message']]).toEqual([400, 'No server at this URL: its host name does not exist.']);
    expect(await failureOf(service, connection_id)).toMatchObject({ failure: { code: 'SERVER_NOT_FOUND' } });
  });

  it.each<[string, number, string, string]>([
    ['404', 404, 'text/plain', 'the server returned 404.'],
    ['405', 405, 'text/plain', 'the server returned 405.'],
    ['a page', 200, 'text/html', 'the server returned text/html, which is not MCP.'],
  ])('that returns %s has no MCP server, and another URL connects on the same link', async (_, code, type, words) => {
    const stub = await startStub((_req, res) => void res.writeHead(code, { 'content-type': type }).end('x'));
    const { connection_id, status, body } = await submitMcp(service, 'mcp', { server_url: stub.url });
    expect([status, body['message']]).toEqual([400, `No MCP server at this URL: ${words}`]);
    expect(await failureOf(service, connection_id)).toMatchObject({
      status: 'FAILED',
      failure: { code: 'SERVER_NOT_FOUND' },
    });
    await stub.close();
    const right = await startStub((_req, res, rpc, message) => {
      const id = (message as { id?: number } | undefined)?.id;
      const result =
        rpc === 'initialize'
          ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
          : { tools: [] };
      if (id === undefined) return void res.writeHead(202).end();
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
    const { url } = await getConnection(service, connection_id);
    const again = await onLink(service, tokenOf(url), { method: 'MCP', fields: { server_url: right.url } });
    expect([again.status, (await getConnection(service, connection_id)).metadata]).toEqual([200, {}]);
    await right.close();
  });
});

describe('a failure of the provider', () => {
  const add = () =>
    addCustomApp(service, provider.url, [
      { method: 'OAUTH2', grant: 'client_credentials', token_url: `${provider.url}/token`, client_auth: 'post' },
    ]);
  const client = { client_id: 'a', client_secret: 'b' };

  it('is stored on the connection until an attempt succeeds', async () => {
    const id = await newConnection(service, await add());
    const { url } = await getConnection(service, id);
    says = { status: 503, body: '{"error":"server_error"}' };
    const failed = await submitIn(openVisitor(), url, 'OAUTH2', client);
    expect(failed.status).toBe(502);
    const after = await getConnection(service, id);
    expect(after).toMatchObject({
      status: 'PENDING',
      metadata: {
        last_error: { code: 'EXCHANGE_FAILED', message: failed.body.message, time: expect.stringMatching(/Z$/) },
      },
    });
    expect(failed.body.message).toMatch(/returned 503/);
    const { body } = await service.api('GET', `/audit?resource_id=${id}`);
    expect(JSON.stringify(body)).toContain('connectSessionSubmit');
    says = { status: 200, body: '{"access_token":"t","token_type":"bearer"}' };
    expect((await submitIn(openVisitor(), url, 'OAUTH2', client)).status).toBe(200);
    expect((await getConnection(service, id)).metadata).toEqual({});
  });

  it('is shown on an ACTIVE connection, which stays ACTIVE', async () => {
    says = { status: 200, body: '{"access_token":"t","token_type":"bearer"}' };
    const id = await newConnection(service, await add());
    await submitIn(openVisitor(), (await getConnection(service, id)).url, 'OAUTH2', client);
    says = { status: 500, body: '' };
    const again = await submitIn(openVisitor(), (await getConnection(service, id)).url, 'OAUTH2', client);
    expect([again.status, await failureOf(service, id)]).toMatchObject([
      502,
      { status: 'ACTIVE', last_error: { code: 'EXCHANGE_FAILED' } },
    ]);
  });

  it('is not a key of the metadata that the account sets', async () => {
    for (const name of ['last_error', 'unconfirmed', 'failure']) {
      const { status, body } = await service.api('POST', '/connections', { app: 'stripe', metadata: { [name]: 1 } });
      expect([status, body['message']]).toEqual([400, expect.stringContaining('metadata: expected no key named')]);
    }
  });

  it('is final if the token URL is on a private network', async () => {
    const app = await addCustomApp(strict, 'https://api.example.com', [
      { method: 'OAUTH2', grant: 'client_credentials', token_url: 'https://{host}/token', client_auth: 'post' },
    ]);
    const id = await newConnection(strict, app);
    const { url } = await getConnection(strict, id);
    const { status } = await submitIn(openVisitor(), url, 'OAUTH2', { ...client, host: 'localhost' });
    expect([status, await failureOf(strict, id)]).toMatchObject([400, { failure: { code: 'ADDRESS_REFUSED' } }]);
    expect((await windowAt(strict, url)).failure?.code).toBe('ADDRESS_REFUSED');
  });
});
