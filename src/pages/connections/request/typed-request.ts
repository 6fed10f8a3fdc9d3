/** The form values of a native request, and the request that is sent for them. */
import type { CallInput } from '../../../api/operation.ts';
import { formatBytes } from '../../../lib/format.ts';
import type { Pair } from './query-rows.ts';

export type Outgoing = CallInput<'connectionRequest'>['body'];

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export const BODY_KINDS = ['none', 'json', 'form', 'text', 'multipart', 'file'] as const;
export type BodyKind = (typeof BODY_KINDS)[number];

/** A part of a multipart body: a text, or a file. */
export interface BodyPart extends Pair {
  readonly file?: File | undefined;
}

/** The values that are not in the URL. */
export interface TypedRest {
  readonly headers: readonly Pair[];
  readonly kind: BodyKind;
  readonly text: string;
  readonly form: readonly Pair[];
  readonly parts?: readonly BodyPart[] | undefined;
  /** The body of the kind `file`. */
  readonly file?: File | undefined;
}
export interface TypedRequest extends TypedRest {
  readonly method: string;
  /** Native path and query. */
  readonly path: string;
}
export interface Mistakes {
  readonly path?: string;
  readonly headers?: string;
  readonly body?: string;
}

export const NO_REST: TypedRest = { headers: [], kind: 'none', text: '', form: [] };

/** Methods whose body a browser or the gateway would drop. */
export const takesBody = (method: string): boolean => method !== 'GET' && method !== 'HEAD';

const CONTENT_TYPE: Partial<Record<BodyKind, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
};

/** The content type that is sent unless a header of that name is entered. */
export function impliedContentType({ method, kind, headers, file }: TypedRequest): string | undefined {
  if (!takesBody(method) || headers.some(isContentType)) return undefined;
  return kind === 'file' ? file && (file.type || 'application/octet-stream') : CONTENT_TYPE[kind];
}

const isContentType = ({ name }: Pair): boolean => name.trim().toLowerCase() === 'content-type';

/** Headers that the gateway sets or removes. */
export function whyNotSent(name: string): string | undefined {
  const known = name.trim().toLowerCase();
  if (known === 'authorization') return 'Not sent: the connection’s credentials replace it.';
  if (/^(host|cookie|connection|content-length|transfer-encoding|upgrade|te|trailer|keep-alive)$/.test(known))
    return 'Not sent: it is a hop-by-hop header.';
  return /^(service|proxy)-/.test(known) ? 'Not sent: it is for the gateway, not for the app.' : undefined;
}

const PATH_MAX_CHARS = 8192;
const HEADERS_MAX = 100;

/** The request to send, or the problems by field. withFiles() adds the files and the type of several parts. */
export function readRequest(typed: TypedRequest): { body: Outgoing } | { mistakes: Mistakes } {
  const path = sentPath(typed.path);
  const rows = typed.headers.filter(({ name, value }) => name.trim() !== '' || value !== '');
  const mistakes = {
    ...(path.length > PATH_MAX_CHARS ? { path: `Enter at most ${PATH_MAX_CHARS} characters.` } : {}),
    ...headersMistake(rows),
    ...(takesBody(typed.method) ? bodyMistake(typed) : {}),
  };
  if (Object.keys(mistakes).length > 0) return { mistakes };
  const implied = typed.kind === 'multipart' ? undefined : impliedContentType(typed);
  const headers: [string, string][] = [
    ...rows.map(({ name, value }): [string, string] => [name.trim(), value.trim()]),
    ...(implied === undefined ? [] : [['content-type', implied] satisfies [string, string]]),
  ];
  const body = bodyOf(typed);
  return {
    body: {
      method: typed.method,
      path,
      ...(headers.length > 0 ? { headers } : {}),
      ...(body === null ? {} : { body }),
    },
  };
}

/** Adds a leading slash and escapes characters that a URL does not allow; existing escapes are kept. */
export function sentPath(typed: string): string {
  const trimmed = typed.trim().toWellFormed();
  const path = trimmed.startsWith('/') ? trimmed : `/${trimmed}`;
  return path.replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
}

function headersMistake(rows: readonly Pair[]): Mistakes {
  if (rows.length > HEADERS_MAX) return { headers: `Use at most ${HEADERS_MAX} headers.` };
  for (const { name, value } of rows) {
    const known = name.trim();
    if (known === '') return { headers: `The header with the value ${value} has no name.` };
    if (!/^[\w!#$%&'*+.^`|~-]{1,200}$/.test(known)) return { headers: `${known} can’t be the name of a header.` };
    if (/[\x00-\x08\x0a-\x1f\x7f]/.test(value)) return { headers: `The value of ${known} has a control character.` };
    if (/[^\x00-\xff]/.test(value))
      return { headers: `The value of ${known} has characters that are not allowed in a header.` };
  }
  return {};
}

/** Size limit of a body with files: encoded as Base64 it has to fit into a request to the API. */
const FILES_MAX_BYTES = 700 * 1024;

/** Parts with a name, a value or a file. */
export const filledParts = ({ parts = [] }: Pick<TypedRequest, 'parts'>): readonly BodyPart[] =>
  parts.filter(({ name, value, file }) => name !== '' || value !== '' || file !== undefined);

/** Why this body cannot be sent; undefined if it can. */
function filesMistake(typed: TypedRequest): string | undefined {
  if (typed.kind !== 'multipart' && typed.kind !== 'file') return undefined;
  if (typed.kind === 'file' && !typed.file) return 'Choose a file.';
  const unnamed = typed.kind === 'multipart' && filledParts(typed).some(({ name }) => name === '');
  if (unnamed) return 'Enter a name for each part.';
  if (sizeOf(typed) <= FILES_MAX_BYTES) return undefined;
  return `Files of up to ${formatBytes(FILES_MAX_BYTES)} in all can be sent from here; send larger ones with the code below.`;
}

const sizeOf = (typed: TypedRequest): number =>
  typed.kind === 'file'
    ? (typed.file?.size ?? 0)
    : filledParts(typed).reduce((sum, { value, file }) => sum + (file?.size ?? value.length), 0);

function bodyMistake(typed: TypedRequest): Mistakes {
  const body = filesMistake(typed);
  if (body !== undefined) return { body };
  if (typed.kind === 'multipart' && typed.headers.some(isContentType))
    return { headers: 'Remove the header Content-Type: the one that is sent has the boundary between the parts.' };
  return {};
}

function bodyOf({ method, kind, text, form }: TypedRequest): string | null {
  if (!takesBody(method) || kind === 'none' || kind === 'multipart' || kind === 'file') return null;
  if (kind !== 'form') return text;
  const filled = form.filter(({ name, value }) => name !== '' || value !== '');
  return new URLSearchParams(filled.map(({ name, value }) => [name, value])).toString();
}

/** The JSON syntax error with the position that the browser reports; undefined if the text is valid. */
export function jsonMistake(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (thrown) {
    const said = thrown instanceof Error ? thrown.message : '';
    const line = /line (\d+) column (\d+)/.exec(said);
    const position = /position (\d+)/.exec(said)?.[1];
    const before = position === undefined ? undefined : text.slice(0, Number(position)).split('\n');
    const at = line ? [line[1], line[2]] : before ? [before.length, (before.at(-1)?.length ?? 0) + 1] : undefined;
    return at ? `Invalid JSON: see line ${at[0]}, column ${at[1]}.` : 'Invalid JSON.';
  }
}
