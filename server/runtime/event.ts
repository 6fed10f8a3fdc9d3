/**
 * The request of a run as data: the argument of an event handler, also stored with the run (with secrets redacted and
 * the body truncated). This file is also part of the sandbox, so it uses no Node API.
 */

/** The head of a request. `path` is the undecoded request target, with its query. */
export type RequestHead = {
  method: string;
  scheme: 'http' | 'https';
  /** Host and port, as sent by the caller. */
  host: string;
  path: string;
  /** "HTTP/1.1" */
  protocol: string;
  source_ip: string;
  headers: Iterable<readonly [name: string, value: string]>;
};

export type RunEvent = {
  method: string;
  raw_path: string;
  path: string;
  raw_query_string: string;
  /** Values of a repeated name are joined by commas; `raw_query_string` has them separately. */
  query_params: Record<string, string>;
  /** Names in lower case; repeated headers are joined by ", ". */
  headers: Record<string, string>;
  /** One "name=value" per cookie. */
  cookies: string[];
  body: string;
  is_base64_encoded: boolean;
  source_ip: string;
  user_agent: string;
  protocol: string;
  host: string;
  label: string;
};

/** Text is unchanged; bytes that are not UTF-8 become Base64. */
export function requestEvent(head: RequestHead, label: string, body: Uint8Array): RunEvent {
  const mark = head.path.indexOf('?');
  const rawPath = mark < 0 ? head.path : head.path.slice(0, mark);
  const rawQuery = mark < 0 ? '' : head.path.slice(mark + 1);
  const headers = joined(head.headers, ', ', (name) => name.toLowerCase());
  const text = decoded(body);
  return {
    method: head.method,
    raw_path: rawPath,
    path: unescaped(rawPath),
    raw_query_string: rawQuery,
    query_params: rawQuery ? joined(new URLSearchParams(rawQuery), ',') : {},
    headers,
    cookies: headers['cookie'] ? headers['cookie'].split(/[;,]\s*/).filter(Boolean) : [],
    body: text ?? base64(body),
    is_base64_encoded: text === undefined,
    source_ip: head.source_ip,
    user_agent: headers['user-agent'] ?? '',
    protocol: head.protocol,
    host: head.host,
    label,
  };
}

function joined(
  pairs: Iterable<readonly [string, string]>,
  separator: string,
  nameOf = (name: string) => name,
): Record<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of pairs) {
    const key = nameOf(name);
    const before = values.get(key);
    values.set(key, before === undefined ? value : before + separator + value);
  }
  return Object.fromEntries(values);
}

function unescaped(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0) return '';
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}
