import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorBody, STATUS_TEXT } from '../../../contract/errors.ts';
import { finishAndDrain } from '../../lib/bodies/drain-request.ts';
import { Failure } from '../../lib/failure.ts';
import type { Call } from './call.ts';

/** Sends an error response of the service; closes the connection instead if the response has begun. */
export function refuse(req: IncomingMessage, res: ServerResponse, call: Call, thrown: unknown): void {
  const failure =
    thrown instanceof Failure ? thrown : new Failure(500, 'Internal error. Quote the request ID when reporting it.');
  if (failure.status === 500)
    call.log.error({ err: thrown, request_id: call.caller.request_id }, 'gateway call failed');
  call.noted.error ??= failure.message;
  if (res.headersSent) return void res.destroy();
  const body: ErrorBody = { message: failure.message, type: STATUS_TEXT[failure.status], code: failure.status };
  const text = JSON.stringify(body);
  call.noted.request_id = call.caller.request_id;
  finishAndDrain(req, res, failure.status);
  res.writeHead(failure.status, {
    'Content-Type': 'application/json',
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': Buffer.byteLength(text),
    'X-Request-Id': call.caller.request_id,
    'Cache-Control': 'no-store',
    ...failure.headers,
  });
  res.end(text);
}
