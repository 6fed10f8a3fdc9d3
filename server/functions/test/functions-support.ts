/** Functions through the public API, for tests. */
import { type IncomingHttpHeaders, request } from 'node:http';
import { expect } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import type { Service } from '../../test/service.ts';

export type HostedFunction = Reply<'functionGet'>['function'];
export type Run = Reply<'runGet'>;

/** Time limit for events that are soon expected, on a machine that is busy with other tests. */
export const PATIENTLY = { timeout: 60_000 };

export const HELLO = 'export default { fetch: () => new Response("hello") };';

/** Returns its request. */
export const ECHO = `export default { async fetch(request) {
  const headers = Object.fromEntries(request.headers);
  return Response.json({ method: request.method, url: request.url, headers, body: await request.text() });
} };`;

/** Creates a function with one file, index.ts, or with the given files. */
export async function makeFunction(
  service: Service,
  code: string | Record<string, string> = HELLO,
  more: Partial<Body<'functionCreate'>> = {},
  key: string = service.key,
): Promise<HostedFunction> {
  const files = typeof code === 'string' ? { 'index.ts': code } : code;
  const body = { name: 'Function', runtime: 'nodejs24.x', files, ...more };
  const answer = await service.api<Reply<'functionCreate'>>('POST', '/functions', body, { key });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.function;
}

export async function invoke(service: Service, fn: HostedFunction, body: Body<'functionInvoke'> = {}): Promise<Run> {
  const answer = await service.api<{ run: Run }>('POST', `/functions/${fn.function_id}:invoke`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.run;
}

/** The lines of a run, each with its level. */
export async function saidIn(
  service: Service,
  { function_id, run_id }: Pick<Run, 'function_id' | 'run_id'>,
): Promise<[level: string, message: string][]> {
  const path = `/functions/${function_id}/runs/${run_id}/logs`;
  const { events } = (await service.api<Reply<'runLogList'>>('GET', path)).body;
  return events.flatMap(({ level, message }) => (/^(START|END|REPORT) /.test(message) ? [] : [[level, message]]));
}

export type AddressAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer; text: string };
type Ask = {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  signal?: AbortSignal;
};

/** A request to the URL of a function. */
export function callAddress(service: Service, url: string, ask: Ask = {}): Promise<AddressAnswer> {
  const { method = 'GET', path = '/', headers = {}, body, signal } = ask;
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port: service.port,
        method,
        path,
        headers: { ...headers, host: new URL(url).host },
        agent: false,
        ...(signal ? { signal } : {}),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const all = Buffer.concat(chunks);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: all, text: all.toString() });
        });
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
