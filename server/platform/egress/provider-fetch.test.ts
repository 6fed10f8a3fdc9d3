import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createEgress } from './egress.ts';
import { ProviderTrouble, providerFetch } from './provider-fetch.ts';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  open.push({
    close() {
      server.closeAllConnections();
      server.close();
    },
  });
  return at(server);
}
async function at(server: Server | ReturnType<typeof createSocketServer>): Promise<string> {
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const local = createEgress(['127.0.0.0/8']);
const ask = providerFetch(local, { timeoutMs: 20_000, maxBytes: 1000 });
/** For providers that never complete a response. */
const impatient = providerFetch(local, { timeoutMs: 300, maxBytes: 1000 });
const troubleOf = async (address: string, fetch = ask) => {
  const error = await fetch(address).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ProviderTrouble);
  return (error as Error).message.replace(/127\.0\.0\.1:\d+/, 'HOST');
};

describe('a provider', () => {
  it('receives the request and responds', async () => {
    const got: string[] = [];
    const url = await listen((req, res) => {
      got.push(`${req.method} ${req.url} ${req.headers['content-type']} ${req.headers['accept-encoding']}`);
      req.on('data', (chunk) => got.push(String(chunk)));
      req.on('end', () => res.writeHead(201, { 'x-one': ['1', '2'] }).end('{"a":1}'));
    });
    const answer = await ask(`${url}/t?q=1`, { method: 'POST', body: new URLSearchParams({ a: 'b c' }) });
    expect([answer.status, answer.headers.get('x-one'), await answer.json()]).toEqual([201, '1, 2', { a: 1 }]);
    expect(got).toEqual(['POST /t?q=1 application/x-www-form-urlencoded;charset=UTF-8 identity', 'a=b+c']);
  });

  it('cannot redirect', async () => {
    const reached: string[] = [];
    const inside = await listen((req, res) => {
      reached.push(req.url ?? '');
      res.end();
    });
    const url = await listen((_, res) => res.writeHead(302, { location: `${inside}/secret` }).end());
    const answer = await ask(url);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `${inside}/secret`]);
    expect(reached).toEqual([]);
  });

  it.each<[string, RequestListener, string]>([
    ['sends no headers', () => {}, 'HOST did not respond within 0.3 s.'],
    [
      'drips its body',
      (_, res) => {
        const timer = setInterval(() => res.write('x'), 20);
        res.on('close', () => clearInterval(timer));
      },
      'HOST did not respond within 0.3 s.',
    ],
    ['sends too much', (_, res) => res.end('x'.repeat(1001)), 'HOST returned more than 1 KB.'],
    [
      'never stops',
      (_, res) => {
        const more = () => res.writable && res.write('x'.repeat(100_000), () => setImmediate(more));
        more();
      },
      'HOST returned more than 1 KB.',
    ],
    ['closes the connection', (req) => req.socket.destroy(), 'HOST closed the connection.'],
  ])('that %s gets a distinct message', async (_, handle, message) => {
    const fetch = message.includes('did not respond') ? impatient : ask;
    expect(await troubleOf(await listen(handle), fetch)).toBe(message);
  });

  it('without HTTP, or unreachable, gets a distinct message', async () => {
    const garbage = createSocketServer((socket) => socket.end('220 smtp ready\r\n'));
    open.push(garbage);
    expect(await troubleOf(await at(garbage))).toMatch(/^HOST (returned a malformed response|closed the connection)/);
    const gone = createServer();
    const url = await at(gone);
    await new Promise((ok) => gone.close(ok));
    expect(await troubleOf(url)).toBe('HOST refuses connections.');
  });

  it('on a private address is contacted only if allowed, and never for a file', async () => {
    let reached = 0;
    const url = await listen((_, res) => {
      reached++;
      res.end();
    });
    const guarded = providerFetch(createEgress([]), { timeoutMs: 20_000 });
    for (const address of [url, url.replace('127.0.0.1', 'localhost'), url.replace('127.0.0.1', '[::ffff:7f00:1]')])
      expect(await troubleOf(address, guarded)).toMatch(
        /is an address that this service does not connect to\.$|refuses connections/,
      );
    expect(reached).toBe(0);
    expect(await troubleOf('file:///etc/passwd')).toBe('file: URLs are not supported; use https.');
  });

  it('on a public address receives nothing without TLS', async () => {
    expect(await troubleOf('http://93.184.215.14/token?secret=1')).toBe(
      '93.184.215.14 must use https: secrets are not sent without TLS.',
    );
  });
});
