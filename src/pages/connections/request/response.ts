/** Reads a response for display. */
import { headerOf } from '../../../../contract/text/header-of.ts';
import type { Reply } from '../../../api/operation.ts';
import { parseJson } from '../../../ui/code/json-nodes.ts';

export type SendResult = Reply<'connectionRequest'>;
export type AppResponse = NonNullable<SendResult['response']>;

/** Reason phrases; HTTP/2 sends none. */
const WORDS: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  206: 'Partial Content',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

export function statusWord({ status, reason }: Pick<AppResponse, 'status' | 'reason'>): string {
  return reason || WORDS[status] || '';
}

export type BodyLook = 'none' | 'binary' | 'json' | 'text';

export function lookOf(response: AppResponse): BodyLook {
  if (response.body === '') return 'none';
  if (response.body_encoding === 'base64') return 'binary';
  const type = headerOf(response.headers, 'content-type') ?? '';
  if (!/json/i.test(type) && !/^\s*[[{]/.test(response.body)) return 'text';
  return parseJson(response.body) ? 'json' : 'text';
}

/** The body's bytes for a download. */
export function bytesOf({ body, body_encoding }: Pick<AppResponse, 'body' | 'body_encoding'>): Uint8Array<ArrayBuffer> {
  if (body_encoding === 'utf8') return new TextEncoder().encode(body);
  const text = atob(body);
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/plain': 'txt',
};

/** The file name of a download: from the app's header, else from the path, else from the content type. */
export function fileNameOf(response: Pick<AppResponse, 'headers'>, path: string): string {
  const given = /filename="?([^";]+)"?/i.exec(headerOf(response.headers, 'content-disposition') ?? '')?.[1];
  const last = /([^/?]+)(?:\?|$)/.exec(path)?.[1] ?? '';
  const type = (headerOf(response.headers, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const name = (given ?? (last || 'answer')).replace(/[\\/:*?"<>|\x00-\x1f]/g, '_').slice(0, 100);
  return /\.\w{1,8}$/.test(name) ? name : `${name}.${EXTENSIONS[type] ?? 'bin'}`;
}

/** The phases of the duration in order, in ms; phases that were not reached are left out. */
export function phasesOf({ connected_ms, first_byte_ms, total_ms }: SendResult['timing']): readonly Phase[] {
  if (connected_ms === null) return [{ name: 'Connecting', ms: total_ms }];
  const connecting: Phase = { name: 'Connecting', ms: connected_ms };
  if (first_byte_ms === null) return [connecting, { name: 'Waiting', ms: Math.max(0, total_ms - connected_ms) }];
  return [
    connecting,
    { name: 'Waiting', ms: Math.max(0, first_byte_ms - connected_ms) },
    { name: 'Receiving', ms: Math.max(0, total_ms - first_byte_ms) },
  ];
}
export interface Phase {
  readonly name: 'Connecting' | 'Waiting' | 'Receiving';
  readonly ms: number;
}
