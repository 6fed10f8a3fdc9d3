/**
 * An answer to a request that is still coming. Whoever sends a body reads the answer when all of it is sent, and a
 * connection that is closed on bytes unread takes the answer along: so the rest is let by, for as long and as much as is
 * decent, and the connection can be used on.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FUNCTION_BODY_MAX_BYTES } from '../../contract/limits.ts';

const DECENT_MS = 30_000;

/** To be called before the head of the answer is written. */
export function keepOpen(req: IncomingMessage, res: ServerResponse): void {
  if (!req.complete && req.httpVersion === '1.1') res.shouldKeepAlive = true;
}

/** To be called when the answer is written, and nobody else reads the request any more. */
export function letBy(req: IncomingMessage): void {
  if (req.complete || req.destroyed) return;
  let left = FUNCTION_BODY_MAX_BYTES;
  const late = setTimeout(() => req.destroy(), DECENT_MS);
  req
    .on('error', () => undefined)
    .once('close', () => clearTimeout(late))
    .once('end', () => {
      if (/\bclose\b/i.test(req.headers.connection ?? '')) req.socket.end();
    })
    .on('data', ({ length }: Buffer) => {
      left -= length;
      if (left < 0) req.destroy();
    });
  req.unpipe();
  req.resume();
}
