/**
 * Builds the request to an app from a caller's request, for the gateway (server/gateway/) and for requests of the
 * console (upstream-call.ts).
 */
import type { Upstream } from './upstream.ts';

/** Hop-by-hop headers, and headers for the service. `Proxy-*` and `Service-*` are dropped by prefix. */
const DROPPED = new Set([
  'host',
  'authorization',
  'cookie',
  'connection',
  'keep-alive',
  'te',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

/** Whether a header is not forwarded, or replaced by one of the connection. */
const endsHere = (lower: string, { replaced }: Upstream): boolean =>
  DROPPED.has(lower) || lower.startsWith('proxy-') || lower.startsWith('service-') || replaced.has(lower);

/** Alternating names and values: the caller's in their order and case, with duplicates, then the credentials. */
export function requestHeaders(
  raw: readonly string[],
  connection: string | undefined,
  upstream: Upstream,
  withBody: boolean,
): string[] {
  const out = ['host', upstream.host];
  const perHop = connectionOptions(connection);
  const sent = upstream.defaults.length > 0 ? new Set<string>() : null;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] ?? '';
    const lower = name.toLowerCase();
    if (endsHere(lower, upstream) || perHop?.has(lower)) continue;
    // Without a body, the client sets it.
    if (lower === 'content-length' && !withBody) continue;
    sent?.add(lower);
    out.push(name, raw[i + 1] ?? '');
  }
  for (const [lower, name, value] of upstream.defaults) if (!sent?.has(lower)) out.push(name, value);
  out.push(...upstream.headers);
  return out;
}

/** The trailers of a chunked body, without hop-by-hop fields and fields that would override headers. */
export function requestTrailers(raw: readonly string[], upstream: Upstream): string[] {
  const out: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] ?? '';
    const lower = name.toLowerCase();
    if (endsHere(lower, upstream) || lower.startsWith('content-')) continue;
    out.push(name, raw[i + 1] ?? '');
  }
  return out;
}

/** Headers named in `Connection` are hop-by-hop as well. Null for common values. */
export function connectionOptions(value: string | undefined): Set<string> | null {
  if (value === undefined || /^(?:keep-alive|close)$/i.test(value)) return null;
  return new Set(
    value
      .toLowerCase()
      .split(',')
      .map((option) => option.trim())
      .filter((option) => option !== 'content-length'),
  );
}

/** The base path, then the native path and query unchanged, then query credentials. */
export function nativePath(upstream: Upstream, rest: string): string {
  const joined = upstream.base_path + (upstream.mcp ? (protocolPath(rest) ?? rest) : rest);
  const path = joined.startsWith('/') ? joined : `/${joined}`;
  return upstream.query.length === 0 ? path : withCredentials(path, upstream.query);
}

/** The query of a request to the MCP server itself, usually empty; undefined for other paths. */
export function protocolPath(rest: string): string | undefined {
  const match = /^\/mcp\/?(\?.*)?$/s.exec(rest);
  return match ? (match[1] ?? '') : undefined;
}

function withCredentials(path: string, credentials: Upstream['query']): string {
  const mark = path.indexOf('?');
  const names = new Set(credentials.map(([name]) => name));
  const own = mark < 0 ? [] : path.slice(mark + 1).split('&');
  // A caller can't send a second key along with the connection's.
  const kept = own.filter((part) => part !== '' && !names.has(nameOf(part)));
  const added = credentials.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return `${mark < 0 ? path : path.slice(0, mark)}?${[...kept, ...added].join('&')}`;
}

function nameOf(part: string): string {
  const name = (part.split('=', 1)[0] ?? '').replaceAll('+', ' ');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
