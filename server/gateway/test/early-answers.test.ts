/** A client still sending when the response is complete: it receives it, and the connection stays usable. */
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { addApp, addConnectedApp, connect } from '../../connections/test/connecting.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { startRawUpstream } from './raw-upstream.ts';

const upstream = forAll(startRawUpstream);
const service = serviceForAll();
let app: string;
beforeAll(async () => {
  app = await addConnectedApp(service, upstream.url);
});

/** More than the buffers of both ends hold, so a server that closes early has not read it. */
const UPLOAD = Buffer.alloc(16_000_000);
const SIZE = `Content-Length: ${UPLOAD.length}`;

/** Sends all of these, then reads until the other side closes. Returns the status lines. */
async function send(to: net.NetConnectOpts, heads: string[][]): Promise<string[]> {
  const socket = net.connect(to).pause();
  const broken = new Promise<never>((_, reject) => socket.once('error', reject));
  const all = async () => {
    for (const head of heads) {
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      await new Promise((ok) => socket.write(UPLOAD, ok));
    }
    return text(socket);
  };
  const got = await Promise.race([all(), broken]);
  return [...got.matchAll(/HTTP\/1\.1 (\d+) /g)].map((match) => match[1] ?? '');
}
const toService = () => ({ host: '127.0.0.1', port: service.port });
const KEYED = () => `Authorization: Bearer ${service.key}`;

describe('a client that is still sending', () => {
  it.each<[string, string, () => string[]]>([
    ['401', 'the API, without a key', () => ['POST /api/functions']],
    ['404', 'the API, where there is nothing', () => ['POST /api/account/nothing', KEYED()]],
    ['413', 'the API, where it is too much', () => ['POST /api/connections', KEYED()]],
    ['401', 'an app, without a key', () => [`POST /api/${app}/x`]],
    ['405', 'an app, by a method that no app is asked by', () => [`TRACE /api/${app}/x`, KEYED()]],
    ['400', 'no app at all', () => ['POST /api/missing/x', KEYED()]],
    ['404', 'an address of no trigger', () => ['POST /hooks/nothing']],
    ['405', 'a download', () => ['PUT /downloads/x']],
    ['200', 'a probe', () => ['POST /healthz']],
    ['404', 'the console', () => ['POST /x']],
  ])('receives %s of %s, and can send again', async (status, _, asked) => {
    const [line = '', ...more] = asked();
    const head = [`${line} HTTP/1.1`, 'Host: localhost', SIZE, ...more];
    expect(await send(toService(), [head, [...head, 'Connection: close']])).toEqual([status, status]);
  });

  it('receives it with HTTP/1.0 too', async () => {
    expect(await send(toService(), [['POST /api/functions HTTP/1.0', 'Host: localhost', SIZE]])).toEqual(['401']);
  });

  it('gets an error at the functions’ gateway when the run is over', async () => {
    const to = { path: service.services.runtime.gatewaySocket };
    const head = [`POST /${app}/x HTTP/1.1`, 'Host: localhost', SIZE];
    expect(await send(to, [head, [...head, 'Connection: close']])).toEqual(['401', '401']);
  });

  it('receives the early response of an app', async () => {
    const answer = 'HTTP/1.1 413 Too Much\r\nContent-Length: 2\r\n\r\n{}';
    upstream.answerEarly(({ socket }) => socket.end(answer));
    const head = [`POST /api/${app}/x HTTP/1.1`, 'Host: localhost', SIZE, KEYED(), 'Connection: close'];
    expect(await send(toService(), [head])).toEqual(['413']);
  });

  it('gets an error when the app cannot be reached', async () => {
    const gone = await startRawUpstream();
    await gone.close();
    const name = await addApp(service, gone.url);
    await connect(service, name, { api_key: 'upstream-secret' });
    const head = [`POST /api/${name}/x HTTP/1.1`, 'Host: localhost', SIZE, KEYED()];
    expect(await send(toService(), [head, [...head, 'Connection: close']])).toEqual(['502', '502']);
  });
});
