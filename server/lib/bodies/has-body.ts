import type { IncomingMessage } from 'node:http';

/** Whether a request has a body; GET, DELETE and OPTIONS may have one. */
export function hasBody(req: Pick<IncomingMessage, 'headers'>): boolean {
  const length = req.headers['content-length'];
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
