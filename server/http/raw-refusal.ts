import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { STATUS_TEXT } from '../../contract/errors.ts';
import { badRequest, Failure } from '../lib/failure.ts';
import { errorResponse } from './error-body.ts';

/** Answers where there is a socket and no response to answer on, in the shape of every other error, and hangs up. */
export function refuseRaw(socket: Duplex, failure: Failure, requestId: string): void {
  const { status, headers, body } = errorResponse(failure, requestId);
  const lines = Object.entries({ ...headers, Connection: 'close' }).map((each) => each.join(': '));
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_TEXT[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`, () =>
    socket.destroy(),
  );
}

/** What is no HTTP, too much of it, or too long in coming. An answer that is under way gets no other one into it. */
export function refuseUnreadable(error: Error & { code?: string }, socket: Duplex): void {
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null };
  if (!socket.writable || answer?.headersSent) return void socket.destroy();
  refuseRaw(socket, failureOf(error.code), randomUUID());
}

function failureOf(code: string | undefined): Failure {
  if (code === 'HPE_HEADER_OVERFLOW') return new Failure(431, 'The headers are too large: expected at most 64 KiB.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Failure(408, 'The headers did not arrive in time.');
  return badRequest('Expected a well-formed HTTP request.');
}
