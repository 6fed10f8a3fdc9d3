/**
 * What of a caller's request is forwarded to an app, and in which form: through the gateway (server/gateway/) and from
 * the console (upstream-call.ts) alike.
 */
import type { Upstream } from './upstream.ts';

/** Meant for the next hop only, or for the service. `Proxy-*` and `Service-*` are dropped by their beginning. */
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

/** Not meant for the app, or replaced by the connection's own. */
const endsHere = (lower: string, { replaced }: Upstream): boolean =>
  DROPPED.has(lower) || lower.startsWith('proxy-') || lower.startsWith('service-') || replaced.has(lower);

/** Names and values in turn: the caller's in their order and spelling, duplicates too, then the credentials. */
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
    // The client writes its own when there is no body.
    if (lower === 'content-length' && !withBody) continue;
    sent?.add(lower);
    out.push(name, raw[i + 1] ?? '');
  }
  for (const [lower, name, value] of upstream.defaults) if (!sent?.has(lower)) out.push(name, value);
  out.push(...upstream.headers);
  return out;
}

/** What a caller says after a body that came in chunks, without what would be meant for others or overrule the head. */
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

/** Headers named in `Connection` belong to this hop as well. Null for the usual values. */
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

/** The native path and query byte for byte, after the base address's own path; credentials of the query at its end. */
export function nativePath(upstream: Upstream, rest: string): string {
  const joined = upstream.base_path + (upstream.mcp ? (protocolPath(rest) ?? rest) : rest);
  const path = joined.startsWith('/') ? joined : `/${joined}`;
  return upstream.query.length === 0 ? path : withCredentials(path, upstream.query);
}

/** What follows the server's own address where `rest` is that of an MCP server itself: its query, mostly nothing. */
export function protocolPath(rest: string): string | undefined {
  const match = /^\/mcp\/?(\?.*)?$/s.exec(rest);
  return match ? (match[1] ?? '') : undefined;
}

function withCredentials(path: string, credentials: Upstream['query']): string {
  const mark = path.indexOf('?');
  const names = new Set(credentials.map(([name]) => name));
  const own = mark < 0 ? [] : path.slice(mark + 1).split('&');
  // A caller can't put another key beside the connection's.
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
