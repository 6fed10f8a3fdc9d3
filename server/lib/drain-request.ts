/**
 * An answer to a request that is still coming. A client that sends a body reads the answer when all of it is sent, and
 * a connection that is closed on bytes unread takes the answer along: so the rest is drained up to 30 seconds and a
 * size limit, and the connection can be reused. Each door of the service does so, in this way.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FUNCTION_BODY_MAX_BYTES } from '../../contract/limits.ts';
import { hasBody } from './has-body.ts';

const DRAIN_MS = 30_000;

/** To be called before the head of the answer is written. */
export function keepConnectionOpen(req: IncomingMessage, res: ServerResponse): void {
  if (req.complete || res.shouldKeepAlive || !hasBody(req)) return;
  // Node would close with the end of the answer, whatever still comes. It is left to us, and no header says otherwise.
  res.shouldKeepAlive = true;
  res.removeHeader('Connection');
  const { socket } = req;
  const close = () => void (req.complete && res.writableFinished && socket.end());
  req.once('end', close);
  res.once('finish', close);
}

/** To be called when no one else reads the request any more. */
export function drainRequest(req: IncomingMessage): void {
  if (req.complete || req.destroyed || !hasBody(req)) return;
  let left = FUNCTION_BODY_MAX_BYTES;
  const late = setTimeout(() => req.destroy(), DRAIN_MS).unref();
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

/** Both, for an answer that no longer depends on what is still to come; after a 408, waited for long enough. */
export function finishAndDrain(req: IncomingMessage, res: ServerResponse, status = 200): void {
  if (status === 408 && !req.complete) {
    res.shouldKeepAlive = false;
    return;
  }
  keepConnectionOpen(req, res);
  drainRequest(req);
}
