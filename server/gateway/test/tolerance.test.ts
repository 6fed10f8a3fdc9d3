/**
 * Responses with mistakes that clients tolerate, and responses that must not be tolerated because two parsers could read
 * two different ones: the gateway beside node:http, curl and nginx, with the same bytes.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { addConnectedApp } from '../../connections/test/connecting.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { freePort } from '../../test/spawned.ts';
import { startRawUpstream } from './raw-upstream.ts';

const upstream = forAll(startRawUpstream);
const service = serviceForAll({ env: { SLUICE_GATEWAY_ANSWER_TIMEOUT: '2', SLUICE_GATEWAY_IDLE_TIMEOUT: '2' } });

/** The body that a client reads; null if it reports an error. */
type Read = string | null;

/** The app sends these bytes and closes the connection. */
async function answered(bytes: Buffer, read: (path: string) => Promise<Read>): Promise<Read> {
  upstream.answer(({ socket }) => socket.end(bytes));
  const body = await read('/x');
  await upstream.hangUp();
  return body;
}

let app: string | undefined;
const viaGateway = async (path: string): Promise<Read> => {
  app ??= await addConnectedApp(service, upstream.url);
  const response = await fetch(`${service.url}/api/${app}${path}`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  return response.status === 200 ? response.text().catch(() => null) : null;
};

const viaNode = (path: string) =>
  new Promise<Read>((ok) => {
    const req = http.get(upstream.url + path, { agent: false, timeout: 2000 }, (res) => {
      let body = '';
      res.setEncoding('latin1').on('data', (part: string) => {
        body += part;
      });
      res.on('end', () => ok(body)).on('error', () => ok(null));
    });
    req.on('error', () => ok(null)).on('timeout', () => req.destroy());
  });

const output = (command: string, args: string[]) =>
  new Promise<Read>((ok) => {
    execFile(command, args, { encoding: 'latin1' }, (error, out) => ok(error ? null : out));
  });
const curl = (url: string) => output('curl', ['-sS', '--fail', '--max-time', '2', url]);

const chunked = (body: Buffer) =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
const head = (...lines: string[]) => Buffer.from(`HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\n`);
const text = (bytes: string) => Buffer.from(bytes, 'latin1');

/** `node`, `curl`, `nginx`: what they read; undefined where versions differ. */
type Case = { bytes: Buffer; gateway: Read; node?: Read; curl?: Read; nginx?: Read };
const TOLERATED: Record<string, Case> = {
  'line ends before the status line': {
    bytes: text('\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
    gateway: 'ok',
    node: 'ok',
    nginx: null,
  },
  'line ends after 100 Continue': {
    bytes: text('HTTP/1.1 100 Continue\r\n\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
    gateway: 'ok',
    node: 'ok',
    nginx: null,
  },
  'a head whose lines end in LF': {
    bytes: text('HTTP/1.1 200 OK\nContent-Length: 2\n\nok'),
    gateway: 'ok',
    node: null,
    curl: 'ok',
    nginx: 'ok',
  },
  'gzip, chunked': {
    bytes: Buffer.concat([head('Transfer-Encoding: gzip, chunked'), chunked(gzipSync('ok'))]),
    gateway: 'ok',
    node: gzipSync('ok').toString('latin1'),
    curl: 'ok',
    nginx: gzipSync('ok').toString('latin1'),
  },
  'deflate, chunked': {
    bytes: Buffer.concat([head('Transfer-Encoding: deflate, chunked'), chunked(deflateSync('ok'))]),
    gateway: 'ok',
    node: deflateSync('ok').toString('latin1'),
    curl: 'ok',
    nginx: deflateSync('ok').toString('latin1'),
  },
  'gzip until the end of the connection': {
    bytes: Buffer.concat([head('Transfer-Encoding: gzip'), gzipSync('ok')]),
    gateway: 'ok',
    node: gzipSync('ok').toString('latin1'),
    nginx: gzipSync('ok').toString('latin1'),
  },
};
const REFUSED: Record<string, Case> = {
  'a length and chunks': {
    bytes: Buffer.concat([head('Content-Length: 2', 'Transfer-Encoding: chunked'), chunked(text('ok'))]),
    gateway: null,
    node: null,
    nginx: 'ok',
  },
  'chunks that are not the last coding': {
    bytes: Buffer.concat([head('Transfer-Encoding: chunked, gzip'), chunked(gzipSync('ok'))]),
    gateway: null,
    nginx: gzipSync('ok').toString('latin1'),
  },
  'chunks twice': {
    bytes: Buffer.concat([head('Transfer-Encoding: chunked, chunked'), chunked(text('ok'))]),
    gateway: null,
    nginx: 'ok',
  },
  'an unknown coding': {
    bytes: Buffer.concat([head('Transfer-Encoding: zip, chunked'), chunked(text('ok'))]),
    gateway: null,
    nginx: 'ok',
  },
  'lines with both ends': {
    bytes: text('HTTP/1.1 200 OK\nContent-Length: 2\r\n\r\nok'),
    gateway: null,
    node: null,
    nginx: 'ok',
  },
  'a head in LF and chunks in LF': {
    bytes: text('HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nok\n0\n\n'),
    gateway: null,
    node: null,
    nginx: 'ok',
  },
  'two lengths': {
    bytes: text('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok'),
    gateway: null,
    node: null,
    nginx: null,
  },
  'a folded line': {
    bytes: text('HTTP/1.1 200 OK\r\nX-A: 1\r\n b\r\nContent-Length: 2\r\n\r\nok'),
    gateway: null,
    node: null,
    nginx: null,
  },
  'a body that is not gzip': {
    bytes: Buffer.concat([head('Transfer-Encoding: gzip, chunked'), chunked(text('ok'))]),
    gateway: null,
    node: 'ok',
    curl: null,
    nginx: 'ok',
  },
};

describe.each([
  ['tolerated', TOLERATED],
  ['refused', REFUSED],
])('%s', (_, cases) => {
  it.each(Object.entries(cases))('%s', async (_name, { bytes, gateway, ...others }) => {
    expect(await answered(bytes, viaGateway)).toBe(gateway);
    if ('node' in others) expect(await answered(bytes, viaNode)).toBe(others.node);
    if ('curl' in others && (await output('curl', ['--version'])))
      expect(await answered(bytes, (path) => curl(upstream.url + path))).toBe(others.curl);
  });
});

describe('after a tolerated response, the connection is not reused', () => {
  /** A second response in the same bytes must not become the response to another call. */
  it.each(Object.entries(TOLERATED).filter(([name]) => !/coding|chunked|gzip/.test(name)))(
    '%s',
    async (_, { bytes }) => {
      const planted = Buffer.concat([bytes, text('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nplanted')]);
      const sockets = new Set<unknown>();
      const send = (sent: Buffer) =>
        upstream.answer(({ socket }) => {
          sockets.add(socket);
          socket.write(sent);
        });
      send(planted);
      expect(await viaGateway('/first')).toBe('ok');
      send(text('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond'));
      expect(await viaGateway('/second')).toBe('second');
      expect(sockets.size).toBe(2);
      await upstream.hangUp();
    },
  );
});

it('a compressed transfer is decoded as slowly as the caller reads, whatever its size', async () => {
  const whole = Buffer.alloc(20 * 1024 * 1024, 'a');
  const bytes = Buffer.concat([head('Transfer-Encoding: gzip, chunked'), chunked(gzipSync(whole))]);
  const read = await answered(bytes, viaGateway);
  expect(read?.length).toBe(whole.length);
});

it('nginx reads some of them', async () => {
  if (!(await output('nginx', ['-v']).then((out) => out !== null)))
    return console.log('nginx is not installed: not compared.');
  const folder = mkdtempSync(join(tmpdir(), 'sluice-nginx-'));
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder};`)
    .join(' ');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
     http { access_log off; ${temporary} server { listen 127.0.0.1:${port};
     location / { proxy_pass ${upstream.url}; proxy_http_version 1.1; proxy_read_timeout 2s; } } }`,
  );
  const nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], {
    stdio: 'ignore',
  });
  try {
    const isUp = () => curl(`http://127.0.0.1:${port}/x`);
    upstream.answer(({ socket }) => socket.end(text('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nup')));
    await expect.poll(isUp).toBe('up');
    const viaNginx = (path: string) => curl(`http://127.0.0.1:${port}${path}`);
    for (const [name, { bytes, ...others }] of Object.entries({ ...TOLERATED, ...REFUSED }))
      if ('nginx' in others) expect(await answered(bytes, viaNginx), name).toBe(others.nginx);
  } finally {
    nginx.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});
