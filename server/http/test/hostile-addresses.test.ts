/**
 * URLs that lead to private IP addresses, in every field that accepts a URL: when it is stored, and at every connection
 * to it. No request is sent to a public IP address: names are resolved by the test's resolver.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { getConnection, newConnection, onLink, tokenOf } from '../../connections/test/connecting.ts';
import { addCustomApp, startApp, tryConnect } from '../../connections/test/custom-support.ts';
import { type Service, startService } from '../../test/service.ts';
import {
  AS_PUBLIC,
  HOSTILE_ADDRESSES,
  HOSTILE_LITERALS,
  HOSTILE_NAMES,
  LOOPBACK,
  namesInside,
  PUBLIC,
  resolver,
} from './hostile-spellings.ts';

/** Listens on a private IP address and must get no request. */
let canary: Server;
let port = 0;
let reached = 0;
let service: Service;
/** Answers of the resolver by name; several are returned in turn. */
const names: Record<string, string[][]> = { ...namesInside(), 'public.test': [[PUBLIC]] };
const { lookup } = resolver(names);
beforeAll(async () => {
  canary = createServer((_, res) => {
    reached++;
    res.end('{"access_token":"inside","oauth_token":"inside"}');
  });
  canary.on('connection', () => {
    reached++;
  });
  await new Promise<void>((ok) => canary.listen(0, LOOPBACK, ok));
  port = (canary.address() as AddressInfo).port;
  service = await startService({ env: { SLUICE_ALLOW_PRIVATE_CIDRS: AS_PUBLIC.join() }, lookUp: lookup });
});
afterAll(async () => {
  await service.stop();
  await new Promise((ok) => canary.close(ok));
  expect(reached).toBe(0);
});

const place = { in: 'header', name: 'X-Key', template: '{api_key}' };
const PUBLIC_URL = 'https://public.test';
const oauth1 = { request_url: PUBLIC_URL, authorize_url: PUBLIC_URL, access_url: PUBLIC_URL };
const oauth2 = { grant: 'client_credentials', token_url: PUBLIC_URL };
type Methods = { base_url: string | null; methods: object[] };
/** The fields that accept a URL, by the name at the start of their error. */
const PLACES: Record<string, (address: string) => Methods> = {
  base_url: (address) => ({ base_url: address, methods: [{ method: 'API_KEY', place }] }),
  'methods.0.token_url': (token_url) => ({
    base_url: PUBLIC_URL,
    methods: [{ method: 'OAUTH2', ...oauth2, token_url }],
  }),
  'methods.0.refresh_url': (refresh_url) => ({
    base_url: PUBLIC_URL,
    methods: [{ method: 'OAUTH2', ...oauth2, refresh_url }],
  }),
  'methods.0.exchange.url': (url) => ({
    base_url: PUBLIC_URL,
    methods: [{ method: 'JWT', algorithm: 'HS256', exchange: { url } }],
  }),
  'methods.0.request_url': (request_url) => ({
    base_url: PUBLIC_URL,
    methods: [{ method: 'OAUTH1', ...oauth1, request_url }],
  }),
  'methods.0.access_url': (access_url) => ({
    base_url: PUBLIC_URL,
    methods: [{ method: 'OAUTH1', ...oauth1, access_url }],
  }),
  'methods.0.server_url': (server_url) => ({ base_url: null, methods: [{ method: 'MCP', server_url }] }),
};

const create = (body: object) =>
  service.api<{ message: string }>('POST', '/apps', { app: 'hostile', name: 'Hostile', ...body });

describe.each(Object.entries(PLACES))('as %s', (name, at) => {
  it(`rejects ${HOSTILE_LITERALS.length} spellings of private IP addresses`, async () => {
    for (const host of HOSTILE_LITERALS) {
      const { status, body } = await create(at(`http://${host}:${port}/x`));
      expect([host, status]).toEqual([host, 400]);
      expect(body.message.startsWith(`${name}: expected a public address; `), `${host}: ${body.message}`).toBe(true);
    }
  });

  it(`rejects ${HOSTILE_NAMES.length} names of private IP addresses`, async () => {
    for (const host of HOSTILE_NAMES) {
      Object.assign(names, namesInside());
      const { status, body } = await create(at(`https://${host}/x`));
      expect([host, status, body.message.split(':')[0]]).toEqual([host, 400, name]);
    }
  });

  it.each(HOSTILE_ADDRESSES)('%j is not taken', async (address) => {
    const { status, body } = await create(at(address));
    expect([status, body.message]).toEqual([
      400,
      expect.stringMatching(new RegExp(`^${name.replaceAll('.', '\\.')}: `)),
    ]);
  });

  it('rejects them in an update of an app', async () => {
    const app = await addCustomApp(service, PUBLIC_URL, [{ method: 'BASIC' }]);
    const { base_url, methods } = at(`http://127.1:${port}/`);
    const { status, body } = await service.api<{ message: string }>('PATCH', `/apps/${app}`, { base_url, methods });
    expect([status, body.message.split(':')[0]]).toEqual([400, name]);
  });
});

describe('as the URL of a feed', () => {
  type Trigger = Reply<'triggerGet'>['trigger'];
  const feedAt = (url: string) =>
    service.api<{ message: string; trigger: Trigger }>('POST', '/triggers', {
      source: 'rss',
      event_type: 'feed.item',
      parameters: { url },
    });
  const stop = ({ trigger_id }: Trigger) => service.api('DELETE', `/triggers/${trigger_id}`);
  const readBack = async ({ trigger_id }: Trigger) =>
    (await service.api<{ trigger: Trigger }>('GET', `/triggers/${trigger_id}`)).body.trigger;
  const refusedAs = /^parameters\.url: /;

  it('rejects every spelling and name of private IP addresses', async () => {
    for (const host of [...HOSTILE_LITERALS, ...HOSTILE_NAMES]) {
      Object.assign(names, namesInside());
      const { status, body } = await feedAt(`http://${host}:${port}/x`);
      expect([host, status, body.message]).toEqual([host, 400, expect.stringMatching(refusedAs)]);
    }
  });

  it.each(HOSTILE_ADDRESSES)('%j is not taken', async (address) => {
    const { status, body } = await feedAt(address);
    expect([status, body.message]).toEqual([400, expect.stringMatching(refusedAs)]);
  });

  it('rejects them in an update of a trigger', async () => {
    // It resolves once, for the check. No request is sent.
    names['feed.test'] = [[PUBLIC], [LOOPBACK]];
    const { body } = await feedAt('http://feed.test/x');
    const changed = await service.api<{ message: string }>('PATCH', `/triggers/${body.trigger.trigger_id}`, {
      parameters: { url: `http://127.1:${port}/` },
    });
    expect([changed.status, changed.body.message]).toEqual([400, expect.stringMatching(refusedAs)]);
    expect((await readBack(body.trigger)).parameters['url']).toBe('http://feed.test/x');
    await stop(body.trigger);
  });

  it('rejects a name that resolves to a private IP address at polling, and the trigger has the reason', async () => {
    names['moved.test'] = [[PUBLIC], [LOOPBACK]];
    const { status, body } = await feedAt(`http://moved.test:${port}/x`);
    expect(status).toBe(200);
    await expect.poll(() => readBack(body.trigger)).toMatchObject({ status: 'ENABLED', reason: 'BLOCKED_ADDRESS' });
    await stop(body.trigger);
  });
});

/** Calls that make the service connect to the URL, and its errors. */
type Try = (app: string, fields: Record<string, string>) => Promise<string>;
const byCall =
  (method: string): Try =>
  async (app, fields) => {
    const { status, message } = await tryConnect(service, app, method, fields);
    if (status !== 200) return message;
    return String((await service.api('GET', `/${app}/x`)).body['message']);
  };
const byLink =
  (method: string, more: Record<string, string> = {}): Try =>
  async (app, fields) =>
    (await tryConnect(service, app, method, { ...fields, ...more })).message;

const TRIES: [string, (address: string) => Methods, Try][] = [
  ['base address', PLACES['base_url'] as never, byCall('API_KEY')],
  [
    'token address',
    PLACES['methods.0.token_url'] as never,
    byLink('OAUTH2', { client_id: 'a', client_secret: 'never-sent-inside' }),
  ],
  ['address of an exchange', PLACES['methods.0.exchange.url'] as never, byLink('JWT', { key: 'never-sent-inside' })],
  [
    'address of request tokens',
    PLACES['methods.0.request_url'] as never,
    async (app, fields) => {
      const client = { client_id: 'a', client_secret: 'never-sent-inside' };
      await service.api('PUT', `/apps/${app}/credentials/OAUTH1`, client);
      return byLink('OAUTH1')(app, fields);
    },
  ],
  ['address of an MCP server', PLACES['methods.0.server_url'] as never, byLink('MCP')],
];
const REFUSED =
  /an address that this service does not connect to|does not resolve to a public address|not a public address|not allowed/;

describe.each(TRIES)('as %s', (kind, at, attempt) => {
  beforeEach(() => {
    Object.assign(names, namesInside());
  });
  const typed: Record<string, string> = kind === 'base address' ? { api_key: 'never-sent-inside' } : {};

  it.each(['localhost', 'LOCALHOST', '2130706433', '0x7f000001', '017700000001', '127', '0', '2852039166'])(
    'what somebody types into it is refused when it means inside: %s',
    async (host) => {
      const app = await addOne(at(`http://{host}:${port}/x`));
      expect(await attempt(app, { ...typed, host })).toMatch(REFUSED);
    },
  );

  it('a name that resolves to a private IP address after it was stored is not connected to', async () => {
    names['rebound.test'] = [[PUBLIC]];
    const app = await addOne(at(`http://rebound.test:${port}/x`));
    names['rebound.test'] = [[LOOPBACK]];
    expect(await attempt(app, typed)).toMatch(REFUSED);
  });

  it('a name that also resolves to a private IP address is not connected to', async () => {
    names['split.test'] = [[PUBLIC]];
    const app = await addOne(at(`http://split.test:${port}/x`));
    names['split.test'] = [[PUBLIC, LOOPBACK]];
    expect(await attempt(app, typed)).toMatch(REFUSED);
  });
});

const addOne = ({ base_url, methods }: Methods) => addCustomApp(service, base_url, methods);

describe('a redirect from an allowed URL to a private IP address', () => {
  let open: Service;
  beforeAll(async () => {
    open = await startService();
  });
  afterAll(() => open.stop());

  it.each([301, 302, 303, 307, 308])('with %i is not followed by any request', async (status) => {
    const asked: string[] = [];
    const sender = await startApp((req, res) => {
      asked.push(`${req.method} ${req.url}`);
      const to = `http://127.0.0.1:${(sender.server.address() as AddressInfo).port}/inside`;
      req.resume().on('end', () => res.writeHead(status, { location: to }).end());
    });
    const { url } = sender;
    const methods: [string, object, Record<string, string>][] = [
      ['API_KEY', { place }, { api_key: 'k' }],
      ['OAUTH2', { grant: 'client_credentials', token_url: url }, { client_id: 'a', client_secret: 'b' }],
      ['JWT', { algorithm: 'HS256', exchange: { url } }, { key: 'k' }],
      ['OAUTH1', { request_url: url, authorize_url: url, access_url: url }, {}],
      ['MCP', { server_url: `${url}/mcp` }, {}],
    ];
    for (const [method, more, fields] of methods) {
      const app = await addCustomApp(open, method === 'MCP' ? null : url, [{ method, ...more }]);
      if (method === 'OAUTH1')
        await open.api('PUT', `/apps/${app}/credentials/OAUTH1`, { client_id: 'a', client_secret: 'b' });
      const connection_id = await newConnection(open, app);
      const link = tokenOf((await getConnection(open, connection_id)).url);
      const answer = await onLink(open, link, { method, fields });
      if (method === 'API_KEY') expect((await open.api('GET', `/${app}/x`)).status).toBe(status);
      else expect([method, answer.status >= 400]).toEqual([method, true]);
    }
    expect(asked.length).toBeGreaterThanOrEqual(methods.length);
    expect(asked.filter((each) => each.includes('/inside'))).toEqual([]);
    await sender.close();
  });
});
