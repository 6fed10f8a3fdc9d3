/** Sends requests and judges the responses. */
import { z } from 'zod';
import { STATUS_TEXT } from '../../../contract/errors.ts';
import type { Operation, Schema } from './document.ts';
import { Known, type Request } from './requests.ts';

export type Sender = { base_url: string; headersFor(operation: Operation): Record<string, string> };
export type Finding = { operation: string; problem: string; request: string; response: string };

/** Values of responses by field name, newest last. */
export class Pool {
  readonly #values = new Map<string, string[]>();
  readonly #kept = 30;
  readonly #spared = new Set<string>();

  /** Excludes a value from requests. */
  spare(value: string): void {
    this.#spared.add(value);
  }

  add(name: string, value: string): void {
    const values = this.#values.get(name) ?? [];
    if (values.includes(value) || this.#spared.has(value)) return;
    values.push(value);
    if (values.length > this.#kept) values.shift();
    this.#values.set(name, values);
  }

  /** Collects strings of a response that other requests may contain. */
  learn(value: unknown, name = ''): void {
    if (Array.isArray(value)) for (const each of value) this.learn(each, name.replace(/s$/, ''));
    else if (typeof value === 'object' && value !== null)
      for (const [key, each] of Object.entries(value)) this.learn(each, key);
    else if (
      typeof value === 'string' &&
      value.length < 300 &&
      /(_id|^app|^source|^event_type|^next_token)$/.test(name)
    )
      this.add(name, value);
    if (name === 'version' && typeof value === 'number') this.add(name, String(value));
  }

  /** Replaces placeholders with values. */
  resolve(value: unknown): unknown {
    if (value instanceof Known) {
      const values = this.#values.get(NAMED_LIKE[value.name] ?? value.name) ?? [];
      return values.at(-1 - (value.index % Math.max(values.length, 1))) ?? '00000000-0000-7000-8000-000000000000';
    }
    if (Array.isArray(value)) return value.map((each) => this.resolve(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.resolve(each)]));
  }
}
const NAMED_LIKE: Record<string, string> = {
  replay_of: 'event_id',
  since_id: 'event_id',
  resource_id: 'trigger_id',
  id: 'event_id',
};

const TEXT = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** The request as sent, with placeholders replaced. */
export function written(request: Request, pool: Pool, { base_url, headersFor }: Sender) {
  const { operation, body } = request;
  const encode = (value: unknown) => encodeURIComponent(TEXT(pool.resolve(value)).toWellFormed());
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encode(request.path[name]) || '%20');
  const query = request.query.map(([name, value]) => `${name}=${encode(value)}`).join('&');
  const sent = body && ('text' in body ? body.text : JSON.stringify(pool.resolve(body.value)));
  return {
    url: `${base_url}${path}${query && `?${query}`}`,
    method: operation.method,
    headers: {
      ...headersFor(operation),
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    body: sent,
  };
}

/** Sends a request; returns the problem of the response, if any. */
export function createFuzzer(sender: Sender, pool: Pool) {
  const counts = new Map<string, Map<number, number>>();
  const validators = new Map<Schema, z.ZodType>();
  const findings: Finding[] = [];

  function problemOf(operation: Operation, status: number, headers: Headers, text: string): string | undefined {
    if (status === 500) return 'status 500';
    if (!operation.responses.has(status)) return `undocumented status ${status}`;
    if (!headers.get('x-request-id')) return 'no X-Request-Id';
    const schema = operation.responses.get(status);
    if (!schema || headers.get('content-type')?.startsWith('text/event-stream')) return undefined;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return `status ${status} with a body that is not JSON`;
    }
    const validator = validators.get(schema) ?? z.fromJSONSchema(schema as never);
    validators.set(schema, validator);
    const parsed = validator.safeParse(value);
    if (!parsed.success) return `status ${status} against its schema: ${parsed.error.message}`;
    if (status === 200) pool.learn(value);
    else {
      const { code, type } = value as { code: number; type: string };
      if (code !== status || type !== STATUS_TEXT[status as keyof typeof STATUS_TEXT])
        return `status ${status} with code ${code} and type ${type}`;
    }
    return undefined;
  }

  async function send(request: Request): Promise<void> {
    const { url, ...init } = written(request, pool, sender);
    const { operation } = request;
    const response = await fetch(url, { ...init, redirect: 'manual' } as RequestInit);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (isStream) await response.body?.cancel();
    const text = isStream ? '' : await response.text();
    const of = counts.get(operation.id) ?? new Map<number, number>();
    counts.set(operation.id, of.set(response.status, (of.get(response.status) ?? 0) + 1));
    const problem = problemOf(operation, response.status, response.headers, text);
    if (problem && findings.length < 50)
      findings.push({
        operation: operation.id,
        problem,
        request: `${init.method} ${url} ${init.body ?? ''}`.slice(0, 2000),
        response: text.slice(0, 500),
      });
  }
  return { send, findings, counts };
}
