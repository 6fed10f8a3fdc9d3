/** The form values of a function call: a method, a path with its query, one header per line, a body. */
import type { Run } from '../../../api/entities.ts';
import type { CallInput } from '../../../api/operation.ts';

export type InvokeBody = NonNullable<CallInput<'functionInvoke'>['body']>;
export type Method = NonNullable<InvokeBody['method']>;

export const METHODS: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export type TypedRequest = {
  readonly method: Method;
  readonly path: string;
  readonly headers: string;
  readonly body: string;
};
export type Mistakes = { readonly path?: string; readonly headers?: string };

export const FIRST_REQUEST: TypedRequest = {
  method: 'POST',
  path: '/',
  headers: 'content-type: application/json',
  body: '{\n  "hello": "world"\n}',
};

export const takesBody = (method: Method): boolean => method !== 'GET' && method !== 'HEAD';

/** The request to send, or the problems by field. */
export function readRequest(typed: TypedRequest): { body: InvokeBody } | { mistakes: Mistakes } {
  const { path, query } = splitPath(typed.path.trim());
  const headers = readHeaders(typed.headers);
  const mistakes = {
    ...(/^\/[^\s#?]*$/.test(path) ? {} : { path: 'Enter a path that starts with / and has no spaces.' }),
    ...(typeof headers === 'string' ? { headers } : {}),
  };
  if (typeof headers === 'string' || mistakes.path) return { mistakes };
  const body = takesBody(typed.method) ? typed.body : '';
  return { body: { method: typed.method, path, query, headers, body } };
}

function splitPath(text: string): { path: string; query: Record<string, string> } {
  const at = text.indexOf('?');
  if (at < 0) return { path: text, query: {} };
  return { path: text.slice(0, at), query: Object.fromEntries(new URLSearchParams(text.slice(at + 1))) };
}

/** A string is a problem. */
function readHeaders(text: string): Record<string, string> | string {
  const headers: Record<string, string> = {};
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const colon = line.indexOf(':');
    if (colon < 1) return `Line ${index + 1}: expected "name: value".`;
    const name = line.slice(0, colon).trim().toLowerCase();
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return `Line ${index + 1}: ${name} can’t be the name of a header.`;
    headers[name] = line.slice(colon + 1).trim();
  }
  return headers;
}

/** Headers that the next call gets automatically, or whose values were not stored. */
const NOT_AGAIN = /^(host|content-length|connection|transfer-encoding|x-forwarded-.*|authorization|cookie|x-api-key)$/i;

/** A stored request as form values, with the parts that cannot be restored. */
export function typedFrom({ request }: Pick<Run, 'request'>): { typed: TypedRequest; leftOut: readonly string[] } {
  const entries = Object.entries(request.headers);
  const leftOut = entries.filter(([name]) => /^(authorization|cookie|x-api-key)$/i.test(name)).map(([name]) => name);
  return {
    leftOut: [
      ...leftOut,
      ...(request.is_base64_encoded
        ? ['the body, which isn’t text']
        : request.truncated
          ? ['the end of the body']
          : []),
    ],
    typed: {
      method: METHODS.find((method) => method === request.method) ?? 'POST',
      path: request.raw_path + (request.raw_query_string ? `?${request.raw_query_string}` : ''),
      headers: entries
        .filter(([name]) => !NOT_AGAIN.test(name))
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
      body: request.is_base64_encoded ? '' : request.body,
    },
  };
}
