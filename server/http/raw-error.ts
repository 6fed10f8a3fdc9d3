import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { STATUS_TEXT } from '../../contract/errors.ts';
import { badRequest, Failure } from '../lib/failure.ts';
import { errorResponse } from './error-body.ts';

/** Writes an error response to a socket without a response object, in the usual shape, and closes it. */
export function sendRawError(socket: Duplex, failure: Failure, requestId: string): void {
  const { status, headers, body } = errorResponse(failure, requestId);
  const lines = Object.entries({ ...headers, Connection: 'close' }).map((each) => each.join(': '));
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_TEXT[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`, () =>
    socket.destroy(),
  );
}

/** Handles malformed, oversized and slow requests. A response in progress is cut, not mixed with another one. */
export function onClientError(error: Error & { code?: string }, socket: Duplex): void {
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null };
  if (!socket.writable || answer?.headersSent) return void socket.destroy();
  sendRawError(socket, failureOf(error.code), randomUUID());
}

function failureOf(code: string | undefined): Failure {
  if (code === 'HPE_HEADER_OVERFLOW') return new Failure(431, 'The headers are too large: expected at most 64 KiB.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Failure(408, 'The headers did not arrive in time.');
  return badRequest('Expected a well-formed HTTP request.');
}
