/**
 * Calls the API: retries with the server's Retry-After and exponential backoff, an Idempotency-Key for each POST so that
 * a retry changes nothing twice, and an iterator over the pages of a list. The types are in client.d.ts.
 */
import { operations } from './operations.js';

/** Statuses after which the same request can succeed. */
const RETRIED = new Set([408, 429, 502, 503, 504]);
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

export class SluiceError extends Error {
  constructor(operation, status, body, requestId) {
    super(`${operation}: ${body?.message ?? `status ${status}`}`);
    this.name = 'SluiceError';
    this.operation = operation;
    this.status = status;
    this.body = body;
    this.requestId = requestId;
  }
}

export function createClient({ baseUrl, apiKey, headers = {}, retries = 3, fetch: send = fetch, onResponse }) {
  async function call(operation, input = {}, options = {}) {
    const route = operations[operation];
    if (!route) throw new TypeError(`There is no operation ${operation}`);
    const response = await request(operation, route, input, options);
    if (response.ok) return route.raw ? response : response.json();
    const body = await response.json().catch(() => undefined);
    throw new SluiceError(operation, response.status, body, response.headers.get('x-request-id'));
  }

  async function request(operation, { method, path, takesKey }, { params, query, body }, options) {
    const url = new URL(baseUrl.replace(/\/$/, '') + filled(operation, path, params));
    for (const [name, value] of Object.entries(query ?? {}))
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    const key = takesKey ? { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() } : {};
    const isRepeatable = method !== 'POST' || takesKey;
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= retries || !isRepeatable;
      try {
        const response = await send(url, {
          method,
          headers: {
            accept: 'application/json',
            ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
            ...(typeof headers === 'function' ? headers() : headers),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...key,
          },
          body: body === undefined ? undefined : JSON.stringify(body),
          signal: options.signal,
        });
        onResponse?.(response);
        // A request that was refused by its rate was not begun.
        if (!RETRIED.has(response.status) || (isLast && !(response.status === 429 && attempt < retries)))
          return response;
        await response.body?.cancel();
        await pause(attempt, response.headers.get('retry-after'), options.signal);
      } catch (error) {
        if (isLast || options.signal?.aborted) throw error;
        await pause(attempt, null, options.signal);
      }
    }
  }

  async function* pages(operation, input = {}, options = {}) {
    let token;
    do {
      const page = await call(operation, { ...input, query: { ...input.query, next_token: token } }, options);
      yield page;
      token = page.next_token ?? undefined;
    } while (token !== undefined);
  }

  async function* items(operation, input = {}, options = {}) {
    for await (const page of pages(operation, input, options))
      yield* Object.values(page).find((value) => Array.isArray(value)) ?? [];
  }

  return { call, pages, items };
}

function filled(operation, path, params = {}) {
  return path.replace(/\{(\w+)\}/g, (_, name) => {
    if (params[name] === undefined) throw new TypeError(`${operation}: params.${name} is missing`);
    return encodeURIComponent(String(params[name]));
  });
}

/** Waits as long as the server says, else twice as long after each attempt, with jitter. */
function pause(attempt, retryAfter, signal) {
  const seconds = Number(retryAfter);
  const ownMs = FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2);
  const ms = Math.min(retryAfter !== null && seconds >= 0 ? seconds * 1000 : ownMs, LONGEST_PAUSE_MS);
  return new Promise((done, fail) => {
    const abort = () => {
      clearTimeout(timer);
      fail(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      done();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
