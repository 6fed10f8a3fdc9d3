/** After an app's 401: one identical request with a new token, or the unchanged 401. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { getConnection, newConnection, submitIn } from '../../connections/test/connecting.ts';
import { type Service, startService } from '../../test/service.ts';
import { openVisitor } from '../../test/visitor.ts';
import { type RawCaller, type RawUpstream, type Received, rawCall, startRawUpstream } from './raw-upstream.ts';

const REFUSED =
  'HTTP/1.1 401 Not With That\r\nWWW-Authenticate: Bearer error="invalid_token"\r\nX-Own: 1\r\nContent-Length: 7\r\n\r\nrefused';
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** Gives a new token for every request, until it is configured not to; `held` delays the response. */
let given = 0;
let gives = true;
let held: Promise<void> | undefined;
const tokens = createServer(async (req, res) => {
  req.resume();
  await held;
  if (!gives) return void res.writeHead(503).end();
  res.writeHead(200, { 'content-type': 'application/json' });
  res.end(JSON.stringify({ access_token: `token-${++given}`, token_type: 'Bearer', expires_in: 3600 }));
});

let service: Service;
let upstream: RawUpstream;
let app: string;
let id: string;
beforeAll(async () => {
  await new Promise<void>((ok) => tokens.listen(0, '127.0.0.1', ok));
  upstream = await startRawUpstream();
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  await upstream.close();
  tokens.close();
});

/** A connection with a token old enough to be refreshed; a new token would be rejected for another reason. */
let made = 0;
beforeEach(async () => {
  gives = true;
  held = undefined;
  app = `renewing-${++made}`;
  const token_url = `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token`;
  const methods = [{ method: 'OAUTH2', grant: 'client_credentials', token_url }];
  const answer = await service.api('POST', '/apps', { app, name: 'Renewing', base_url: upstream.url, methods });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  id = await newConnection(service, app);
  const link = (await getConnection(service, id)).url;
  await submitIn(openVisitor(), link, 'OAUTH2', { client_id: 'c', client_secret: 's' });
  expect((await getConnection(service, id)).status).toBe('ACTIVE');
  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
  await service.services.db
    .updateTable('connections')
    .set({ refreshed_at: anHourAgo })
    .where('connection_id', '=', id)
    .execute();
});

/** Responds to successive requests with these; returns the requests. */
function answering(...answers: string[]): Received[] {
  const received: Received[] = [];
  const next = () => {
    const answer = answers.shift();
    if (answer === undefined) return;
    upstream.answer((each) => {
      received.push(each);
      next();
      each.socket.write(answer);
    });
  };
  next();
  return received;
}
const head = (method: string, lines: string[] = []) =>
  `${[`${method} /api/${app}/x?a=%2F HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${service.key}`, ...lines].join('\r\n')}\r\n\r\n`;
async function through(method: string, lines: string[] = [], body: Buffer | string = '', enough = /(?:ok|refused)$/) {
  const caller = rawCall(service.port, Buffer.concat([Buffer.from(head(method, lines)), Buffer.from(body)]));
  const got = await caller.until(({ got }) => enough.test(got()));
  caller.socket.destroy();
  return got;
}
const tokenOf = ({ head }: Received) => /\r\nAuthorization: Bearer (\S+)\r\n/i.exec(head)?.[1];

it.each(['GET', 'DELETE', 'HEAD'])(
  '%s without a body is sent once more with the fresh token, and nothing else differs',
  async (method) => {
    const received = answering(method === 'HEAD' ? 'HTTP/1.1 401 No\r\nContent-Length: 7\r\n\r\n' : REFUSED, OK);
    const enough = method === 'HEAD' ? /\r\n\r\n$/ : undefined;
    const got = await through(method, ['X-Own: a', 'x-own: b'], '', enough);
    expect(got).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(got).not.toMatch(/refused|401/);
    expect(received).toHaveLength(2);
    const [first, second] = received as [Received, Received];
    expect(tokenOf(first)).not.toBe(tokenOf(second));
    expect(second.head.replace(`${tokenOf(second)}`, '')).toBe(first.head.replace(`${tokenOf(first)}`, ''));
  },
);

it('a buffered body is sent again, byte for byte', async () => {
  const body = randomBytes(900_000);
  const received = answering(REFUSED, OK);
  const got = await through('POST', [`Content-Length: ${body.length}`], body);
  expect(got).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(received.map((each) => each.body.equals(body))).toEqual([true, true]);
  await expect
    .poll(async () => (await service.api<Reply<'connectionCallList'>>('GET', `/connections/${id}/calls`)).body.calls)
    .toMatchObject([{ status: 200, request_bytes: body.length, response_bytes: 2 }]);
});

it.each<[string, string[], Buffer]>([
  ['that is too large to keep', [`Content-Length: ${1024 * 1024 + 1}`], randomBytes(1024 * 1024 + 1)],
  ['in chunks', ['Transfer-Encoding: chunked'], Buffer.from('4\r\nbody\r\n0\r\n\r\n')],
])('a body %s is not sent again: the 401 is forwarded unchanged', async (_, lines, body) => {
  const before = given;
  const received = answering(REFUSED, OK);
  expect(own(await through('POST', lines, body))).toBe(REFUSED);
  expect(received).toHaveLength(1);
  expect(given).toBe(before);
});

it('a 401 before the whole body was sent is forwarded unchanged', async () => {
  const before = given;
  upstream.answerEarly(({ socket }) => void socket.write(REFUSED));
  const got = await through('POST', ['Content-Length: 1000'], 'half');
  expect(own(got)).toBe(REFUSED);
  expect(given).toBe(before);
});

it('without a new token the 401 is forwarded unchanged, with its body', async () => {
  gives = false;
  const received = answering(REFUSED, OK);
  expect(own(await through('GET'))).toBe(REFUSED);
  expect(received).toHaveLength(1);
});

it('a second 401 is forwarded', async () => {
  const received = answering(REFUSED, REFUSED.replace('refused', 'REFUSED').replace('refused', 'REFUSED'), OK);
  const got = await through('GET', [], '', /REFUSED$/);
  expect(got).toMatch(/^HTTP\/1\.1 401 Not With That\r\n/);
  expect(received).toHaveLength(2);
});

it.each([403, 429, 500, 503])('a %i is not retried', async (status) => {
  const received = answering(`HTTP/1.1 ${status} No\r\nContent-Length: 7\r\n\r\nrefused`, OK);
  expect(await through('GET')).toMatch(new RegExp(`^HTTP/1.1 ${status} No\r\n`));
  expect(received).toHaveLength(1);
});

it('a caller that disconnects during the refresh ends the call', async () => {
  let letGo = () => {};
  held = new Promise((ok) => {
    letGo = ok;
  });
  const asked = new Promise((ok) => tokens.once('request', ok));
  const received = answering(REFUSED, OK);
  const caller: RawCaller = rawCall(service.port, head('GET'));
  await asked;
  const gone = new Promise((ok) => received[0]?.socket.once('close', ok));
  caller.socket.destroy();
  await gone;
  letGo();
  await expect
    .poll(async () => (await service.api<Reply<'connectionCallList'>>('GET', `/connections/${id}/calls`)).body.calls)
    .toMatchObject([{ status: null, error: 'The caller closed the connection early.' }]);
  expect(received).toHaveLength(1);
});

/** Without headers of the caller's connection. */
const own = (got: string) => got.replace(/^(?:Connection|Keep-Alive): .*\r\n/gm, '');
