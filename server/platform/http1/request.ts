import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { errors } from 'undici';
import { isToken, isValue } from './field.ts';

/** What is asked of an app, and with what: `headers` are names and values in turn. */
export type WireRequest = {
  origin: string;
  method: string;
  path: string;
  headers: readonly string[];
  body: IncomingMessage | Readable | Buffer | null;
  /** Selects the trailers of a chunked body that are passed on; names and values in turn. */
  trailers: ((raw: readonly string[]) => string[]) | null;
  /** An answer that has begun may be silent for as long as it likes. */
  mayBeQuiet: boolean;
};

/** The line ends and blanks that would make one request two. */
const NO_PATH = /[^\x21-\x7e\x80-\xff]/;
/** Without a body these say so. */
const WITH_PAYLOAD = new Set(['POST', 'PUT', 'PATCH', 'QUERY', 'PROPFIND', 'PROPPATCH']);

/** What ends a body in chunks. Throws what can't be passed on. */
export function bodyEnd(trailers: readonly string[]): string {
  let text = '0\r\n';
  for (let i = 0; i < trailers.length; i += 2) text += field(trailers[i] ?? '', trailers[i + 1] ?? '');
  return `${text}\r\n`;
}

function field(name: string, value: string): string {
  if (!isToken(name) || !isValue(value)) throw new errors.InvalidArgumentError('invalid header');
  return `${name}: ${value}\r\n`;
}

export type RequestHead = {
  /** Up to the empty line, which is part of it. */
  text: string;
  /** Bytes of the body; -1 where they go in chunks. */
  length: number;
};

/** The head in the bytes of HTTP/1.1. Throws what can't be passed on. */
export function requestHead({ method, path, headers, body }: WireRequest): RequestHead {
  if (NO_PATH.test(path) || !isToken(method)) throw new errors.InvalidArgumentError('invalid path or method');
  let text = `${method} ${path} HTTP/1.1\r\n`;
  let length = -1;
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] ?? '';
    const value = headers[i + 1] ?? '';
    const line = field(name, value);
    if (name.length === 14 && name.toLowerCase() === 'content-length') {
      if (length >= 0 || !/^\d{1,15}$/.test(value)) throw new errors.InvalidArgumentError('invalid length');
      length = Number(value);
    }
    text += line;
  }
  if (body === null) {
    if (length < 0 && WITH_PAYLOAD.has(method)) text += 'Content-Length: 0\r\n';
    length = 0;
  } else if (length < 0 && body instanceof Buffer) {
    length = body.length;
    text += `Content-Length: ${length}\r\n`;
  } else if (length < 0) text += 'Transfer-Encoding: chunked\r\n';
  return { text: `${text}Connection: keep-alive\r\n\r\n`, length };
}
