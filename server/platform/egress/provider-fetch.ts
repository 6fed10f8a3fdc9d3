/**
 * The fetch for all requests to providers: tokens, metadata, registration, probes. Guarded egress, no redirects, one
 * deadline, a bounded response. It has the signature of the global fetch, so that libraries can use it. Without TLS it
 * connects only to addresses that are not public, and only if the egress policy allows them.
 */
import { type Agent, request } from 'undici';
import { PROVIDER_REPLY_MAX_BYTES, PROVIDER_TIMEOUT_MS } from '../../../contract/limits.ts';
import { BlockedAddress, createEgress, type EgressPolicy } from './egress.ts';

/**
 * A provider did not respond, or its response was malformed. The message is for people and does not contain the URL's
 * query.
 */
export class ProviderTrouble extends Error {
  override name = 'ProviderTrouble';
}

export type ProviderFetch = (input: string | URL, init?: RequestInit) => Promise<Response>;
export type ProviderLimits = { timeoutMs?: number; maxBytes?: number };

const agents = new WeakMap<EgressPolicy, Agent>();
/** The strict policy, which distinguishes public addresses regardless of the settings. */
const strict = createEgress([]);

/** Throws ProviderTrouble without a complete response within the limits. */
export function providerFetch(
  egress: EgressPolicy,
  { timeoutMs = PROVIDER_TIMEOUT_MS, maxBytes = PROVIDER_REPLY_MAX_BYTES }: ProviderLimits = {},
): ProviderFetch {
  const dispatcher = agents.get(egress) ?? egress.agent({ keepAliveTimeout: 1_000, connections: 32 });
  agents.set(egress, dispatcher);
  return async (input, init = {}) => {
    const url = new URL(input);
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = init.signal ? AbortSignal.any([deadline, init.signal]) : deadline;
    try {
      if (url.protocol !== 'https:') await refusePublic(egress, url);
      const headers = new Headers(init.headers);
      // The decompressed size would be unbounded.
      headers.set('accept-encoding', 'identity');
      if (!headers.has('user-agent')) headers.set('user-agent', 'sluice');
      const body = init.body instanceof URLSearchParams ? init.body.toString() : (init.body ?? null);
      if (init.body instanceof URLSearchParams && !headers.has('content-type'))
        headers.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8');
      const reply = await request(url, {
        dispatcher,
        method: init.method ?? 'GET',
        headers: Object.fromEntries(headers),
        body: body as string | Uint8Array | null,
        signal,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      const bytes = await readAtMost(reply.body, maxBytes, url);
      const empty = [101, 204, 205, 304].includes(reply.statusCode);
      const answer = new Response(empty ? null : bytes, {
        status: reply.statusCode,
        headers: Object.entries(reply.headers).flatMap(([name, value]) =>
          [value ?? []].flat().map((each): [string, string] => [name, each]),
        ),
      });
      Object.defineProperty(answer, 'url', { value: url.href });
      return answer;
    } catch (error) {
      throw init.signal?.aborted ? error : toTrouble(error, url, deadline.aborted ? timeoutMs : undefined);
    }
  };
}

async function readAtMost(body: AsyncIterable<Buffer>, maxBytes: number, url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    // Leaving the loop destroys the rest of the response.
    if (size > maxBytes) throw new ProviderTrouble(`${url.host} returned more than ${Math.round(maxBytes / 1024)} KB.`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

async function refusePublic(egress: EgressPolicy, { protocol, hostname, host }: URL): Promise<void> {
  if (protocol !== 'http:') throw new ProviderTrouble(`${protocol} URLs are not supported; use https.`);
  if ((await egress.resolve(hostname)).some((ip) => strict.refusal(ip) === null))
    throw new ProviderTrouble(`${host} must use https: secrets are not sent without TLS.`);
}

const WORDS: Record<string, string> = {
  ENOTFOUND: 'could not be resolved (DNS)',
  EAI_AGAIN: 'could not be resolved right now (DNS)',
  ECONNREFUSED: 'refuses connections',
  ECONNRESET: 'closed the connection',
  UND_ERR_SOCKET: 'closed the connection',
  EHOSTUNREACH: 'can’t be reached',
  ENETUNREACH: 'can’t be reached',
  ETIMEDOUT: 'did not respond in time',
  UND_ERR_CONNECT_TIMEOUT: 'did not respond in time',
  UND_ERR_HEADERS_TIMEOUT: 'did not respond in time',
  UND_ERR_BODY_TIMEOUT: 'did not respond in time',
};

function toTrouble(error: unknown, { host }: URL, timedOutMs: number | undefined): ProviderTrouble {
  if (error instanceof ProviderTrouble) return error;
  if (error instanceof BlockedAddress)
    return new ProviderTrouble(`${host} is an address that this service does not connect to.`, { cause: error });
  if (timedOutMs !== undefined)
    return new ProviderTrouble(`${host} did not respond within ${timedOutMs / 1000} s.`, { cause: error });
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const words = WORDS[code] ?? (/CERT|TLS|SSL|SELF_SIGNED/.test(code) ? 'has no valid certificate' : undefined);
  return new ProviderTrouble(`${host} ${words ?? 'returned a malformed response'}.`, { cause: error });
}
