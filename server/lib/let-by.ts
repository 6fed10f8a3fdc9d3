/**
 * An answer to a request that is still coming. Whoever sends a body reads the answer when all of it is sent, and a
 * connection that is closed on bytes unread takes the answer along: so the rest is let by, for as long and as much as is
 * decent, and the connection can be used on. Each door of the service does so, in this way.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FUNCTION_BODY_MAX_BYTES } from '../../contract/limits.ts';
import { hasBody } from './has-body.ts';

const DECENT_MS = 30_000;

/** To be called before the head of the answer is written. */
export function keepOpen(req: IncomingMessage, res: ServerResponse): void {
  if (req.complete || res.shouldKeepAlive || !hasBody(req)) return;
  // Node would close with the end of the answer, whatever still comes. It is left to us, and no header says otherwise.
  res.shouldKeepAlive = true;
  res.removeHeader('Connection');
  const { socket } = req;
  const close = () => void (req.complete && res.writableFinished && socket.end());
  req.once('end', close);
  res.once('finish', close);
}

/** To be called when nobody else reads the request any more. */
export function letBy(req: IncomingMessage): void {
  if (req.complete || req.destroyed || !hasBody(req)) return;
  let left = FUNCTION_BODY_MAX_BYTES;
  const late = setTimeout(() => req.destroy(), DECENT_MS).unref();
  req
    .on('error', () => undefined)
    .once('close', () => clearTimeout(late))
    .on('data', ({ length }: Buffer) => {
      left -= length;
      if (left < 0) req.destroy();
    });
  req.unpipe();
  req.resume();
}

/** Both, for an answer that depends no more on what is still to come; after a 408 that has been waited for long enough. */
export function letRestBy(req: IncomingMessage, res: ServerResponse, status = 200): void {
  if (status === 408 && !req.complete) {
    res.shouldKeepAlive = false;
    return;
  }
  keepOpen(req, res);
  letBy(req);
}
