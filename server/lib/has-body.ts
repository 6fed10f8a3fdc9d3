import type { IncomingMessage } from 'node:http';

/** GET, DELETE and OPTIONS may have one too. */
export function hasBody(req: Pick<IncomingMessage, 'headers'>): boolean {
  const length = req.headers['content-length'];
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
