import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { errors } from 'undici';
import { isToken, isValue } from './field.ts';

/** A request to an app; `headers` are alternating names and values. */
export type WireRequest = {
  origin: string;
  method: string;
  path: string;
  headers: readonly string[];
  body: IncomingMessage | Readable | Buffer | null;
  /** Selects the trailers of a chunked body to pass on; alternating names and values. */
  trailers: ((raw: readonly string[]) => string[]) | null;
  /** Disables the idle timeout within a response. */
  mayBeQuiet: boolean;
  /** Time limit until the response begins; by default that of the pool. */
  answerMs?: number | undefined;
};

/** Line ends and blanks, which would allow request smuggling. */
const NO_PATH = /[^\x21-\x7e\x80-\xff]/;
/** Methods that send `Content-Length: 0` without a body. */
const WITH_PAYLOAD = new Set(['POST', 'PUT', 'PATCH', 'QUERY', 'PROPFIND', 'PROPPATCH']);

/** The end of a chunked body. Throws for invalid trailers. */
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
  /** The head, including the empty line. */
  text: string;
  /** Length of the body in bytes; -1 if chunked. */
  length: number;
};

/** Encodes the head in HTTP/1.1. Throws for an invalid path, method or header. */
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
