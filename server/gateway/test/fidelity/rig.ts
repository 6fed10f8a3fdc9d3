/**
 * A gateway under test: its URL, an app and callers that read and write raw bytes. The checks in this folder observe
 * both ends of real sockets and run against any gateway that replaces the caller's key with another one;
 * fidelity.test.ts runs them against this service, bench/fidelity.ts against other proxies too.
 */
import assert from 'node:assert/strict';
import { type RawCaller, type RawUpstream, type Received, rawCall } from '../raw-upstream.ts';

export type Rig = {
  port: number;
  upstream: RawUpstream;
  /** Prefix of the native path, which selects the app. */
  prefix: string;
  /** Header lines of every request: the caller's key. */
  headers: string[];
  /** The line the gateway inserts for the app. */
  credential: string;
  /** Resident memory of the gateway, in bytes. */
  rss(): number;
};

/** Throws a description of the difference. */
export type Check = { name: string; run(rig: Rig): Promise<void> };
export type Group = { title: string; checks: Check[] };

export const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
export const OK_AND_CLOSE = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok';

/** The head of a request, including the empty line. `path` is native; `headers` follow the caller's key. */
export function requestHead(rig: Rig, line: string, headers: string[] = []): Buffer {
  const [method, path] = line.split(' ') as [string, string];
  const lines = [`${method} ${rig.prefix}${path} HTTP/1.1`, 'Host: localhost', ...rig.headers, ...headers];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

export type Request = { line?: string; headers?: string[]; body?: string | Buffer };

/** A caller that has sent a request. */
export function ask(rig: Rig, { line = 'GET /x', headers = [], body = '' }: Request = {}): RawCaller {
  return rawCall(rig.port, Buffer.concat([requestHead(rig, line, headers), Buffer.from(body)]));
}

/** One request with the response `answer`: the received request, and the response up to `enough`. */
export async function through(
  rig: Rig,
  request: Request,
  answer: string | Buffer = OK,
  enough: (got: string) => boolean = (got) => got.includes('\r\n\r\n'),
): Promise<{ received: Received; got: string; bytes: Buffer }> {
  let received: Received | undefined;
  rig.upstream.answer((each) => {
    received = each;
    each.socket.write(answer);
  });
  const caller = ask(rig, request);
  const got = await caller.until((each) => enough(each.got()));
  caller.socket.destroy();
  assert.ok(received, `the app received nothing; the caller got ${JSON.stringify(got.slice(0, 200))}`);
  return { received, got, bytes: caller.bytes() };
}

export const startLine = (text: string) => text.slice(0, text.indexOf('\r\n'));
/** The header lines of a head, in order. */
export const linesOf = (text: string) => (text.split('\r\n\r\n')[0] ?? '').split('\r\n').slice(1).filter(Boolean);
/** Without hop-by-hop headers. */
export const ownLines = (text: string) =>
  linesOf(text).filter((line) => !/^(?:connection|keep-alive|transfer-encoding):/i.test(line));
export const valuesOf = (text: string, name: string) =>
  linesOf(text)
    .filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    .map((line) => line.slice(name.length + 1).trim());

/** The body, with chunks joined. */
export function bodyOf(got: string): string {
  const [head = '', ...rest] = got.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  if (!/^transfer-encoding: *chunked/im.test(head)) return body;
  let whole = '';
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.slice(at, end), 16);
    if (end < 0 || !(size > 0)) break;
    whole += body.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
  }
  return whole;
}

/** Resolves when `done` returns true; checks it after every event. */
export async function eventually(done: () => boolean): Promise<void> {
  while (!done()) await new Promise<void>((ok) => setTimeout(ok, 10));
}

export { assert };
